// Additional services that a booking gets after it was made: sums that agree, nothing twice, limits and deadlines.
#include <algorithm>

#include <doctest/doctest.h>

#include "tests/support/open_mails.hpp"
#include "tests/support/test_base.hpp"

extern "C" const svc_plugin* svc_plugin_entry(void);

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

struct Later : TestBase {
    explicit Later(Database& database, const char* settings = R"({"enable_tax":true,"tax_rate":10})")
        : TestBase(database, &svc_plugin_entry) {
        given_license("agency");
        REQUIRE(post("/modules/additional_services/toggle", Value::object({{"enabled", true}}), admin()).status == 200);
        REQUIRE(call("PUT", "/settings", settings, admin()).status == 200);
        trip = given_trip();
        REQUIRE(call("PUT", "/trips/" + std::to_string(trip),
                     R"({"regular_price":300,"discounted_price":null,"sale_price":null,"duration":5})", admin())
                    .status == 200);
        given_departure(trip);
    }
    const Visitor& admin() { return user("administrator"); }
    std::int64_t given(const std::string& members) {
        const auto made = call("POST", "/additional-services", R"({"status":"publish",)" + members + "}", admin());
        CAPTURE(made.text);
        REQUIRE(made.status == 201);
        return made.data()["id"].integer();
    }
    void make(const Value& fields = Value::object()) {
        const auto made = book(trip, 30, fields);
        CAPTURE(made.text);
        REQUIRE(made.status == 201);
        booking = made.data()["id"].integer();
        guest = Visitor{}.with("X-Svc-Booking-Token", made.data().text_or("booking_token"));
    }
    std::string own() const { return "/customers/my-bookings/" + std::to_string(booking) + "/services"; }
    std::string desk() const { return "/bookings/" + std::to_string(booking) + "/services"; }
    static Value order(std::int64_t service, std::int64_t units = 1) {
        return Value::object({{"selected_services", Value::object({{std::to_string(service), units}})}});
    }
    Value detail() { return get("/bookings/" + std::to_string(booking), admin()).data(); }
    Answered pay(const char* amount) {
        return call("POST", "/bookings/" + std::to_string(booking) + "/payments",
                    std::string(R"({"amount":)") + amount + R"(,"gateway":"cash","status":"completed"})", admin());
    }
    // The lines of a booking add up to its total; included tax is shown and not added.
    static std::string sum_of_lines(const Value& of) {
        std::int64_t sum = 0;
        for (const Value& line : of["lines"].items())
            if (line["kind"].text() != "tax" || !of["tax_inclusive"].boolean())
                sum += Money::parse(line["amount"].number_text(), Currency::usd()).value().minor();
        return Money(sum, Currency::usd()).decimal();
    }

    // Subjects and HTML of the e-mails about services that were added, oldest first; those that are switched off too.
    std::vector<std::string> mailed() {
        for (int deep = 0; deep < 3; ++deep)
            REQUIRE(assembly->hooks.drain());
        open_mails(*assembly->store, *assembly->keyring);
        std::vector<std::string> texts;
        assembly->store->read([&](store::Session& session) {
            texts.clear();
            session.each(
                "SELECT status, to_email, subject, COALESCE(body_html, '') FROM svc_email_outbox WHERE template_key ="
                " 'booking_services_added' ORDER BY id",
                "tttt", {}, [&](const store::Row& row) {
                    texts.push_back(row.text(0) + " " + row.text(1) + " " + row.text(2) + " " + row.text(3));
                });
        });
        return texts;
    }

    std::int64_t trip = 0, booking = 0;
    Visitor guest;
};

bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

void each(const std::function<void(Later&)>& body, const char* settings = R"({"enable_tax":true,"tax_rate":10})") {
    each_database([&](Database& database) {
        CAPTURE(database.name());
        Later base(database, settings);
        body(base);
    });
}

}  // namespace

TEST_CASE("a service is added to a booking that is paid: total, tax, lines and what is left agree") {
    each([](Later& base) {
        const auto lunch = base.given(R"("name":"Lunch","price":20,"price_per":"booking")");
        const auto visa = base.given(R"("name":"Visa","price":7,"price_per":"booking","is_taxable":false)");
        base.make();
        REQUIRE(base.detail()["total"].number_text() == "330.00");
        REQUIRE(base.pay("330").status == 201);
        REQUIRE(base.detail()["payment_status"].text() == "paid");

        const auto offered = base.get(base.own(), base.guest);
        CAPTURE(offered.text);
        REQUIRE(offered.status == 200);
        CHECK(offered.data()["can_add"].boolean());
        CHECK(offered.data()["services"].size() == 2);
        const auto version = offered.data()["row_version"].integer();

        Value wanted = Value::object(
            {{"selected_services", Value::object({{std::to_string(lunch), 2}, {std::to_string(visa), 1}})},
             {"preview", true}});
        const Value before = base.detail();
        const auto rows = base.row_counts();
        const auto shown = base.post(base.own(), wanted, base.guest);
        CAPTURE(shown.text);
        REQUIRE(shown.status == 200);
        CHECK(shown.data()["services_total"].number_text() == "47.00");
        CHECK(shown.data()["tax_amount"].number_text() == "4.00");
        CHECK(shown.data()["amount"].number_text() == "51.00");
        CHECK(shown.data()["total"].number_text() == "381.00");
        CHECK(shown.data()["balance"].number_text() == "51.00");
        CHECK(base.detail() == before);
        CHECK(base.row_counts() == rows);

        wanted.erase("preview");
        wanted.set("expected_amount", json::Number{"50.00"});
        const auto other = base.post(base.own(), wanted, base.guest);
        CHECK(other.status == 409);
        CHECK(other.code() == "price_changed");
        CHECK(base.detail() == before);
        wanted.set("expected_amount", shown.data()["amount"]);
        wanted.set("row_version", version);
        // Pressed twice it is one order, with the same key and without.
        const auto key = base.guest.with("Idempotency-Key", "press-of-one-button-1");
        const auto added = base.post(base.own(), wanted, key);
        CAPTURE(added.text);
        REQUIRE(added.status == 200);
        CHECK(added.data()["amount_due"].number_text() == "51.00");
        CHECK(added.data()["payment_status"].text() == "partial");
        CHECK(base.post(base.own(), wanted, key).data() == added.data());
        CHECK(base.post(base.own(), wanted, base.guest).status == 409);

        const Value after = base.detail();
        CAPTURE(after.dump());
        CHECK(after["total"].number_text() == "381.00");
        CHECK(after["tax_amount"].number_text() == "34.00");
        CHECK(after["services_total"].number_text() == "47.00");
        CHECK(after["amount_due"].number_text() == "51.00");
        CHECK(after["payment_status"].text() == "partial");
        CHECK(after["status"] == before["status"]);
        CHECK(after["additional_services"].size() == 2);
        CHECK(after["tax_breakdown"][std::size_t{0}]["amount"].number_text() == "34.00");
        CHECK(Later::sum_of_lines(after) == "381.00");
        CHECK(after["payment_terms"]["rest"].number_text() == "51.00");
        CHECK(after["payment_terms"]["rest_on"].is_string());
        CHECK(base.number("SELECT COUNT(*) FROM svc_booking_services") == 2);
        // Priced anew by staff it costs the same.
        const auto again =
            base.call("PUT", "/bookings/" + std::to_string(base.booking), R"({"recalculate":true})", base.admin());
        CAPTURE(again.text);
        CHECK(again.data()["total"].number_text() == "381.00");
        CHECK(again.data()["tax_amount"].number_text() == "34.00");
        REQUIRE(base.pay("51").status == 201);
        CHECK(base.detail()["payment_status"].text() == "paid");
    });
}

TEST_CASE("prices that hold the tax, more of the same service, and a booking that is not paid yet") {
    each(
        [](Later& base) {
            const auto lunch = base.given(R"("name":"Lunch","price":22,"price_per":"booking","max_quantity":3)");
            base.make(Value::object({{"selected_services", Value::object({{std::to_string(lunch), 1}})}}));
            REQUIRE(base.detail()["total"].number_text() == "322.00");
            const auto pay_by = base.detail()["payment_terms"]["due_by"];
            const auto added = base.post(base.own(), Later::order(lunch, 2), base.guest);
            CAPTURE(added.text);
            REQUIRE(added.status == 200);
            CHECK(added.data()["amount"].number_text() == "44.00");
            const Value after = base.detail();
            CHECK(after["total"].number_text() == "366.00");
            CHECK(after["amount_due"].number_text() == "366.00");
            CHECK(after["tax_amount"].number_text() == "33.27");  // of 366.00, as sold at once
            CHECK(Later::sum_of_lines(after) == "366.00");
            CHECK(after["payment_terms"]["due_by"] == pay_by);  // its seats are held no longer than before
            REQUIRE(after["additional_services"].size() == 1);
            CHECK(after["additional_services"][std::size_t{0}]["quantity"].integer() == 3);
            CHECK(after["additional_services"][std::size_t{0}]["calculated_price"].number_text() == "66.00");
            // The booking's own limit counts what it had.
            const auto more = base.post(base.own(), Later::order(lunch), base.guest);
            CHECK(more.status == 400);
            CHECK(more.field() == "selected_services." + std::to_string(lunch));
            CHECK(base.call("PUT", "/bookings/" + std::to_string(base.booking), R"({"recalculate":true})", base.admin())
                      .data()["total"]
                      .number_text() == "366.00");
        },
        R"({"enable_tax":true,"tax_rate":10,"tax_inclusive":true})");
}

TEST_CASE("what cannot be added is refused, and nothing is written") {
    each([](Later& base) {
        const auto cake = base.given(R"("name":"Cake","price":30,"price_per":"booking","deadline_hours":960)");
        const auto bike = base.given(R"("name":"Bike","price":20,"price_per":"booking","stock_per_departure":1)");
        const auto kit = base.given(R"("name":"Kit","price":5,"price_per":"booking","is_required":true)");
        const auto elsewhere =
            base.given(R"("name":"Elsewhere","price":5,"applicable_to":"specific_trips","trip_ids":[)" +
                       std::to_string(base.given_trip("Red Sea")) + "]");
        base.make();
        const Value before = base.detail();
        const auto field = [](std::int64_t id) { return "selected_services." + std::to_string(id); };
        const auto refused = [&](const Value& body, int status, const std::string& at) {
            const auto answer = base.post(base.own(), body, base.guest);
            CAPTURE(answer.text);
            CHECK(answer.status == status);
            CHECK(answer.field() == at);
        };
        refused(Value::object(), 400, "selected_services");
        refused(Later::order(cake), 400, field(cake));
        refused(Later::order(bike, 2), 400, field(bike));
        refused(Later::order(kit), 400, "additional_services");
        refused(Later::order(elsewhere), 400, "additional_services");
        refused(Later::order(999999), 400, "additional_services");
        refused(Value::object({{"selected_services", Value::object({{"none", 1}})}}), 400, "selected_services.none");
        CHECK(base.detail() == before);
        // Strangers cannot add, and staff pass the deadline.
        CHECK(base.post(base.own(), Later::order(bike), Visitor{}).status == 401);
        CHECK(base.post(base.desk(), Later::order(bike), base.guest).status == 401);
        const auto offered = base.get(base.desk(), base.admin()).data();
        CHECK(offered["services"].size() == 2);
        REQUIRE(base.post(base.desk(), Later::order(cake), base.admin()).status == 200);
        REQUIRE(base.post(base.own(), Later::order(bike), base.guest).status == 200);
        CHECK(base.detail()["total"].number_text() == "390.50");
        refused(Later::order(bike), 400, field(bike));
        // A booking that has ended takes no more; a module that is off has no routes, and the booking stays as it is.
        REQUIRE(base.call("PUT", "/bookings/" + std::to_string(base.booking) + "/status", R"({"status":"cancelled"})",
                          base.admin())
                    .status == 200);
        CHECK(base.post(base.desk(), Later::order(bike), base.admin()).status == 409);
        CHECK_FALSE(base.get(base.desk(), base.admin()).data()["can_add"].boolean());
        REQUIRE(base.post("/modules/additional_services/toggle", Value::object({{"enabled", false}}), base.admin())
                    .status == 200);
        CHECK(base.get(base.desk(), base.admin()).code() == "svc_no_route");
        CHECK(base.detail()["total"].number_text() == "390.50");
    });
}

TEST_CASE("services after the booking are mailed to its contact once for each change") {
    each([](Later& base) {
        const auto lunch = base.given(R"("name":"Lunch <& more>","price":20,"price_per":"booking")");
        base.make();
        CHECK(base.mailed().empty());
        Value preview = Later::order(lunch, 2);
        preview.set("preview", true);
        REQUIRE(base.post(base.own(), preview, base.guest).status == 200);
        REQUIRE(base.post(base.own(), Later::order(999999), base.guest).status == 400);
        CHECK(base.mailed().empty());

        const auto key = base.guest.with("Idempotency-Key", "press-of-one-button-2");
        REQUIRE(base.post(base.own(), Later::order(lunch, 2), key).status == 200);
        REQUIRE(base.post(base.own(), Later::order(lunch, 2), key).status == 200);
        auto sent = base.mailed();
        REQUIRE(sent.size() == 1);
        CAPTURE(sent[0]);
        CHECK(sent[0].starts_with("queued "));
        CHECK(has(sent[0], base.detail().text_or("reference")));
        CHECK(has(sent[0], "Lunch &lt;&amp; more&gt; × 2"));
        for (const char* amount : {"USD 40.00", "USD 4.00", "USD 44.00", "USD 374.00"})  // prices, tax, both, total
            CHECK(has(sent[0], amount));
        CHECK(has(sent[0], "/book/confirmation/"));

        // By staff too; in the customer's language; and not where the e-mail is switched off.
        REQUIRE(base.call("PUT", "/settings", R"({"site_language":"de"})", base.admin()).status == 200);
        base.run("UPDATE svc_bookings SET locale = 'de'");
        REQUIRE(base.post(base.desk(), Later::order(lunch), base.admin()).status == 200);
        sent = base.mailed();
        REQUIRE(sent.size() == 2);
        CAPTURE(sent[1]);
        CHECK(has(sent[1], "Ihre Buchung enthält weitere Leistungen"));
        REQUIRE(
            base.call("PUT", "/settings", R"({"email_template_booking_services_added":false})", base.admin()).status ==
            200);
        REQUIRE(base.post(base.desk(), Later::order(lunch), base.admin()).status == 200);
        sent = base.mailed();
        CHECK(std::count_if(sent.begin(), sent.end(), [](const auto& each) { return each.starts_with("queued "); }) ==
              2);
    });
}

TEST_CASE("services are not added to a booking that changed since it was shown") {
    each([](Later& base) {
        const auto lunch = base.given(R"("name":"Lunch","price":20,"price_per":"booking")");
        base.make();
        const auto shown = base.get(base.own(), base.guest).data()["row_version"].integer();
        REQUIRE(base.call("PUT", "/bookings/" + std::to_string(base.booking), R"({"internal_notes":"A window seat"})",
                          base.admin())
                    .status == 200);
        const Value before = base.detail();
        REQUIRE(before["row_version"].integer() > shown);
        const auto rows = base.row_counts();
        for (const std::string& path : {base.own(), base.desk()}) {
            const Visitor& who = path == base.desk() ? base.admin() : base.guest;
            Value order = Later::order(lunch);
            order.set("row_version", shown);
            for (const bool is_preview : {true, false}) {
                order.set("preview", is_preview);
                const auto refused = base.post(path, order, who);
                CAPTURE(refused.text);
                CHECK(refused.status == 409);
                CHECK(refused.code() == "svc_conflict");
            }
        }
        CHECK(base.detail() == before);
        CHECK(base.row_counts() == rows);
        CHECK(base.mailed().empty());
        Value order = Later::order(lunch);
        order.set("row_version", before["row_version"]);
        CHECK(base.post(base.desk(), order, base.admin()).status == 200);
    });
}
