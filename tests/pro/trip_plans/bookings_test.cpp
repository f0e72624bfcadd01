// The payment plan of a trip by the interface: written, checked and previewed by staff, and what its bookings pay.
#include <doctest/doctest.h>

#include "tests/support/each_on.hpp"
#include "tests/support/test_base.hpp"

extern "C" const svc_plugin* svc_plugin_entry(void);

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

Value read(const std::string& text) { return json::parse(text).value(); }

// A trip of 100.00 per traveler, on a site that asks for 20 % first and the rest 14 days before the tour.
struct Planning : TestBase {
    explicit Planning(Database& database) : TestBase(database, &svc_plugin_entry) {
        given_license("agency");
        for (const char* module : {"flexible_payments", "scheduled_payments"})
            turn(module, true);
        settings(R"({"enable_deposit": true, "deposit_percentage": 20, "enable_scheduled_payments": true,
                     "balance_anchor": "tour", "balance_due_days": 14, "timezone": "UTC", "auto_confirm_mode": "none"})");
        REQUIRE(post("/payment/gateways/pay_later/config", read(R"({"enabled": true, "payment_deadline_days": 7})"),
                     user("administrator"))
                    .status == 200);
        trip = given_trip("Nile cruise");
        given_departure(trip, 60, 8);
        given_departure(trip, 20, 8);
        path = "/trips/" + std::to_string(trip) + "/payment-plan";
    }
    void turn(const std::string& module, bool on) {
        REQUIRE(
            post("/modules/" + module + "/toggle", Value::object({{"enabled", on}}), user("administrator")).status ==
            200);
    }
    void settings(const std::string& values) {
        const auto put = call("PUT", "/settings", values, user("administrator"));
        CAPTURE(put.text);
        REQUIRE(put.status == 200);
    }
    Answered put_plan(const std::string& plan, const std::string& role = "administrator") {
        return call("PUT", path, plan, user(role));
    }
    void given_plan(const std::string& kind, const std::string& parts) {
        const auto put = put_plan(R"({"kind": ")" + kind + R"(", "parts": )" + parts + "}");
        CAPTURE(put.text);
        REQUIRE(put.status == 200);
    }
    Answered session(int days_ahead, const std::string& method = "") {
        Value choice = Value::object({{"trip_id", trip},
                                      {"travel_date", day(days_ahead)},
                                      {"travelers_count", 1},
                                      {"payment_gateway", "pay_later"},
                                      {"form_data", Value::object({{"contact_first_name", "Ada"}})}});
        if (!method.empty())
            choice.set("payment_method", method);
        return post("/booking/session", choice);
    }
    // "deposit 10.00 by 2026-12-01, full 100.00": what a visitor can choose.
    std::string offered(int days_ahead) {
        const auto opened = session(days_ahead);
        CAPTURE(opened.text);
        REQUIRE(opened.status == 201);
        std::string all;
        for (const Value& method : opened.data()["quote"]["payment_methods"].items())
            all += (all.empty() ? "" : ", ") + method.text_or("id") + " " + method["amount"].number_text() +
                   (method.text_or("id") == "full" ? "" : " by " + method.text_or("balance_on"));
        return all;
    }
    std::int64_t booked(int days_ahead, const std::string& method = "") {
        const auto opened = session(days_ahead, method);
        REQUIRE(opened.status == 201);
        Value body = Value::object({{"session_id", opened.data()["session_id"]}, {"payment_gateway", "pay_later"}});
        if (!method.empty())
            body.set("payment_method", method);
        const auto made = post("/booking/create", filled_in(std::move(body)), user("svc_customer"));
        CAPTURE(made.text);
        REQUIRE(made.status == 201);
        token = made.data().text_or("booking_token");
        return made.data()["booking_id"].integer();
    }
    // "10.00 now, 1/2 2026-12-01 20.00, 2/2 2026-12-31 70.00; binds"
    std::string terms_of(std::int64_t booking_id) {
        const auto detail = get("/bookings/" + std::to_string(booking_id), user("administrator"));
        const Value& terms = detail.data()["payment_terms"];
        std::string all = terms["due_now"].number_text() + " now";
        for (const Value& part : terms["plan"].items())
            all += ", " + part["number"].number_text() + "/" + part["count"].number_text() + " " + part["date"].text() +
                   " " + part["amount"].number_text();
        if (terms["plan"].size() == 0 && terms["rest"].number_text() != "0.00")
            all += ", rest " + terms["rest"].number_text() + " by " + terms.text_or("rest_on");
        return all + (terms["plan_binds"].boolean() ? "; binds" : "");
    }
    void pay(std::int64_t booking_id, const char* amount) {
        const auto paid =
            post("/payments",
                 Value::object(
                     {{"booking_id", booking_id}, {"amount", amount}, {"gateway", "cash"}, {"status", "completed"}}),
                 user("administrator"));
        CAPTURE(paid.text);
        REQUIRE(paid.status == 201);
    }
    // What the page for paying the balance would charge.
    std::string balance_of(std::int64_t booking_id) {
        const auto opened =
            post("/payment/remaining/session", Value::object({{"booking_id", booking_id}}), user("svc_customer"));
        CAPTURE(opened.text);
        return opened.data()["remaining_amount"].is_number() ? opened.data()["remaining_amount"].number_text()
                                                             : opened.code();
    }

    // What the booking's page would charge, or only its next installment.
    std::string charge_of(std::int64_t booking_id, bool next_installment) {
        const auto made =
            post("/payment/create-intent",
                 Value::object(
                     {{"booking_id", booking_id}, {"gateway", "pay_later"}, {"next_installment", next_installment}}),
                 user("svc_customer"));
        CAPTURE(made.text);
        return made.data()["amount"].is_number() ? made.data()["amount"].number_text() : made.code();
    }

    std::int64_t trip = 0;
    std::string path, token;
};

const auto each_base = each_on<Planning>;

// 10 % now, 20 % after 5 days, the rest 30 days before the tour.
const std::string three_parts = R"([{"percentage": 10, "due": "booking"},
    {"percentage": 20, "due": "after_booking", "days": 5}, {"due": "before_departure", "days": 30}])";

}  // namespace

TEST_CASE("a trip has no plan until staff set one, and none again once it is removed") {
    each_base([](Planning& base) {
        const auto none = base.get(base.path, base.user("administrator"));
        REQUIRE(none.status == 200);
        CHECK(none.data()["kind"].is_null());
        CHECK(none.data()["parts"].size() == 0);
        CHECK_FALSE(none.data()["is_used"].boolean());
        CHECK(none.data().text_or("currency") == "USD");
        base.given_plan("fixed", three_parts);
        const auto stored = base.get(base.path, base.user("administrator"));
        CHECK(stored.data().text_or("kind") == "fixed");
        CHECK(stored.data()["is_used"].boolean());
        REQUIRE(stored.data()["parts"].size() == 3);
        const Value& last = stored.data()["parts"][std::size_t{2}];
        CHECK(last["percentage"].number_text() == "70");  // what the others leave
        CHECK(last["days"].integer() == 30);
        CHECK(last["amount"].is_null());
        // As it reads it is written again.
        Value again = Value::object({{"kind", "flexible"}, {"parts", stored.data()["parts"]}});
        CHECK(base.put_plan(again.dump()).status == 200);
        CHECK(base.get(base.path, base.user("administrator")).data()["parts"] == stored.data()["parts"]);
        CHECK(base.call("DELETE", base.path, {}, base.user("administrator")).status == 200);
        CHECK(base.get(base.path, base.user("administrator")).data() == none.data());
        CHECK(base.call("DELETE", base.path, {}, base.user("administrator")).status == 200);
    });
}

TEST_CASE("a plan is refused with the field's name, and one that is refused changes nothing") {
    each_base([](Planning& base) {
        base.given_plan("fixed", three_parts);
        const auto before = base.get(base.path, base.user("administrator"));
        const auto field_of = [&](const std::string& parts) {
            const auto refused = base.put_plan(R"({"kind": "fixed", "parts": )" + parts + "}");
            CAPTURE(parts);
            CHECK(refused.status == 400);
            return refused.field();
        };
        CHECK(field_of("[]") == "parts");
        CHECK(field_of(R"([{"percentage": 100.5, "due": "booking"}])") == "parts.0.percentage");
        CHECK(field_of(R"([{"percentage": 10, "due": "later"}])") == "parts.0.due");
        CHECK(field_of(R"([{"percentage": 10}])") == "parts.0.due");
        CHECK(field_of(R"([{"amount": -5, "due": "booking"}, {"due": "after_booking", "days": 3}])") ==
              "parts.0.amount");
        CHECK(field_of(R"([{"percentage": 10, "due": "booking"}, {"due": "after_booking"}])") == "parts.1.days");
        CHECK(field_of(R"([{"percentage": 10, "due": "booking"}, {"due": "after_booking", "days": 2000}])") ==
              "parts.1.days");
        CHECK(field_of(R"([{"percentage": 60, "due": "booking"}, {"percentage": 60, "due": "after_booking", "days": 3},
                           {"due": "after_booking", "days": 9}])") == "parts.1.percentage");
        std::string eleven = R"([{"percentage": 5, "due": "booking"})";
        for (int days = 1; days <= 10; ++days)
            eleven += R"(, {"percentage": 5, "due": "after_booking", "days": )" + std::to_string(days) + "}";
        CHECK(field_of(eleven + "]") == "parts");
        CHECK(base.put_plan(R"({"kind": "loose", "parts": [{"due": "booking"}]})").field() == "kind");
        CHECK(base.get(base.path, base.user("administrator")).body == before.body);
        CHECK(base.call("PUT", "/trips/999999/payment-plan", R"({"kind": "fixed", "parts": [{"due": "booking"}]})",
                        base.user("administrator"))
                  .code() == "trip_not_found");
        CHECK(base.get("/trips/999999/payment-plan", base.user("administrator")).code() == "trip_not_found");
    });
}

TEST_CASE("staff alone read and set plans, and only while the module is on") {
    each_base([](Planning& base) {
        CHECK(base.get(base.path).status == 401);
        CHECK(base.get(base.path, base.user("svc_customer")).status == 403);
        CHECK(base.get(base.path, base.user("guide")).status == 200);
        CHECK(base.put_plan(R"({"kind": "fixed", "parts": [{"due": "booking"}]})", "guide").status == 403);
        base.given_plan("fixed", three_parts);
        base.turn("scheduled_payments", false);
        CHECK(base.get(base.path, base.user("administrator")).code() == "svc_no_route");
        CHECK(base.offered(60) == "full 100.00, deposit 20.00 by " + base.day(60));
        base.turn("scheduled_payments", true);  // what was set is there again
        CHECK(base.get(base.path, base.user("administrator")).data()["parts"].size() == 3);
        CHECK(base.number("SELECT COUNT(*) FROM svc_trip_payment_plan_parts") == 3);
        const std::string gone = "/trips/" + std::to_string(base.trip);
        CHECK(base.call("DELETE", gone, {}, base.user("administrator")).status == 200);
        CHECK(base.get(base.path, base.user("administrator")).code() == "trip_not_found");
        CHECK(base.call("DELETE", gone + "/permanent-delete", {}, base.user("administrator")).status == 200);
        CHECK(base.number("SELECT COUNT(*) FROM svc_trip_payment_plans") == 0);
        CHECK(base.number("SELECT COUNT(*) FROM svc_trip_payment_plan_parts") == 0);
    });
}

TEST_CASE("a preview says what a booking of today would pay, and stores nothing") {
    each_base([](Planning& base) {
        const auto preview = [&](const std::string& total, const std::string& day) {
            return base.post(base.path + "/preview",
                             read(R"({"kind": "fixed", "total": )" + total + R"(, "travel_date": ")" + day +
                                  R"(", "parts": )" + three_parts + "}"),
                             base.user("administrator"));
        };
        const auto said = preview("1000", base.day(60));
        CAPTURE(said.text);
        REQUIRE(said.status == 200);
        std::string all;
        for (const Value& each : said.data()["payments"].items())
            all += each["date"].text() + " " + each["amount"].number_text() + ";";
        CHECK(all == base.day(0) + " 100.00;" + base.day(5) + " 200.00;" + base.day(30) + " 700.00;");
        CHECK(preview("1000", base.day(0)).field() == "travel_date");
        CHECK(preview("0", base.day(60)).field() == "total");
        CHECK(base.number("SELECT COUNT(*) FROM svc_trip_payment_plans") == 0);
    });
}

TEST_CASE("a fixed plan is the one way to pay a booking of its trip, and others follow the site's settings") {
    each_base([](Planning& base) {
        const std::string by_settings = "full 100.00, deposit 20.00 by ";
        CHECK(base.offered(60) == by_settings + base.day(46));
        base.given_plan("fixed", three_parts);
        CHECK(base.offered(60) == "deposit 10.00 by " + base.day(30));
        CHECK(base.session(60, "full").data()["quote"].is_null());
        const std::int64_t id = base.booked(60);
        CHECK(base.terms_of(id) == "10.00 now, 1/2 " + base.day(5) + " 20.00, 2/2 " + base.day(30) + " 70.00; binds");
        // Near to its day all but one part is paid at once, and nearer all of it.
        CHECK(base.offered(20) == "deposit 80.00 by " + base.day(5));
        const std::int64_t near = base.booked(20);
        CHECK(base.terms_of(near) == "80.00 now, rest 20.00 by " + base.day(5));
        CHECK(base.number(("SELECT COUNT(*) FROM svc_bookings WHERE id = " + std::to_string(near) + " AND rest_on = '" +
                           base.day(5) + "'")
                              .c_str()) == 1);
        // So do bookings that staff make.
        const auto by_staff = base.post("/bookings",
                                        Value::object({{"trip_id", base.trip},
                                                       {"travel_date", base.day(60)},
                                                       {"travelers_count", 2},
                                                       {"contact_first_name", "Ada"},
                                                       {"contact_last_name", "Lovelace"},
                                                       {"contact_email", "ada@example.org"}}),
                                        base.user("administrator"));
        CAPTURE(by_staff.text);
        REQUIRE(by_staff.status == 201);
        CHECK(base.terms_of(by_staff.data()["id"].integer()) ==
              "20.00 now, 1/2 " + base.day(5) + " 40.00, 2/2 " + base.day(30) + " 140.00; binds");
        // Another trip has no plan.
        base.trip = base.given_trip("Three lakes");
        base.given_departure(base.trip, 60, 8);
        CHECK(base.offered(60) == by_settings + base.day(46));
        base.settings(R"({"enable_scheduled_payments": false})");
        base.trip = base.trip - 1;
        CHECK(base.offered(60) == by_settings + base.day(60));
    });
}

TEST_CASE("by a flexible plan a customer may also pay all at once, and later all that is left") {
    each_base([](Planning& base) {
        base.given_plan("flexible", three_parts);
        CHECK(base.offered(60) == "full 100.00, deposit 10.00 by " + base.day(30));
        CHECK(base.terms_of(base.booked(60)) == "100.00 now");
        const std::int64_t id = base.booked(60, "deposit");
        CHECK(base.terms_of(id) == "10.00 now, 1/2 " + base.day(5) + " 20.00, 2/2 " + base.day(30) + " 70.00");
        base.pay(id, "10");
        CHECK(base.balance_of(id) == "90.00");
        CHECK(base.charge_of(id, false) == "90.00");
        CHECK(base.charge_of(id, true) == "20.00");
        base.given_plan("fixed", three_parts);
        CHECK(base.balance_of(id) == "90.00");  // as it was agreed
        const std::int64_t bound = base.booked(60);
        CHECK(base.balance_of(bound) == "10.00");  // the first payment comes first
        base.pay(bound, "10");
        CHECK(base.balance_of(bound) == "20.00");
        CHECK(base.charge_of(bound, false) == "20.00");  // whatever the caller asks for
        const auto sent = base.post("/scheduled-payments/outstanding/" + std::to_string(bound) + "/send-link",
                                    Value::object(), base.user("administrator"));
        CAPTURE(sent.text);
        CHECK(base.number("SELECT amount_minor FROM svc_scheduled_payments WHERE kind = 'link'") == 2000);
        base.pay(bound, "20");
        CHECK(base.balance_of(bound) == "70.00");
    });
}

TEST_CASE("a plan that changes or goes leaves what customers agreed to") {
    each_base([](Planning& base) {
        base.given_plan("fixed", three_parts);
        const std::int64_t id = base.booked(60);
        const std::string agreed = base.terms_of(id);
        base.given_plan("flexible", R"([{"percentage": 50, "due": "booking"}, {"due": "after_booking", "days": 1}])");
        CHECK(base.terms_of(id) == agreed);
        CHECK(base.call("DELETE", base.path, {}, base.user("administrator")).status == 200);
        CHECK(base.terms_of(id) == agreed);
        // One traveler more: the first payment keeps its share of the price.
        const auto recalculate = [&](int travelers) {
            const auto done = base.call("PUT", "/bookings/" + std::to_string(id),
                                        Value::object({{"travelers_count", travelers}, {"recalculate", true}}).dump(),
                                        base.user("administrator"));
            CAPTURE(done.text);
            REQUIRE(done.status == 200);
        };
        recalculate(2);
        CHECK(base.terms_of(id) == "20.00 now, 1/2 " + base.day(5) + " 40.00, 2/2 " + base.day(30) + " 140.00; binds");
        // And again, however often the price is another.
        recalculate(1);
        CHECK(base.terms_of(id) == agreed);
    });
}

TEST_CASE("amounts of a plan are used as long as the trip has their currency") {
    each_base([](Planning& base) {
        base.given_plan("fixed", R"([{"amount": 30, "due": "booking"}, {"due": "before_departure", "days": 30}])");
        CHECK(base.offered(60) == "deposit 30.00 by " + base.day(30));
        base.run("UPDATE svc_trip_payment_plans SET currency = 'EUR'");
        const std::string other = "/trips/" + std::to_string(base.given_trip("Three lakes")) + "/payment-plan";
        REQUIRE(base.call("DELETE", other, {}, base.user("administrator")).status == 200);  // plans are read again
        CHECK(base.offered(60) == "full 100.00, deposit 20.00 by " + base.day(46));
        CHECK_FALSE(base.get(base.path, base.user("administrator")).data()["is_used"].boolean());
    });
}

TEST_CASE("a copy of a trip has the plan of its original, which changes by itself from then on") {
    each_on<Planning>([](Planning& base) {
        base.given_plan("fixed", R"([{"percentage": 30, "due": "booking"}, {"due": "before_departure", "days": 14}])");
        const auto copied = base.post("/trips/" + std::to_string(base.trip) + "/duplicate", Value::object(),
                                      base.user("administrator"));
        CAPTURE(copied.text);
        REQUIRE(copied.status == 201);
        REQUIRE(base.assembly->hooks.drain());
        const std::string of_copy = "/trips/" + std::to_string(copied.data()["id"].integer()) + "/payment-plan";
        const auto plan_at = [&](const std::string& path) {
            const auto found = base.get(path, base.user("administrator"));
            REQUIRE(found.status == 200);
            return found.data();
        };
        CHECK(plan_at(of_copy)["kind"] == plan_at(base.path)["kind"]);
        CHECK(plan_at(of_copy)["parts"] == plan_at(base.path)["parts"]);
        base.given_plan("flexible",
                        R"([{"percentage": 50, "due": "booking"}, {"due": "before_departure", "days": 7}])");
        CHECK(plan_at(of_copy)["kind"].text() == "fixed");
        // Without a plan, or with the module off, a copy begins without one.
        REQUIRE(base.call("DELETE", base.path, "", base.user("administrator")).status < 300);
        REQUIRE(
            base.post("/trips/" + std::to_string(base.trip) + "/duplicate", Value::object(), base.user("administrator"))
                .status == 201);
        REQUIRE(base.assembly->hooks.drain());
        CHECK(base.number("SELECT COUNT(*) FROM svc_trip_payment_plans") == 1);
    });
}
