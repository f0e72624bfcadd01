// Prices that staff set by hand; every invalid field is reported at once.
#include <doctest/doctest.h>

#include "tests/support/each_on.hpp"
#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

struct Office {
    explicit Office(Database& database) : base(database), boss(base.user("owner")), trip(base.given_trip()) {
        base.given_departure(trip, 30, 10);
    }
    void set(const char* settings) { REQUIRE(base.call("PUT", "/settings", settings, boss).status == 200); }
    Answered make(const char* more) {
        Value body = Value::object({{"trip_id", trip},
                                    {"travel_date", base.day(30)},
                                    {"travelers_count", 2},
                                    {"contact_first_name", "Ada"},
                                    {"contact_email", "ada@example.org"}});
        const Value others = json::parse(more).value();
        for (const auto& [name, value] : others.members())
            body.set(name, value);
        return base.post("/bookings", body, boss);
    }
    Answered put(std::int64_t id, const char* body) {
        return base.call("PUT", "/bookings/" + std::to_string(id), body, boss);
    }

    TestBase base;
    Visitor boss;
    std::int64_t trip;
};

const auto each_office = each_on<Office>;

std::string number(const Value& value) { return value.number_text(); }

// The fields in fault, in alphabetical order, by commas.
std::string fields(const Answered& answered) {
    std::vector<std::string> names;
    const Value& errors = answered.body["data"]["errors"];
    if (errors.is_object())
        for (const auto& [name, sentences] : errors.members())
            names.push_back(name);
    std::sort(names.begin(), names.end());
    std::string all;
    for (const std::string& name : names)
        all += (all.empty() ? "" : ",") + name;
    return all;
}

}  // namespace

TEST_CASE("a booking that is read and sent back as it is changes nothing") {
    each_office([](Office& office) {
        const auto made = office.make("{}");
        REQUIRE_MESSAGE(made.status == 201, made.text);
        const auto path = "/bookings/" + std::to_string(made.data()["id"].integer());
        const Value before = office.base.get(path, office.boss).data();
        const auto put = office.base.call("PUT", path, before.dump(), office.boss);
        REQUIRE_MESSAGE(put.status == 200, put.text);
        for (const auto& [name, value] : before.members())
            if (name != "row_version" && name != "updated_at") {
                CAPTURE(name);
                CHECK(put.data()[name] == value);
            }
    });
}

TEST_CASE("a form that sends null for what it leaves empty makes a booking") {
    each_office([](Office& office) {
        const auto made = office.make(R"({"discount_code":null,"special_requests":null,"internal_notes":null,
            "customer_id":null,"user_id":null,"contact_phone":null,"contact_country":null})");
        REQUIRE_MESSAGE(made.status == 201, made.text);
        CHECK(made.data()["user_id"].is_null());
    });
}

TEST_CASE("staff correct what was answered for an emergency, and the other answers stay") {
    each_office([](Office& office) {
        const auto made = office.make(R"({"emergency_name":"Annabella","emergency_phone":"+44 20 7946 0002"})");
        const auto id = made.data()["id"].integer();
        CHECK(made.data()["emergency_contact"]["name"].text() == "Annabella");
        const auto changed = office.put(id, R"({"emergency_contact":{"phone":"+44 1 2"}})");
        REQUIRE_MESSAGE(changed.status == 200, changed.text);
        CHECK(changed.data()["emergency_contact"]["name"].text() == "Annabella");
        CHECK(changed.data()["emergency_contact"]["phone"].text() == "+44 1 2");
        CHECK(office.put(id, R"({"emergency_name":"Byron"})").data()["emergency_contact"]["name"].text() == "Byron");
    });
}

TEST_CASE("staff say whose own booking it is, and that it is nobody's") {
    each_office([](Office& office) {
        const auto made = office.make("{}");
        const auto id = made.data()["id"].integer();
        const auto user = office.base.user("svc_customer").user_id;
        CHECK(office.put(id, R"({"user_id":4711})").field() == "user_id");
        // No account of staff, whose rights a booking's links would carry.
        const auto boss = "{\"user_id\":" + std::to_string(office.base.user("administrator").user_id) + "}";
        CHECK(office.put(id, boss.c_str()).field() == "user_id");
        const auto given = office.put(id, ("{\"user_id\":" + std::to_string(user) + "}").c_str());
        REQUIRE_MESSAGE(given.status == 200, given.text);
        CHECK(given.data()["user_id"].integer() == user);
        CHECK(office.put(id, R"({"internal_notes":"x"})").data()["user_id"].integer() == user);
        CHECK(office.put(id, R"({"user_id":null})").data()["user_id"].is_null());
    });
}

TEST_CASE("whether prices hold the tax is the staff's word where they give it") {
    each_office([](Office& office) {
        const auto held = office.make(R"({"tax_rate":10,"tax_inclusive":true})");
        REQUIRE_MESSAGE(held.status == 201, held.text);
        CHECK(held.data()["tax_inclusive"].boolean());
        const auto beside = office.make(R"({"tax_rate":10,"tax_inclusive":false})");
        CHECK_FALSE(beside.data()["tax_inclusive"].boolean());
        CHECK(number(held.data()["total_amount"]) == "200.00");
        CHECK(number(held.data()["tax_amount"]) == "18.18");
        CHECK(number(beside.data()["total_amount"]) == "220.00");
        CHECK(number(beside.data()["tax_amount"]) == "20.00");
    });
}

TEST_CASE("charges that staff send replace the itinerary's, one for each or for all, and are taxed") {
    each_office([](Office& office) {
        office.set(R"({"enable_tax":true,"tax_inclusive":false,"tax_label":"VAT","tax_rate":10})");
        const auto made = office.make(R"({"itinerary_costs":[
            {"name":"Guide","price":15,"price_per":"person"},{"name":"Boat","total_cost":20.5,"day_number":3}]})");
        REQUIRE_MESSAGE(made.status == 201, made.text);
        CHECK(number(made.data()["itinerary_costs_total"]) == "50.50");
        CHECK(number(made.data()["tax_amount"]) == "25.05");  // of 200 and 50.50
        CHECK(number(made.data()["total"]) == "275.55");
        const Value& costs = made.data()["itinerary_costs"];
        REQUIRE(costs.size() == 2);
        CHECK(costs[0]["name"].text() == "Guide");
        CHECK(number(costs[0]["total_cost"]) == "30.00");
        CHECK(costs[0]["quantity"].integer() == 2);
        CHECK(number(costs[1]["price"]) == "20.50");
        CHECK(costs[1]["day_number"].integer() == 3);
        std::size_t lines = 0;
        for (const Value& line : made.data()["lines"].items())
            lines += line["kind"].text() == "itinerary";
        CHECK(lines == 2);

        CHECK(office.make(R"({"itinerary_costs":[{"name":"Guide"}]})").field() == "itinerary_costs.0.price");
        CHECK(office.make(R"({"itinerary_costs":[{"name":"Guide","price":1.005}]})").field() ==
              "itinerary_costs.0.price");
        CHECK(office.make(R"({"itinerary_costs":[{"price":1}]})").status == 400);
        CHECK(office.base.number("SELECT COUNT(*) FROM svc_bookings") == 1);
    });
}

TEST_CASE("a tax that staff set replaces the site's, by its rate, its amount or both") {
    each_office([](Office& office) {
        for (const bool inclusive : {false, true}) {
            CAPTURE(inclusive);
            office.set(inclusive ? R"({"enable_tax":true,"tax_inclusive":true,"tax_label":"VAT","tax_rate":10})"
                                 : R"({"enable_tax":true,"tax_inclusive":false,"tax_label":"VAT","tax_rate":10})");
            const auto tax_of = [&](const char* more) {
                const auto made = office.make(more);
                REQUIRE_MESSAGE(made.status == 201, made.text);
                const auto id = made.data()["id"].integer();
                office.base.call("DELETE", "/bookings/" + std::to_string(id), {}, office.boss);
                Value breakdown = made.data()["tax_breakdown"];
                Money parts = Money::zero(Currency::usd());
                for (const Value& each : breakdown.items())
                    parts += Money::parse(number(each["amount"]), Currency::usd()).value();
                CHECK(parts.decimal() == number(made.data()["tax_amount"]));
                return number(made.data()["tax_amount"]) + " of " + number(made.data()["total"]) + " at " +
                       number(made.data()["tax_rate"]);
            };
            CHECK(tax_of("{}") == (inclusive ? "18.18 of 200.00 at 10" : "20.00 of 220.00 at 10"));
            CHECK(tax_of(R"({"tax_rate":25})") == (inclusive ? "40.00 of 200.00 at 25" : "50.00 of 250.00 at 25"));
            CHECK(tax_of(R"({"tax_rate":0})") == "0.00 of 200.00 at 0");
            CHECK(tax_of(R"({"tax_amount":7.5})") == (inclusive ? "7.50 of 200.00 at 10" : "7.50 of 207.50 at 10"));
            CHECK(tax_of(R"({"tax_rate":25,"tax_amount":1})") ==
                  (inclusive ? "1.00 of 200.00 at 25" : "1.00 of 201.00 at 25"));
            CHECK(tax_of(R"({"tax_amount":5,"total":300})") == "5.00 of 300.00 at 10");
            CHECK(office.make(R"({"tax_amount":7.505})").field() == "tax_amount");
            CHECK(office.make(R"({"tax_rate":101})").field() == "tax_rate");
            CHECK(office.make(R"({"tax_amount":50,"total":30})").field() == "tax_amount");
        }
        CHECK(office.make(R"({"tax_amount":201})").field() == "tax_amount");  // more than the prices that hold it
        office.set(R"({"enable_tax":false,"tax_inclusive":false})");
        const auto made = office.make(R"({"tax_amount":3})");
        CHECK(number(made.data()["total"]) == "203.00");
        CHECK(number(office.make(R"({"tax_rate":5})").data()["tax_amount"]) == "10.00");
    });
}

TEST_CASE("parts of a price that is made already count when it is made anew, and one sent back as read stays") {
    each_office([](Office& office) {
        office.set(R"({"enable_tax":true,"tax_inclusive":false,"tax_label":"VAT","tax_rate":10})");
        const auto made = office.make(R"({"itinerary_costs":[{"name":"Boat","total_cost":20}]})");
        REQUIRE(made.status == 201);
        const auto id = made.data()["id"].integer();
        Value back = Value::object();
        for (const char* member : {"itinerary_costs", "tax_rate", "tax_amount", "total"})
            back.set(member, made.data()[member]);
        const auto same = office.put(id, back.dump().c_str());
        REQUIRE_MESSAGE(same.status == 200, same.text);
        CHECK(same.data()["total"] == made.data()["total"]);
        CHECK(fields(office.put(id, R"({"itinerary_costs":[],"tax_rate":7,"tax_amount":3})")) ==
              "itinerary_costs,tax_amount,tax_rate");
        const auto anew = office.put(id, R"({"itinerary_costs":[],"tax_rate":7,"recalculate":true})");
        REQUIRE_MESSAGE(anew.status == 200, anew.text);
        CHECK(number(anew.data()["total"]) == "214.00");
        CHECK(number(anew.data()["itinerary_costs_total"]) == "0.00");
        CHECK(number(office.put(id, R"({"recalculate":true})").data()["total"]) == "220.00");
    });
}

TEST_CASE("charges and taxes that a visitor sends are ignored") {
    each_office([](Office& office) {
        const auto session = office.base.post(
            "/booking/session", Value::object({{"trip_id", office.trip}, {"travel_date", office.base.day(30)}}));
        Value body = filled_in(Value::object({{"session_id", session.data()["session_id"]},
                                              {"tax_amount", 0},
                                              {"itinerary_costs", Value::array()},
                                              {"tax_rate", 0}}));
        office.set(R"({"enable_tax":true,"tax_inclusive":false,"tax_label":"VAT","tax_rate":10})");
        CHECK(number(office.base.post("/booking/create", body).data()["total"]) == "110.00");
    });
}

TEST_CASE("the desk gets all faults at once, of shape and of rules") {
    each_office([](Office& office) {
        CHECK(fields(office.make(R"({"contact_email":"none","contact_first_name":"","customer_id":987,"user_id":987,
                                     "total":"much","travelers":[{"date_of_birth":"2999-01-01"}]})")) ==
              "contact_email,customer_id,total,travelers.0.date_of_birth,user_id");
        CHECK(fields(office.make(R"({"contact_email":"","contact_first_name":"","user_id":987})")) ==
              "contact_email,contact_first_name,user_id");
        CHECK(fields(office.base.post("/bookings", Value::object({{"user_id", 987}}), office.boss)) ==
              "contact_email,contact_first_name,travel_date,trip_id,user_id");
        CHECK(office.base.number("SELECT COUNT(*) FROM svc_bookings") == 0);

        const auto id = office.make("{}").data()["id"].integer();
        CHECK(fields(office.put(id, R"({"contact_email":"none","contact_first_name":"","coupon_code":"SAVE",
                                        "customer_id":987,"trip_id":987,"payment_status":"partial"})")) ==
              "contact_email,contact_first_name,coupon_code,customer_id,payment_status,trip_id");
        CHECK(fields(office.put(id, R"({"contact_first_name":"","tax_rate":3,"trip_id":987,"total":1.005})")) ==
              "contact_first_name,tax_rate,total,trip_id");
        // A caller without the right only gets the schema's faults.
        CHECK(fields(office.base.call("PUT", "/bookings/" + std::to_string(id),
                                      R"({"contact_email":"none","customer_id":987})",
                                      office.base.user("svc_customer"))) == "");
    });
}

TEST_CASE("discounts, recurring rules and itineraries report all invalid fields at once") {
    each_office([](Office& office) {
        const auto sent = [&](const char* method, const std::string& path, const std::string& body) {
            return fields(office.base.call(method, path, body, office.boss));
        };
        const std::string trip = std::to_string(office.trip);
        CHECK(sent("POST", "/discounts",
                   R"({"code":"no good","type":"percentage","amount":200,"usage_limit":"many",
                       "valid_from":"2026-05-01","expiry_date":"2026-04-01"})") ==
              "amount,code,expiry_date,usage_limit");
        const auto discount = office.base.post(
            "/discounts", json::parse(R"({"code":"GOOD","type":"percentage","amount":20})").value(), office.boss);
        REQUIRE(discount.status == 201);
        CHECK(sent("PUT", "/discounts/" + std::to_string(discount.data()["id"].integer()),
                   R"({"code":"no good","usage_limit":"many"})") == "code,usage_limit");
        CHECK(office.base.number("SELECT COUNT(*) FROM svc_discounts") == 1);

        CHECK(sent("POST", "/recurring-availability",
                   R"({"trip_id":)" + trip +
                       R"(,"rule_type":"weekly","start_date":"2026-05-01","end_date":"2026-04-01",
                       "seats_total":"many"})") == "days_of_week,end_date,seats_total");
        CHECK(sent("POST", "/recurring-availability",
                   R"({"rule_type":"interval","start_date":"2026-05-01","seats_total":"many"})") ==
              "interval_days,seats_total,trip_id");
        CHECK(sent("POST", "/trips/" + trip + "/recurring-rules",
                   R"({"recurrence_type":"weekly","start_date":"2026-05-01","end_date":"2026-04-01",
                       "max_capacity":"many"})") == "end_date,max_capacity,weekdays");
        const auto rule = office.base.call(
            "POST", "/recurring-availability",
            R"({"trip_id":)" + trip + R"(,"rule_type":"interval","interval_days":2,"start_date":"2026-05-01"})",
            office.boss);
        REQUIRE_MESSAGE(rule.status == 201, rule.text);
        CHECK(sent("PUT", "/recurring-availability/" + std::to_string(rule.data()["id"].integer()),
                   R"({"end_date":"2026-04-01","seats_total":"many"})") == "end_date,seats_total");
        CHECK(office.base.number("SELECT COUNT(*) FROM svc_availability_rules") == 1);

        CHECK(sent("POST", "/itineraries",
                   R"({"trip_id":)" + trip +
                       R"(,"mode":"activity","order":"last","video_url":"none","duration":"long"})") ==
              "day,duration,order,video_url");
        CHECK(sent("POST", "/itineraries",
                   R"({"trip_id":)" + trip + R"(,"mode":"activity","day":1,"order":"last","time_type":"exact",
                       "charge":true})") == "cost,order,start_time,title");
        CHECK(sent("POST", "/itineraries", R"({"mode":"activity","video_url":"none"})") == "day,trip_id,video_url");
        const auto entry =
            office.base.call("POST", "/itineraries",
                             R"({"trip_id":)" + trip + R"(,"mode":"activity","day":1,"title":"Boat"})", office.boss);
        REQUIRE_MESSAGE(entry.status == 201, entry.text);
        CHECK(sent("PUT", "/itineraries/" + std::to_string(entry.data()["id"].integer()),
                   R"({"order":"last","charge":true})") == "cost,order");
        CHECK(office.base.number("SELECT COUNT(*) FROM svc_itinerary_entries") == 1);
    });
}
