// What customers add to a booking after it was made: by the interface and on the booking's page, without a script.
#include "tests/base/website/page_site.hpp"
#include "tests/pro/form_fields/form_site.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

const std::string a_pdf = "%PDF-1.4\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n";
const std::string asked = form_with(
    R"({"id":"hotel","type":"text","after_booking":true},{"id":"size","type":"text"},
        {"id":"dives","type":"checkbox","after_booking":true},
        {"id":"licence","type":"file","show_if":{"field":"dives","operator":"is_checked"}})",
    R"({"id":"passport","type":"file","required":true},{"id":"health_notes","type":"text","after_booking":true})");

struct LaterSite : FieldSite {
    explicit LaterSite(Database& database) : FieldSite(database), gate(app::make_gate(*base.assembly)) {
        base.assembly->pages.pages.ask([this](const api::InnerRequest& request) { return gate.ask(request); });
        ask(form_with("", ""));
        const auto made = book(R"({"travelers":[{"first_name":"Ada","last_name":"L"},
                                                {"first_name":"Tim","last_name":"L"}]})");
        REQUIRE(made.status == 201);
        id = made.data()["booking_id"].integer();
        reference = made.data()["reference"].text();
        token = made.data().text_or("booking_token");
        own = "/customers/my-bookings/" + std::to_string(id);
        ask(asked);
    }
    [[nodiscard]] std::string at(const std::string& below) const { return own + below + "?booking_token=" + token; }
    Answered read() { return base.get(at("/answers")); }
    Answered answer(const Value& answers) {
        return base.call("PUT", at("/answers"), Value::object({{"answers", answers}}).dump());
    }
    std::string uploaded(const std::string& field, const std::string& name) {
        const auto sent = send(at("/form-files"), field, name, a_pdf);
        CAPTURE(sent.text);
        REQUIRE(sent.status == 201);
        return sent.data()["file"].text();
    }
    Value booking() { return base.get("/bookings/" + std::to_string(id), admin).data(); }
    std::vector<std::string> open() {
        std::vector<std::string> names;
        const Answered found = read();  // outlives the loop
        for (const Value& each : found.data()["fields"].items())
            names.push_back(each["name"].text());
        return names;
    }
    Answered page(const std::string& method, const std::string& target, const std::string& body = {},
                  const std::string& type = {}) {
        Visitor visitor = Visitor{}.with("Cookie", "svc_booked=" + std::to_string(id) + "." + token);
        if (!type.empty())
            visitor = visitor.with("Content-Type", type).with("Origin", "https://example.org");
        const HttpRequest request{
            .method = method, .target = target, .headers = visitor.headers, .body = body, .peer = "192.0.2.7"};
        const HttpAnswer answer = base.assembly->pages.pages.answer(request);
        return {answer.status, answer.headers, answer.body ? *answer.body : std::string(), {}};
    }

    app::Gate gate;
    std::int64_t id = 0;
    std::string reference, token, own;
};

const auto each_later_site = each_on<LaterSite>;

}  // namespace

TEST_CASE("after booking a customer answers what the form leaves open, and what those answers ask") {
    each_later_site([](LaterSite& site) {
        CHECK(site.open() == std::vector<std::string>{"contact_hotel", "contact_dives", "travelers.1.passport",
                                                      "travelers.1.health_notes", "travelers.2.passport",
                                                      "travelers.2.health_notes"});
        const std::string first = site.uploaded("traveler_form.passport", "ada.pdf");
        const auto saved = site.answer(Value::object({{"contact_hotel", "Ritz"},
                                                      {"contact_dives", true},
                                                      {"travelers.1.passport", first},
                                                      {"travelers.2.health_notes", "nuts"}}));
        CAPTURE(saved.text);
        REQUIRE(saved.status == 200);
        CHECK(saved.data()["files"][0]["name"].text() == "ada.pdf");
        const Value booking = site.booking();
        CHECK(booking["contact_data"]["hotel"].text() == "Ritz");
        CHECK(booking["travelers"][0]["fields"]["passport"].text() == first);
        CHECK(booking["travelers"][0]["fields"]["first_name"].text() == "Ada");
        CHECK(booking["travelers"][1]["fields"]["health_notes"].text() == "nuts");
        const auto now = site.open();
        CHECK(std::find(now.begin(), now.end(), "contact_licence") != now.end());
        // A file is replaced, and the former one is gone.
        const std::string second = site.uploaded("traveler_form.passport", "new.pdf");
        REQUIRE(site.answer(Value::object({{"travelers.1.passport", second}})).status == 200);
        CHECK(site.base.get(site.at("/form-files/" + first)).status == 404);
        const auto fetched = site.base.get(site.at("/form-files/" + second));
        CHECK(fetched.text == a_pdf);
        CHECK(fetched.header("Cache-Control") == "private, no-store");
        CHECK(site.base.number("SELECT COUNT(*) FROM svc_booking_form_files") == 1);
        // Staff see that the customer did it, and no value of what is sealed.
        const auto history = site.base.get("/bookings/" + std::to_string(site.id) + "/history", site.admin);
        std::size_t versions = 0;
        for (const Value& each : history.data().items())
            if (each.text_or("actor") == "customer")
                for (const Value& change : each["changes"].is_array() ? each["changes"].items() : json::Array{})
                    if (change.text_or("field") == "passport") {
                        ++versions;
                        CHECK(change["withheld"].boolean());
                    }
        CHECK(versions == 2);
        CHECK(history.text.find("nuts") == std::string::npos);
        CHECK(history.text.find(first) == std::string::npos);
    });
}

TEST_CASE(
    "what a form does not leave open, a required answer emptied, and files of others are refused at their field") {
    each_later_site([](LaterSite& site) {
        CHECK(site.answer(Value::object({{"contact_size", "41"}})).field() == "contact_size");
        CHECK(site.answer(Value::object({{"contact_first_name", "Eve"}})).field() == "contact_first_name");
        CHECK(site.answer(Value::object({{"travelers.3.passport", "x"}})).field() == "travelers.3.passport");
        CHECK(site.answer(Value::object({{"travelers.1.passport", ""}})).field() == "travelers.1.passport");
        CHECK(site.answer(Value::object({{"travelers.1.passport", "file-000000000000.pdf"}})).field() ==
              "travelers.1.passport");
        CHECK(site.send(site.at("/form-files"), "contact_form.size", "a.pdf", a_pdf).field() == "field");
        CHECK(site.send(site.at("/form-files"), "traveler_form.passport", "a.exe.pdf", a_pdf).field() == "file");
        CHECK(site.send(site.own + "/form-files", "traveler_form.passport", "a.pdf", a_pdf).status == 401);
        CHECK(
            site.send(site.own + "/form-files?booking_token=guess", "traveler_form.passport", "a.pdf", a_pdf).status ==
            403);
        CHECK(site.base
                  .call("PUT", site.own + "/answers", R"({"answers":{"contact_hotel":"x"}})",
                        site.base.user("svc_customer"))
                  .status == 404);
        CHECK(site.base.number("SELECT COUNT(*) FROM svc_booking_form_files") == 0);
        // Unless it says so, a file may not be sent later either.
        site.ask(form_with("", R"({"id":"passport","type":"file","after_booking":false})"));
        CHECK(site.open().empty());
        CHECK(site.send(site.at("/form-files"), "traveler_form.passport", "a.pdf", a_pdf).field() == "field");
    });
}

TEST_CASE("it ends with the departure, or as many hours before it as the setting says, and with the booking") {
    each_later_site([](LaterSite& site) {
        const Value answers = Value::object({{"contact_hotel", "Ritz"}});
        REQUIRE(site.base.call("PUT", "/settings", R"({"form_answers_until_hours":700})", site.admin).status == 200);
        CHECK(site.answer(answers).status == 200);
        REQUIRE(site.base.call("PUT", "/settings", R"({"form_answers_until_hours":8000})", site.admin).status == 200);
        CHECK(site.open().empty());
        CHECK(site.read().data()["until"].is_null());
        CHECK(site.answer(answers).status == 409);
        CHECK(site.send(site.at("/form-files"), "traveler_form.passport", "a.pdf", a_pdf).status == 409);
        REQUIRE(site.base.call("PUT", "/settings", R"({"form_answers_until_hours":0})", site.admin).status == 200);
        CHECK(site.answer(answers).status == 200);
        site.base.run("UPDATE svc_bookings SET travel_date = '2020-01-01', end_date = '2020-01-02'");
        CHECK(site.answer(answers).status == 409);
        site.base.leaves_what_holds = false;
    });
}

TEST_CASE("the booking's page shows the files and takes more of them, without a script") {
    each_later_site([](LaterSite& site) {
        const std::string root = "/book/confirmation/" + site.reference;
        const auto before = site.page("GET", root);
        REQUIRE(before.status == 200);
        CHECK(has(before.text, "name=\"contact_hotel\""));
        CHECK(has(before.text, "enctype=\"multipart/form-data\""));
        const auto send = [&](const std::string& name, const std::string& hotel) {
            Form form;
            form.field("action", "answers").field("contact_hotel", hotel);
            form.text += "--edge\r\nContent-Disposition: form-data; name=\"travelers.1.passport\"; filename=\"" + name +
                         "\"\r\n\r\n" + a_pdf + "\r\n";
            return site.page("POST", root, form.whole(), "multipart/form-data; boundary=edge");
        };
        const auto refused = send("ada.exe.pdf", "Ritz");
        CHECK(refused.status == 400);
        CHECK(has(refused.text, "id=\"e-travelers.1.passport\""));
        CHECK(has(refused.text, "value=\"Ritz\""));
        const auto taken = send("ada.pdf", "Ritz");
        CAPTURE(taken.text);
        CHECK(taken.status == 303);
        CHECK(taken.header("Location").find("?answers=saved") != std::string::npos);
        const auto after = site.page("GET", root + "?answers=saved");
        CHECK(has(after.text, "Your answers are saved."));
        const std::string code = site.booking()["travelers"][0]["fields"]["passport"].text();
        CHECK(has(after.text, root + "/documents/" + code));
        CHECK(has(after.text, "ada.pdf"));
        const auto file = site.page("GET", root + "/documents/" + code);
        CHECK(file.status == 200);
        CHECK(file.text == a_pdf);
        CHECK(file.header("Content-Disposition").starts_with("attachment"));
        CHECK(file.header("Cache-Control") == "private, no-store");
        CHECK(file.header("X-Content-Type-Options") == "nosniff");
        CHECK(site.page("GET", root + "/documents/file-000000000000.pdf").status == 404);
        // Who has no proof of the booking is asked for it, and gets no file.
        site.token = "guess";
        CHECK(site.page("GET", root + "/documents/" + code).status == 403);
    });
}

TEST_CASE("the account that booked has the same on its page") {
    each_later_site([](LaterSite& site) {
        const auto account = std::to_string(site.base.user("svc_customer").user_id);
        site.base.run(
            ("UPDATE svc_users SET email = 'ada@example.org', email_verified_at = 1 WHERE id = " + account).c_str());
        site.base.run(("UPDATE svc_bookings SET user_id = " + account).c_str());
        const Visitor customer = site.base.cookie("svc_customer", true);
        const std::string target = "/account/bookings/" + std::to_string(site.id);  // the request refers to it
        const HttpRequest request{
            .method = "GET", .target = target, .headers = customer.headers, .body = "", .peer = "192.0.2.7"};
        const HttpAnswer answer = site.base.assembly->pages.pages.answer(request);
        CHECK(answer.status == 200);
        CHECK(has(*answer.body, "name=\"travelers.1.passport\""));
    });
}

TEST_CASE("an edit by staff empties no answer that a later version of the form hides, but what the edit itself hides") {
    each_field_site([](FieldSite& site) {
        const std::string level = R"({"id":"dives","type":"checkbox"},{"id":"level","type":"text")",
                          follows = R"(,"show_if":{"field":"dives","operator":"is_checked"}})";
        site.ask(form_with(level + "}", level + "}"));
        const auto made = site.book(R"({"contact_level":"A","travelers":[{"first_name":"Ada","level":"B"}]})");
        const std::string path = "/bookings/" + std::to_string(site.detail(made)["id"].integer());
        site.ask(form_with(level + follows, level + follows));
        const auto edit = [&](const char* body) {
            const auto edited = site.base.call("PUT", path, body, site.admin);
            CAPTURE(edited.text);
            REQUIRE(edited.status == 200);
            return edited.data();
        };
        Value now = edit(R"({"contact_data":{"dives":"false"},"contact_phone":"+44 20 7946 0001"})");
        CHECK(now["contact_data"]["level"].text() == "A");
        CHECK(now["travelers"][0]["fields"]["level"].text() == "B");
        now = edit(R"({"travelers":[{"first_name":"Augusta","fields":{"level":"B"}}]})");
        CHECK(now["travelers"][0]["fields"]["first_name"].text() == "Augusta");
        CHECK(now["travelers"][0]["fields"]["level"].text() == "B");
        // Shown by an edit and hidden by the next, it is emptied: that edit took it away.
        edit(R"({"contact_data":{"dives":"true"}})");
        now = edit(R"({"contact_data":{"dives":"false"}})");
        CHECK(now["contact_data"].text_or("level").empty());
    });
}
