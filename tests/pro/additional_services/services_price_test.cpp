// Additional services in the price of a booking, through the whole base with Pro attached.
#include <doctest/doctest.h>

#include "tests/support/test_base.hpp"

extern "C" const svc_plugin* svc_plugin_entry(void);

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

struct Served : TestBase {
    explicit Served(Database& database) : TestBase(database, &svc_plugin_entry) {
        given_license("agency");
        turn(true);
        trip = given_trip();
        REQUIRE(call("PUT", "/trips/" + std::to_string(trip),
                     R"({"regular_price":300,"discounted_price":null,"sale_price":null,"duration":5})", admin())
                    .status == 200);
        given_departure(trip);
    }
    const Visitor& admin() { return user("administrator"); }
    void turn(bool on) {
        REQUIRE(post("/modules/additional_services/toggle", Value::object({{"enabled", on}}), admin()).status == 200);
    }
    std::int64_t given(const char* text) {
        Value body = json::parse(text).value();
        body.set("status", "publish");
        const auto made = post("/additional-services", body, admin());
        REQUIRE(made.status == 201);
        return made.data()["id"].integer();
    }
    Value quote(Value choice) {
        choice.set("trip_id", trip);
        choice.set("travel_date", day(30));
        choice.set("travelers_count", 2);
        const auto opened = post("/booking/session", choice);
        REQUIRE(opened.status == 201);
        session = opened.data()["session_id"].text();
        const auto answered = get("/booking/summary?session_id=" + session);
        CAPTURE(answered.text);
        REQUIRE(answered.status == 200);
        return answered.data();
    }

    std::int64_t trip = 0;
    std::string session;
};

}  // namespace

TEST_CASE("services cost by person, percentage and day, times their quantity; included ones nothing") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        Served base(database);
        const auto transfer = base.given(R"({"name":"Transfer","price":25,"price_per":"person","max_quantity":2})");
        const auto insurance = base.given(R"({"name":"Insurance","price":4,"price_type":"percentage"})");
        const auto guide = base.given(R"({"name":"Guide","price":40,"price_per":"day","is_taxable":false})");
        base.given(R"({"name":"Kit","price":30,"is_included":true})");
        const auto other = base.given_trip("Red Sea");
        base.given(
            (R"({"name":"Elsewhere","price":9,"is_required":true,"applicable_to":"specific_trips","trip_ids":[)" +
             std::to_string(other) + "]}")
                .c_str());
        REQUIRE(base.call("PUT", "/settings", R"({"enable_tax":true,"tax_rate":5})", base.admin()).status == 200);
        const auto with = [&](std::int64_t transfers) {
            Value selected = Value::object({{std::to_string(transfer), transfers}});
            for (const std::int64_t id : {insurance, guide})
                selected.set(std::to_string(id), 1);
            return base.quote(Value::object({{"selected_services", selected}}));
        };
        const Value quote = with(1);
        CHECK(quote["services_total"].number_text() == "274.00");
        CHECK(quote["additional_services"].size() == 4);
        CHECK(quote["taxable_amount"].number_text() == "674.00");
        CHECK(quote["final_total"].number_text() == "907.70");
        // A line counts what its price is for: people, days, or the booking.
        const auto line = [&](const Value& of, const std::string& label) {
            for (const Value& each : of["lines"].items())
                if (each["label"].text() == label)
                    return each["quantity"].number_text() + " x " + each["unit_price"].number_text() + " = " +
                           each["amount"].number_text();
            return std::string();
        };
        CAPTURE(quote["lines"].dump());
        CHECK(line(quote, "Transfer") == "2 x 25.00 = 50.00");
        CHECK(line(quote, "Insurance").starts_with("1 x "));
        CHECK(line(quote, "Guide").find(" x 40.00 = ") != std::string::npos);
        CHECK_FALSE(line(quote, "Guide").starts_with("1 x "));
        CHECK(line(with(2), "Transfer") == "4 x 25.00 = 100.00");
        CHECK(with(2)["services_total"].number_text() == "324.00");
        const Value choice = Value::object({{"selected_services", Value::object({{std::to_string(transfer), 3}})}});
        const auto change = [&](const char* method, const std::string& path) {
            return base.call(method, path, choice.dump(), Visitor{}.with("X-Svc-Session", base.session));
        };
        for (const auto& refused : {change("PUT", "/booking/session"), change("POST", "/booking/summary")}) {
            CHECK(refused.status == 400);
            CHECK(refused.field() == "selected_services." + std::to_string(transfer));
        }
        const auto made = base.post("/booking/create", filled_in(Value::object({{"session_id", base.session}})));
        CHECK(made.status == 201);
        const auto detail = base.get("/bookings/" + std::to_string(made.data()["id"].integer()), base.admin());
        CAPTURE(detail.data()["lines"].dump());
        CHECK(made.data()["total"].number_text() == "960.20");
        CHECK(detail.data()["additional_services"].size() == 4);
        CHECK(base.number("SELECT COUNT(*) FROM svc_booking_services") == 4);
        // As it is listed, beside what it comes to for this party.
        for (const Value& listed : quote["additional_services"].items())
            for (const Value& booked : detail.data()["additional_services"].items())
                if (booked["id"] == listed["id"]) {
                    CHECK(booked["price"] == listed["price"]);
                    CHECK(booked["unit_price"] == listed["unit_price"]);
                }

        // Priced anew it keeps what was bought, unless other services are named; those that are not there are refused.
        const auto path = "/bookings/" + std::to_string(made.data()["id"].integer());
        const auto edit = [&](const char* body) { return base.call("PUT", path, body, base.admin()); };
        const auto again = edit(R"({"recalculate":true})");
        CAPTURE(again.text);
        CHECK(again.data()["total"].number_text() == "960.20");
        CHECK(again.data()["additional_services"].size() == 4);
        // Other services are a matter of the price: without recalculate they are refused, and nothing else is written.
        const auto bought = base.get(path, base.admin()).data();
        const std::string fewer_alone =
            R"({"internal_notes":"asked for less","additional_services":[)" + std::to_string(transfer) + "]}";
        for (const std::string& body :
             {std::string(R"({"internal_notes":"none","additional_services":[]})"), fewer_alone}) {
            const auto unasked = edit(body.c_str());
            CHECK(unasked.status == 400);
            CHECK(unasked.field() == "additional_services");
        }
        CHECK(base.get(path, base.admin()).data() == bought);
        // Those that it has are no change.
        const auto same =
            edit((R"({"internal_notes":"as before","selected_services":{")" + std::to_string(transfer) + R"(":2,")" +
                  std::to_string(insurance) + R"(":1,")" + std::to_string(guide) + R"(":1}})")
                     .c_str());
        CAPTURE(same.text);
        REQUIRE(same.status == 200);
        CHECK(same.data()["internal_notes"].text() == "as before");
        for (const char* name : {"total", "services_total", "amount_due", "additional_services", "lines"}) {
            CAPTURE(name);
            CHECK(same.data()[name] == bought[name]);
        }
        CHECK(base.number("SELECT COUNT(*) FROM svc_booking_services") == 4);
        CHECK(edit(R"({"recalculate":true,"additional_services":[999999]})").field() == "additional_services");
        const auto fewer = edit(R"({"recalculate":true,"additional_services":[]})");
        CHECK(fewer.data()["services_total"].number_text() == "0.00");
        CHECK(base.number("SELECT COUNT(*) FROM svc_booking_services") == 1);  // the kit is included

        // The booking page tells all that can be chosen, and how it can be paid.
        const auto page = base.get("/booking/trip/" + std::to_string(base.trip)).data();
        CAPTURE(page["additional_services"].dump());
        REQUIRE(page["additional_services"].size() == 4);
        const Value& first = page["additional_services"][0];
        CHECK(first["name"].text() == "Transfer");
        CHECK(first["quantity"].integer() == 0);
        CHECK(first["unit_price"].number_text() == "25.00");
        CHECK(first["max_quantity"].integer() == 2);
        CHECK_FALSE(first["selected"].boolean());
        CHECK(page["payment_methods"].size() == 1);
        CHECK(page["payment_methods"][0]["id"].text() == "full");
        base.turn(false);
        CHECK(base.get("/booking/trip/" + std::to_string(base.trip)).data()["additional_services"].size() == 0);
        const auto refused = base.post(
            "/booking/session",
            Value::object({{"trip_id", base.trip}, {"additional_services", Value::array({Value(transfer)})}}));
        CHECK(refused.status == 400);
        CHECK(refused.field() == "additional_services");
    });
}

TEST_CASE("a service counts from the moment it is saved, and its prices are written out") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        Served base(database);
        CHECK(base.quote(Value::object())["services_total"].number_text() == "0.00");
        const auto transfer = base.given(R"({"name":"Transfer","price":25,"price_per":"person"})");
        const auto insurance = base.given(R"({"name":"Insurance","price":4,"price_type":"percentage"})");
        const Value quote = base.quote(Value::object({{"additional_services", Value::array({transfer, insurance})}}));
        REQUIRE(quote["additional_services"].size() == 2);
        CHECK(quote["additional_services"][0]["price_formatted"].text() == "USD 25.00");
        CHECK(quote["additional_services"][0]["unit_price_formatted"].text() == "USD 50.00");
        CHECK(quote["additional_services"][1].find("price_formatted") == nullptr);
    });
}
