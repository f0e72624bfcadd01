// Files that answer a form: what is taken, who sends and fetches them, and when they are gone.
#include "base/sales/booking/form/files.hpp"

#include "tests/pro/form_fields/form_site.hpp"
#include "tests/support/before_start.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

const std::string a_pdf = "%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n";
const std::string passport = R"({"id":"passport","type":"file","required":true})";

Value booked_with(const std::string& code) {
    return Value::object(
        {{"travelers",
          Value::array({Value::object({{"first_name", "Ada"}, {"last_name", "L"}, {"passport", code}})})}});
}

struct Sent {
    std::string session, code;
};

Sent sent(FieldSite& site) {
    Sent one{.session = site.session(), .code = {}};
    const auto answered = site.send("/booking/session/form-files?session_id=" + one.session, "traveler_form.passport",
                                    "Ada's passport.pdf", a_pdf);
    CAPTURE(answered.text);
    REQUIRE(answered.status == 201);
    one.code = answered.data()["file"].text();
    return one;
}

std::int64_t rows(FieldSite& site) { return site.base.number("SELECT COUNT(*) FROM svc_booking_form_files"); }

}  // namespace

TEST_CASE("a file is taken by its content, with a name that says the same") {
    const auto taken = [](const std::string& bytes, const char* name, const char* accepts = "[]") {
        return booking::form::kind_of_file(bytes, name, json::parse(accepts).value());
    };
    CHECK(taken(a_pdf, "pass.pdf")->ending == "pdf");
    CHECK(taken(red_dot, "PASS.PNG")->mime_type == "image/png");
    CHECK_FALSE(taken(a_pdf, "pass.png"));
    CHECK_FALSE(taken(red_dot, "pass.pdf"));
    CHECK_FALSE(taken(a_pdf, "pass.pdf.exe"));
    CHECK_FALSE(taken(a_pdf, "pass.exe.pdf"));
    CHECK_FALSE(taken(a_pdf, "pass.jpg.pdf"));
    CHECK(taken(a_pdf, "pass.v2.pdf"));
    CHECK_FALSE(taken(a_pdf, "pass"));
    CHECK_FALSE(taken("", "pass.pdf"));
    CHECK_FALSE(taken("MZ\x90", "pass.pdf"));
    CHECK_FALSE(taken("<html><script>1</script>", "pass.pdf"));
    CHECK_FALSE(taken("<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "pass.png"));
    CHECK_FALSE(taken("GIF89a<script>" + a_pdf, "pass.pdf"));
    CHECK_FALSE(taken(red_dot.substr(0, 40), "cut.png"));
    CHECK_FALSE(taken(a_pdf, "pass.pdf", R"(["picture"])"));
    CHECK(taken(red_dot, "pass.png", R"(["picture"])"));
}

TEST_CASE(
    "a visitor's file becomes an answer of the booking; staff with the right and the owner fetch it, others do not") {
    each_field_site([](FieldSite& site) {
        site.ask(form_with("", passport));
        const Sent one = sent(site);
        CHECK(site.book(booked_with("file-000000000000.pdf"), one.session).field() == "travelers.0.passport");
        const auto made = site.book(booked_with(one.code), one.session);
        const Value booking = site.detail(made);
        CHECK(booking["travelers"][0]["fields"]["passport"].text() == one.code);
        const std::string id = std::to_string(booking["id"].integer()),
                          staff = "/bookings/" + id + "/form-files/" + one.code,
                          own = "/customers/my-bookings/" + id + "/form-files/" + one.code;
        const auto fetched = site.base.get(staff, site.admin);
        CHECK(fetched.status == 200);
        CHECK(fetched.text == a_pdf);
        CHECK(fetched.header("Content-Disposition").starts_with("attachment"));
        CHECK(fetched.header("X-Content-Type-Options") == "nosniff");
        CHECK(fetched.header("Cache-Control").find("no-store") != std::string::npos);
        CHECK(site.base.get("/bookings/" + id + "/form-files", site.admin).data()[0]["name"].text() ==
              "Ada's passport.pdf");
        const std::string token = made.data().text_or("booking_token");
        CHECK(site.base.get(own + "?booking_token=" + token).text == a_pdf);
        CHECK(site.base.get(own).status == 401);
        CHECK(site.base.get(staff).status == 401);
        CHECK(site.base.get(staff, site.base.user("svc_customer")).status == 403);
        // Staff without the right to sealed answers see that there is one.
        const Visitor& agent = site.base.user("sales_agent");
        CHECK(site.base.get(staff, agent).status == 403);
        CHECK(site.base.get("/bookings/" + id, agent).data()["travelers"][0]["fields"]["passport"].text() == "•••");
        CHECK(site.base.get("/travelers?format=csv", agent).text.find(one.code) == std::string::npos);
        const auto listed = site.base.get("/bookings/" + id + "/form-files", agent);
        CHECK(listed.data()[0]["name"].text() == "•••");
        CHECK(listed.text.find("passport.pdf") == std::string::npos);
        CHECK(site.base.get(staff, site.base.holding({"svc_view_sensitive_answers"})).status == 404);
        // Another booking's owner asks for it under their own booking.
        const Sent two = sent(site);
        const auto other = site.book(booked_with(two.code), two.session);
        const std::string others = std::to_string(other.data()["booking_id"].integer());
        CHECK(site.base
                  .get("/customers/my-bookings/" + others + "/form-files/" + one.code +
                       "?booking_token=" + other.data().text_or("booking_token"))
                  .status == 404);
        site.turn(false);
        CHECK(site.base.get(staff, site.admin).status == 404);
    });
}

TEST_CASE("a file's name may be long in any script: its ending is judged before it is cut") {
    each_field_site([](FieldSite& site) {
        site.ask(form_with("", passport));
        const std::string path = "/booking/session/form-files?session_id=" + site.session();
        std::string name;
        for (int i = 0; i < 80; ++i)
            name += "旅";
        const auto taken = site.send(path, "traveler_form.passport", name + ".pdf", a_pdf);
        CAPTURE(taken.text);
        REQUIRE(taken.status == 201);
        CHECK(taken.data()["name"].text() == name + ".pdf");
        CHECK(site.send(path, "traveler_form.passport", name + ".exe", a_pdf).status == 400);
    });
}

TEST_CASE("a file of another session, of another field or used already is no answer") {
    each_field_site([](FieldSite& site) {
        site.ask(form_with(R"({"id":"proof","type":"file"})", passport));
        const Sent one = sent(site);
        CHECK(site.book(booked_with(one.code)).field() == "travelers.0.passport");
        Value wrong = booked_with(one.code);
        wrong.set("contact_proof", one.code);
        CHECK(site.book(wrong, one.session).field() == "contact_proof");
        REQUIRE(site.book(booked_with(one.code), one.session).status == 201);
        CHECK(site.book(booked_with(one.code)).field() == "travelers.0.passport");
    });
}

TEST_CASE("what is stored of a file is sealed: neither its bytes nor its name are in the database") {
    each_field_site([](FieldSite& site) {
        site.ask(form_with("", passport));
        sent(site);
        site.base.assembly->store->read([&](store::Session& session) {
            session.each("SELECT content, name FROM svc_booking_form_files", "tt", {}, [&](const store::Row& row) {
                CHECK(row.text(0).find("PDF") == std::string::npos);
                CHECK(row.text(1).find("Ada") == std::string::npos);
            });
        });
    });
}

TEST_CASE("without a session, for a field that asks no file, or too large, nothing is stored") {
    each_field_site([](FieldSite& site) {
        site.ask(form_with("", passport));
        const std::string session = site.session(), path = "/booking/session/form-files?session_id=" + session;
        CHECK(site.send("/booking/session/form-files", "traveler_form.passport", "a.pdf", a_pdf).status == 404);
        CHECK(site.send(path, "traveler_form.first_name", "a.pdf", a_pdf).field() == "field");
        CHECK(site.send(path, "nothing", "a.pdf", a_pdf).field() == "field");
        REQUIRE(site.base.call("PUT", "/settings", R"({"form_file_megabytes":1})", site.admin).status == 200);
        CHECK(site.send(path, "traveler_form.passport", "a.pdf", a_pdf + std::string(1 << 20, ' ')).status == 413);
        CHECK(rows(site) == 0);
        site.turn(false);
        CHECK(site.send(path, "traveler_form.passport", "a.pdf", a_pdf).status == 404);
    });
}

TEST_CASE("anonymous senders are bounded by session and by network") {
    each_field_site([](FieldSite& site) {
        site.ask(form_with("", passport));
        const std::string path = "/booking/session/form-files?session_id=" + site.session();
        int status = 201, count = 0;
        for (; count < 45 && status == 201; ++count)
            status = site.send(path, "traveler_form.passport", "a.pdf", a_pdf).status;
        CHECK(status == 413);
        CHECK(rows(site) == 40);
        const Visitor near = Visitor{}.from("203.0.113.9");
        for (count = 0, status = 0; count < 70 && status != 429; ++count)
            status = site.send(path, "traveler_form.passport", "a.pdf", a_pdf, near).status;
        CHECK(status == 429);
    });
}

TEST_CASE(
    "files that no booking answers with are swept, those of a trip go when its days are over, and an erasure takes "
    "all") {
    each_field_site([](FieldSite& site) {
        site.ask(form_with("", passport));
        const Sent kept = sent(site);
        sent(site);
        const auto made = site.book(booked_with(kept.code), kept.session);
        REQUIRE(made.status == 201);
        site.base.assembly->jobs.prepare();
        const auto sweep = [&] { return site.base.assembly->jobs.run_now("housekeeping").value(); };
        CHECK(sweep()["unused_form_files"].integer() == 0);
        CHECK(rows(site) == 2);
        site.base.run("UPDATE svc_booking_form_files SET created_at = created_at - 90000000000");
        CHECK(sweep()["unused_form_files"].integer() == 1);
        CHECK(rows(site) == 1);
        const auto exported = site.base.assembly->privacy.exported("ada@example.org");
        REQUIRE(exported);
        CHECK((*exported)["form_files"][0]["file"].text() == kept.code);
        site.base.run("UPDATE svc_bookings SET travel_date = '2020-01-01', end_date = '2020-01-02'");
        REQUIRE(site.base.call("PUT", "/settings", R"({"form_file_days":0})", site.admin).status == 200);
        CHECK(sweep()["form_files"].integer() == 0);
        REQUIRE(site.base.call("PUT", "/settings", R"({"form_file_days":30})", site.admin).status == 200);
        SUBCASE("by retention") {
            CHECK(sweep()["form_files"].integer() == 1);
            CHECK(rows(site) == 0);
            // Its code is no answer any more.
            const Value after = site.detail(made);
            CHECK_FALSE(after["travelers"][0]["fields"].find("passport"));
            CHECK(after["travelers"][0]["fields"]["first_name"].text() == "Ada");
        }
        SUBCASE("by erasure") {
            REQUIRE(site.base.assembly->privacy.erase("ada@example.org"));
            CHECK(rows(site) == 0);
        }
        site.base.leaves_what_holds = false;
    });
}

TEST_CASE("staff send a file for a booking and answer with it; the one it replaces is deleted") {
    each_field_site([](FieldSite& site) {
        site.ask(form_with("", passport));
        const Sent one = sent(site);
        const Value booking = site.detail(site.book(booked_with(one.code), one.session));
        const std::string path = "/bookings/" + std::to_string(booking["id"].integer());
        const auto fresh = site.send(path + "/form-files", "traveler_form.passport", "new.png", red_dot, site.admin);
        CAPTURE(fresh.text);
        REQUIRE(fresh.status == 201);
        CHECK(rows(site) == 2);
        const auto edited = site.base.call(
            "PUT", path + "/travellers",
            Value::object({{"travelers", booked_with(fresh.data()["file"].text())["travelers"]}}).dump(), site.admin);
        CAPTURE(edited.text);
        REQUIRE(edited.status == 200);
        CHECK(rows(site) == 1);
        CHECK(site.base.get(path + "/form-files/" + one.code, site.admin).status == 404);
        CHECK(site.base.get(path + "/form-files/" + fresh.data()["file"].text(), site.admin).text == red_dot);
    });
}

TEST_CASE("the events of a booking have its answers, but for sealed ones, which they name") {
    Value heard;
    const BeforeStart listening([&](app::Assembly& base) {
        REQUIRE(base.hooks.on("svc_automation_event", {.name = "test"},
                              [&](const json::Array& arguments) { heard = arguments.at(2); }));
    });
    each_field_site([&](FieldSite& site) {
        site.ask(form_with(R"({"id":"hotel","type":"text"},{"id":"passport_number","type":"text"})"));
        const auto made = site.book(R"({"contact_hotel":"Ritz","contact_passport_number":"X77","travelers":[
            {"first_name":"Ada","last_name":"L"}]})");
        REQUIRE(made.status == 201);
        REQUIRE(site.base.assembly->hooks.drain());
        CAPTURE(heard.dump());
        CHECK(heard["booking"]["answers"]["contact"] == json::parse(R"({"hotel":"Ritz"})").value());
        CHECK(heard["booking"]["answers"]["travelers"][0]["first_name"].text() == "Ada");
        CHECK(heard["booking"]["answers"]["withheld"] == json::parse(R"(["contact.passport_number"])").value());
        CHECK(heard.dump().find("X77") == std::string::npos);
    });
}

TEST_CASE("the events of a booking name the fields of its files, and say no file") {
    Value heard;
    const BeforeStart listening([&](app::Assembly& base) {
        REQUIRE(base.hooks.on("svc_automation_event", {.name = "test"},
                              [&](const json::Array& arguments) { heard = arguments.at(2); }));
    });
    each_field_site([&](FieldSite& site) {
        site.ask(form_with(R"({"id":"photo","type":"file"})"));
        const std::string session = site.session();
        const auto kept =
            site.send("/booking/session/form-files?session_id=" + session, "contact_form.photo", "me.png", red_dot);
        CAPTURE(kept.text);
        REQUIRE(kept.status == 201);
        const std::string code = kept.data()["file"].text();
        const auto made = site.book(
            Value::object({{"contact_photo", code},
                           {"travelers", Value::array({Value::object({{"first_name", "Ada"}, {"last_name", "L"}})})}}),
            session);
        CHECK(site.detail(made)["contact_data"]["photo"].text() == code);
        REQUIRE(site.base.assembly->hooks.drain());
        CAPTURE(heard.dump());
        CHECK(heard["booking"]["answers"]["withheld"] == json::parse(R"(["contact.photo"])").value());
        CHECK(heard.dump().find(code) == std::string::npos);
    });
}
