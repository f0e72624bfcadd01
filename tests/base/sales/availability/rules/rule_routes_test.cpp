// Recurring rules as staff keep them and as visitors meet them, from outside, on both databases.
#include <algorithm>
#include <atomic>
#include <iostream>
#include <thread>

#include <doctest/doctest.h>

#include "tests/support/shop.hpp"

using namespace svc;
using namespace svc::availability;
using json::Value;
using tests::each_shop;
using tests::Shop;

namespace {

Value body(const char* text) { return json::parse(text).value(); }

// A weekly rule on Wednesdays from 2026-05-01; `more` is laid over it.
Value weekly(std::int64_t trip_id, const char* more = "{}") {
    auto made = Value::object({{"trip_id", trip_id},
                               {"rule_type", "weekly"},
                               {"days_of_week", Value::array({3})},
                               {"start_date", "2026-05-01"}});
    const Value over = body(more);
    for (const auto& [name, value] : over.members())
        made.set(name, value);
    return made;
}

std::string dates_of(Shop& shop, std::int64_t trip_id, const char* query = "?to_date=2026-05-28") {
    return shop.get("/trips/" + std::to_string(trip_id) + "/available-dates" + query).column("date");
}

}  // namespace

TEST_CASE("a recurring rule is written, read with its preview, changed as a whole and deleted") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip({.duration = 1});
        const auto made = shop.send("POST", "/recurring-availability",
                                    weekly(trip.id, R"({"name":"Midweek","end_date":"2026-05-31","seats_total":8,
            "original_price":260,"time_slots":[{"departure_time":"15:00"},{"departure_time":"09:00","seats":4,"price":300,
            "sale_price":280,"traveler_pricing":[{"category_id":3,"original_price":150}]}],
            "day_overrides":{"3":{"seats_total":6}},"excluded_dates":["2026-05-20","2026-05-13","2026-05-13"],
            "months":[5],"cutoff_hours":2,"advance_booking_days":1,"priority":3,"from_location":"Pier 4",
            "from_latitude":31.25,"from_longitude":-29.9,"notes":"two\nlines"})"));
        REQUIRE(made.status == 201);
        const auto id = made.data()["id"].integer();
        const std::string path = "/recurring-availability/" + std::to_string(id);
        CHECK(made.header("Location") == "/svc/v1" + path);
        CHECK(made.header("ETag") == "\"1\"");
        const auto read = shop.get(path).data();
        CHECK(read["time_slots"][0]["departure_time"].text() == "09:00");
        CHECK(read["time_slots"][0]["traveler_pricing"][0]["original_price"].number_text() == "150.00");
        CHECK(read["time_slots"][1]["price"].is_null());
        CHECK(read["excluded_dates"].dump() == R"(["2026-05-13","2026-05-20"])");
        CHECK(read["day_overrides"]["3"]["seats_total"].integer() == 6);
        CHECK(read["from_latitude"].number_text() == "31.25");
        CHECK(read["preview"]["total"].integer() == 4);
        CHECK(read["preview"]["excluded_count"].integer() == 2);
        CHECK(read["preview"]["dates"][0]["seats_total"].integer() == 4);
        CHECK(read["preview"]["dates"][0]["discounted_price"].number_text() == "280.00");
        CHECK(read["preview"]["dates"][1]["seats_total"].integer() == 6);
        CHECK(read["preview"]["dates"][1]["original_price"].number_text() == "260.00");

        // Sent back as it was read, it keeps its version.
        shop.clock.advance(std::chrono::minutes(1));
        const auto again = shop.send("PUT", path, read);
        CAPTURE(again.text);
        CHECK(again.header("ETag") == "\"1\"");
        CHECK(again.data()["updated_at"] == read["updated_at"]);

        const auto changed = shop.send("PUT", path, body(R"({"excluded_dates":[],"time_slots":null,"row_version":1})"));
        CHECK(changed.status == 200);
        CHECK(changed.data()["row_version"].integer() == 2);
        CHECK(changed.data()["name"].text() == "Midweek");
        CHECK(dates_of(shop, trip.id) == "2026-05-06 2026-05-13 2026-05-20 2026-05-27");
        CHECK(shop.send("PUT", path, body(R"({"name":"x","row_version":1})")).status == 409);
        CHECK(shop.send("PUT", path, body(R"({"end_date":"2026-04-30"})")).field() == "end_date");
        CHECK(shop.send("PUT", path, body(R"({"rule_type":"monthly"})")).field() == "week_of_month");
        CHECK(shop.send("PUT", path, body(R"({"rule_type":"monthly","day_of_month":9})")).status == 200);
        CHECK(dates_of(shop, trip.id) == "2026-05-09");
        const auto nth = shop.send("PUT", path, body(R"({"week_of_month":"last","day_of_week":0})"));
        CHECK(nth.data()["day_of_month"].is_null());
        CHECK(dates_of(shop, trip.id, "?to_date=2026-05-31") == "2026-05-31");
        CHECK(shop.send("DELETE", path).status == 200);
        CHECK(shop.get(path).status == 404);
        CHECK(shop.send("DELETE", path).status == 404);
        CHECK(dates_of(shop, trip.id) == "");  // the trip had a rule: it never is open on every day again
        const auto fired = shop.fired();
        for (const char* action :
             {"svc_availability_recurring_rule_created", "svc_availability_recurring_rule_updated",
              "svc_availability_recurring_rule_before_delete", "svc_availability_recurring_rule_deleted"})
            CHECK(std::count(fired.begin(), fired.end(), action) >= 1);
    });
}

TEST_CASE("each fault of a rule is reported by its field, and nothing is stored") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip();
        const std::pair<const char*, const char*> wrong[] = {
            {R"({"start_date":"2026-02-30"})", "start_date"},
            {R"({"start_date":"0001-01-01"})", "start_date"},
            {R"({"start_date":"9999-12-01"})", "start_date"},
            {R"({"end_date":"2026-04-01"})", "end_date"},
            {R"({"end_date":"3026-04-01"})", "end_date"},
            {R"({"days_of_week":[]})", "days_of_week"},
            {R"({"days_of_week":[7]})", "days_of_week.0"},
            {R"({"seats_total":0})", "seats_total"},
            {R"({"seats_total":1099511627776})", "seats_total"},
            {R"({"excluded_dates":["2026-02-30"]})", "excluded_dates.0"},
            {R"({"months":[13]})", "months.0"},
            {R"({"time_slots":[{"departure_time":"09:00"},{"departure_time":"09:00"}]})",
             "time_slots.1.departure_time"},
            {R"({"time_slots":[{"departure_time":"25:00"}]})", "time_slots.0.departure_time"},
            {R"({"time_slots":[{"departure_time":"09:00","sale_price":5}]})", "time_slots.0.sale_price"},
            {R"({"day_overrides":{"7":{}}})", "day_overrides.7"},
            {R"({"original_price":10,"sale_price":10})", "sale_price"},
            {R"({"sale_price":10})", "sale_price"},
            {R"({"traveler_pricing":[{"category_id":1,"original_price":5},{"category_id":1,"original_price":6}]})",
             "traveler_pricing.1.category_id"},
            {R"({"from_latitude":3})", "from_longitude"},
            {R"({"from_latitude":91,"from_longitude":1})", "from_latitude"},
            {R"({"cutoff_hours":-1})", "cutoff_hours"},
            {R"({"rule_type":"yearly"})", "rule_type"},
            {R"({"rule_type":"interval"})", "interval_days"},
            {R"({"rule_type":"interval","interval_days":0})", "interval_days"}};
        for (const auto& [more, field] : wrong) {
            CAPTURE(more);
            for (const char* path : {"/recurring-availability", "/recurring-availability/preview"}) {
                const auto refused = shop.send("POST", path, weekly(trip.id, more));
                CHECK(refused.status == 400);
                CHECK(refused.field() == field);
            }
        }
        CHECK(shop.send("POST", "/recurring-availability", weekly(999)).status == 400);
        CHECK(shop.send("POST", "/recurring-availability", weekly(999)).field() == "trip_id");
        CHECK(shop.get("/recurring-availability").field() == "trip_id");
        CHECK(shop.get("/recurring-availability?trip_id=" + std::to_string(trip.id)).data().size() == 0);
        CHECK(dates_of(shop, trip.id, "?to_date=2026-05-07") == "2026-05-06 2026-05-07");
    });
}

TEST_CASE("a rule prices traveler categories that there are, and one that a rule prices is not deleted") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip();
        const char* priced = R"({"traveler_pricing":[{"category_id":999,"original_price":5},
            {"category_id":3,"original_price":5}],
            "time_slots":[{"departure_time":"15:00","traveler_pricing":[{"category_id":4,"original_price":5}]}]})";
        for (const char* path : {"/recurring-availability", "/recurring-availability/preview"}) {
            const auto refused = shop.send("POST", path, weekly(trip.id, priced));
            CHECK(refused.status == 400);
            CHECK(refused.code() == "svc_validation_error");
            CHECK(refused.field() == "traveler_pricing.0.category_id");
            // 4 is an item type.
            CHECK(refused.body["data"]["errors"].find("time_slots.0.traveler_pricing.0.category_id") != nullptr);
        }
        const auto made = shop.send(
            "POST", "/recurring-availability",
            weekly(trip.id, R"({"name":"Midweek","traveler_pricing":[{"category_id":3,"original_price":5}]})"));
        REQUIRE(made.status == 201);
        const std::string path = "/recurring-availability/" + made.data()["id"].dump();
        CHECK(
            shop.send("PUT", path, body(R"({"traveler_pricing":[{"category_id":998,"original_price":5}]})")).field() ==
            "traveler_pricing.0.category_id");
        const auto kept = shop.send("DELETE", "/traveler-categories/3");
        CHECK(kept.code() == "svc_in_use");
        CHECK(kept.body["data"]["used_by"]["items"][0]["type"].text() == "recurring_rule");
        CHECK(kept.body["data"]["used_by"]["items"][0]["title"].text() == "Midweek");
        shop.send("DELETE", path);
        CHECK(shop.send("DELETE", "/traveler-categories/3").status == 200);
    });
}

TEST_CASE("a duplicated trip takes its recurring rules along and sells their dates once published; departures stay") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip({.duration = 1});
        shop.given_departure(trip.id, "2026-05-08");
        REQUIRE(shop.send("POST", "/recurring-availability",
                          weekly(trip.id, R"({"name":"Midweek","seats_total":7,"end_date":"2026-05-31",
            "original_price":260,"sale_price":240,"excluded_dates":["2026-05-13"],"day_overrides":{"3":{"seats_total":6}},
            "traveler_pricing":[{"category_id":2,"original_price":50}],"time_slots":[{"departure_time":"09:00","seats":4,
            "price":300,"traveler_pricing":[{"category_id":3,"original_price":30}]}]})"))
                    .status == 201);
        REQUIRE(shop.send("POST", "/recurring-availability",
                          weekly(trip.id, R"({"name":"Winter","status":"paused","months":[1]})"))
                    .status == 201);
        const auto copy = shop.send("POST", "/trips/" + std::to_string(trip.id) + "/duplicate").data()["id"].integer();
        const auto rules_of = [&](std::int64_t id) {
            auto list = shop.get("/recurring-availability?orderby=id&order=asc&trip_id=" + std::to_string(id)).data();
            for (Value& rule : list.items())
                for (const char* own : {"id", "trip_id", "created_at", "updated_at"})
                    rule.erase(own);
            return list.dump();
        };
        CHECK(rules_of(copy) == rules_of(trip.id));
        CHECK(rules_of(copy).find("Winter") != std::string::npos);
        CHECK(shop.get("/departures?trip_id=" + std::to_string(copy)).status == 200);
        CHECK(shop.get("/trips/" + std::to_string(copy) + "/departures").data().size() == 0);
        shop.send("PUT", "/trips/" + std::to_string(copy), body(R"({"status":"publish"})"));
        CHECK(dates_of(shop, copy, "?to_date=2026-05-31") == "2026-05-06 2026-05-20 2026-05-27");
        // Each has its own from now on.
        const auto own = shop.get("/recurring-availability?trip_id=" + std::to_string(copy)).data()[0]["id"].dump();
        shop.send("DELETE", "/recurring-availability/" + own);
        CHECK(shop.get("/recurring-availability/counts?trip_id=" + std::to_string(trip.id)).data()["all"].integer() ==
              2);
    });
}

TEST_CASE("rules are listed, counted, duplicated as inactive ones, and a trip has at most fifty") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip();
        const std::string of = "?trip_id=" + std::to_string(trip.id);
        const auto made = shop.send("POST", "/recurring-availability", weekly(trip.id, R"({"name":"Straße"})"));
        shop.send("POST", "/recurring-availability",
                  weekly(trip.id, R"({"name":"B","status":"paused","priority":-1})"));
        shop.send("POST", "/recurring-availability",
                  weekly(trip.id, R"({"name":"C","rule_type":"interval","interval_days":3})"));
        const auto all = shop.get("/recurring-availability" + of);
        CHECK(all.column("name") == "C B Straße");
        CHECK(all.body["meta"]["per_page"].integer() == 50);
        CHECK(shop.get("/recurring-availability" + of + "&orderby=priority&order=asc").column("name") == "B Straße C");
        CHECK(shop.get("/recurring-availability" + of + "&status=paused").column("name") == "B");
        CHECK(shop.get("/recurring-availability" + of + "&rule_type=interval").column("name") == "C");
        CHECK(shop.get("/recurring-availability" + of + "&search=STRASSE").column("name") == "Straße");
        CHECK(shop.get("/recurring-availability" + of + "&per_page=2&page=2").column("name") == "Straße");
        const auto copy = shop.send("POST", "/recurring-availability/" + made.data()["id"].dump() + "/duplicate",
                                    body(R"({"name":"Copy"})"));
        CHECK(copy.status == 201);
        CHECK(copy.data()["status"].text() == "inactive");
        CHECK(copy.data()["name"].text() == "Copy");
        CHECK(shop.get("/recurring-availability/counts" + of).data().dump() ==
              R"({"all":4,"active":2,"inactive":1,"paused":1})");
        for (int i = 4; i < 50; ++i)
            REQUIRE(shop.send("POST", "/recurring-availability", weekly(trip.id)).status == 201);
        CHECK(shop.send("POST", "/recurring-availability", weekly(trip.id)).status == 409);
    });
}

TEST_CASE("a preview stores nothing and sees the rule as it would be") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip({.duration = 3});
        const auto shown = shop.send("POST", "/recurring-availability/preview",
                                     weekly(trip.id, R"({"preview_limit":2,"excluded_dates":["2026-05-13"]})"));
        CHECK(shown.status == 200);
        CHECK(shown.data()["total"].integer() == 51);  // of 52 weeks, less the excluded one
        CHECK(shown.data()["excluded_count"].integer() == 1);
        REQUIRE(shown.data()["dates"].size() == 2);
        CHECK(shown.data()["dates"][0]["departure_date"].text() == "2026-05-06");
        CHECK(shown.data()["dates"][0]["arrival_date"].text() == "2026-05-08");
        CHECK(shown.data()["dates"][0]["is_virtual"].boolean());
        CHECK(shop.get("/recurring-availability/counts?trip_id=1").data()["all"].integer() == 0);
        const auto far = shop.send("POST", "/recurring-availability/preview",
                                   weekly(trip.id, R"({"start_date":"2100-12-01","end_date":"2100-12-31"})"));
        CHECK(far.data()["total"].integer() == 0);
    });
}

TEST_CASE("generated dates are listed for a clipped span") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip({.duration = 1});
        shop.send("POST", "/recurring-availability", weekly(trip.id));
        shop.given_departure(trip.id, "2026-05-13");
        const std::string generate = "/recurring-availability/generate/" + std::to_string(trip.id);
        const auto all = shop.get(generate);
        CHECK(all.data().size() == 13);
        CHECK(all.body["meta"]["from_date"].text() == "2026-05-04");
        CHECK(all.body["meta"]["to_date"].text() == "2026-08-02");
        CHECK(shop.get("/availability/generated?trip_id=1").data().size() == 52);
        CHECK(shop.get(generate + "?from_date=2026-05-04&to_date=9999-12-31").data().size() == 523);
        CHECK(shop.get(generate + "?from_date=9999-12-31&to_date=9999-12-31").data().size() == 0);
        CHECK(shop.get(generate + "?from_date=2026-05-05&to_date=2026-05-04").field() == "from_date");
        CHECK(shop.get(generate + "?from_date=2026-02-30").field() == "from_date");
        CHECK(shop.get("/recurring-availability/generate/999").status == 404);
    });
}

TEST_CASE("the short view of a trip's rules shows and writes the same rules") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip({.duration = 1});
        const auto other = shop.given_trip();
        const std::string path = "/trips/" + std::to_string(trip.id) + "/recurring-rules";
        const auto daily = shop.send("POST", path, body(R"({"recurrence_type":"daily","start_date":"2026-05-06",
            "end_date":"2026-05-08","max_capacity":5,"base_price":90,"pricing_by_traveler_type":{"2":45}})"));
        REQUIRE(daily.status == 201);
        CHECK(daily.data()["recurrence_type"].text() == "daily");
        CHECK(daily.data()["pricing_by_traveler_type"]["2"].number_text() == "45.00");
        CHECK(dates_of(shop, trip.id) == "2026-05-06 2026-05-07 2026-05-08");
        CHECK(shop.get("/trips/1/available-dates").data()[0]["price_by_traveler_type"]["2"]["price"].number_text() ==
              "45.00");
        const std::string one = path + "/" + daily.data()["id"].dump();
        CHECK(shop.get("/recurring-availability/" + daily.data()["id"].dump()).data()["rule_type"].text() ==
              "interval");
        CHECK(shop.get(one + "/preview").data().dump() == R"(["2026-05-06","2026-05-07","2026-05-08"])");
        CHECK(shop.get(one + "/preview?count=1").data().size() == 1);
        CHECK(shop.get(one + "/preview?from=2026-05-08").data().dump() == R"(["2026-05-08"])");
        CHECK(shop.send("PUT", one, body(R"({"recurrence_type":"custom_days"})")).field() == "weekdays");
        CHECK(shop.send("POST", path, body(R"({"recurrence_type":"weekly","start_date":"2026-05-06"})")).field() ==
              "weekdays");
        CHECK(shop.send("POST", path, body(R"({"recurrence_type":"daily","start_date":"2026-05-06","max_capacity":0})"))
                  .field() == "max_capacity");
        CHECK(shop.send("POST", path, body(R"({"recurrence_type":"daily","start_date":"2026-05-06",
            "pricing_by_traveler_type":{"x":1}})"))
                  .field() == "pricing_by_traveler_type.x");
        CHECK(shop.send("POST", path, body(R"({"recurrence_type":"daily","start_date":"2026-05-06",
            "pricing_by_traveler_type":{"2":1,"999":1}})"))
                  .field() == "pricing_by_traveler_type.999");
        const auto custom =
            shop.send("PUT", one, body(R"({"recurrence_type":"custom_days","weekdays":[4],"base_price":null})"));
        CHECK(custom.data()["recurrence_type"].text() == "custom_days");
        CHECK(custom.data()["base_price"].is_null());
        CHECK(dates_of(shop, trip.id) == "2026-05-07");
        CHECK(shop.send("PUT", one, body(R"({"is_active":false})")).data()["is_active"].boolean() == false);
        CHECK(dates_of(shop, trip.id) == "");
        CHECK(shop.get(path + "?active_only=1").data().size() == 0);
        CHECK(shop.get(path).data().size() == 1);
        const auto monthly =
            shop.send("POST", path, body(R"({"recurrence_type":"monthly","start_date":"2026-05-15"})"));
        CHECK(monthly.data()["day_of_month"].integer() == 15);
        CHECK(shop.get("/trips/" + std::to_string(other.id) + "/recurring-rules/" + daily.data()["id"].dump()).status ==
              404);
        CHECK(shop.send("DELETE", one).status == 200);
        CHECK(shop.get(one).status == 404);
    });
}

TEST_CASE("a rule's date becomes a departure when it is first booked, and keeps the rule's price and seats") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip({.duration = 1});
        const auto rule =
            shop.send("POST", "/recurring-availability", weekly(trip.id, R"({"original_price":260,"time_slots":[
            {"departure_time":"09:00","seats":3,"arrival_time":"12:00"},{"departure_time":"15:00","seats":5}]})"));
        const auto rows = [&] {
            std::string text;
            const auto shown = shop.get("/trips/1/available-dates?to_date=2026-05-06");
            for (const Value& row : shown.data().items())
                text += (row["id"].is_null() ? "rule" : "row") + std::string("@") + row["time"].text() + " " +
                        row["available_capacity"].dump() + " at " + row["price"].dump() + " by " +
                        row["rule_id"].dump() + "; ";
            return text;
        };
        CHECK(rows() == "rule@09:00 3 at 260.00 by 1; rule@15:00 5 at 260.00 by 1; ");
        const auto departure = shop.take(trip, "2026-05-06", 1, 2, "09:00");
        REQUIRE(departure);
        CHECK(rows() == "row@09:00 1 at 260.00 by 1; rule@15:00 5 at 260.00 by 1; ");
        CHECK_FALSE(shop.take(trip, "2026-05-06", 2, 2, "09:00"));
        REQUIRE(shop.take(trip, "2026-05-06", 3, 1, "09:00"));
        CHECK(rows() == "row@09:00 0 at 260.00 by 1; rule@15:00 5 at 260.00 by 1; ");
        REQUIRE(shop.take(trip, "2026-05-06", 4, 1));  // no time asked: the one that has seats
        CHECK(rows() == "row@09:00 0 at 260.00 by 1; row@15:00 4 at 260.00 by 1; ");
        const std::string path = "/recurring-availability/" + rule.data()["id"].dump();
        CHECK(shop.get(path).data()["generated_count"].integer() == 2);
        shop.send("PUT", path, body(R"({"original_price":300})"));
        CHECK(rows() == "row@09:00 0 at 300.00 by 1; row@15:00 4 at 300.00 by 1; ");
        shop.send("DELETE", path);
        CHECK(rows() == "row@09:00 0 at 200.00 by null; row@15:00 4 at 200.00 by null; ");
        CHECK(shop.get("/trips/1/departures/" + std::to_string(*departure)).data()["source"].text() ==
              "recurring_rule");
        CHECK(shop.take(trip, "2026-05-13", 9).error().code().name == std::string("date_unavailable"));
    });
}

TEST_CASE("whoever loses the race for a rule's date finds the winner's departure") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip({.duration = 1});
        shop.send("POST", "/recurring-availability", weekly(trip.id, R"({"seats_total":6})"));
        std::atomic<int> taken{0}, refused{0};
        std::vector<std::thread> buyers;
        for (int buyer = 0; buyer < 8; ++buyer)
            buyers.emplace_back([&, buyer] {
                for (int turn = 0; turn < 2; ++turn)
                    ++(shop.take(trip, "2026-05-06", 100 + buyer * 10 + turn) ? taken : refused);
            });
        for (std::thread& buyer : buyers)
            buyer.join();
        CHECK(taken == 6);
        CHECK(refused == 10);
        CHECK(shop.store->reading<std::int64_t>([](store::Session& session) {
            return session.number("SELECT COUNT(*) FROM svc_departures", {});
        }) == 1);
    });
}

TEST_CASE("departures close a rule's time or its whole day, and are listed beside other times") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip({.duration = 1});
        shop.send("POST", "/recurring-availability",
                  weekly(trip.id, R"({"time_slots":[{"departure_time":"09:00"},{"departure_time":"15:00"}]})"));
        shop.given_departure(trip.id, "2026-05-06", 4, {.time = ClockTime::parse("09:00"), .sale_state = "blocked"});
        shop.given_departure(trip.id, "2026-05-13", 4, {.sale_state = "closed"});
        shop.given_departure(trip.id, "2026-05-20", 4, {.time = ClockTime::parse("15:00")});
        shop.given_departure(trip.id, "2026-05-20", 4, {.time = ClockTime::parse("19:00")});
        std::string seen;
        const auto shown = shop.get("/trips/1/available-dates?to_date=2026-05-20");
        for (const Value& row : shown.data().items())
            seen += row["date"].text().substr(5) + "@" + row["time"].text() + "=" + row["source"].text() + " ";
        CHECK(seen == "05-06@15:00=recurring 05-20@09:00=recurring 05-20@15:00=fixed 05-20@19:00=fixed ");
    });
}

TEST_CASE("answers have a tag, and a rule of another process is shown after a reload") {
    tests::each_database([](tests::Database& database) {
        CAPTURE(database.name());
        Shop there(database);
        const auto trip = there.given_trip({.duration = 1});
        there.given_departure(trip.id, "2026-05-07");
        Shop here(database);
        const auto first = here.get("/trips/1/available-dates");
        const auto again = here.get("/trips/1/available-dates", {{"If-None-Match", first.header("ETag")}});
        CHECK(again.status == 304);
        CHECK(again.text.empty());
        CHECK(first.header("Cache-Control") == "public, no-cache");
        const auto rule =
            there.send("POST", "/recurring-availability", weekly(trip.id, R"({"end_date":"2026-05-14"})"));
        CHECK(there.get("/trips/1/available-dates").column("date") == "2026-05-06 2026-05-07 2026-05-13");
        here.availability.calendar.reload_changed();
        CHECK(here.get("/trips/1/available-dates", {{"If-None-Match", first.header("ETag")}}).column("date") ==
              "2026-05-06 2026-05-07 2026-05-13");
        there.send("DELETE", "/recurring-availability/" + rule.data()["id"].dump());
        here.availability.calendar.reload_changed();
        CHECK(here.get("/trips/1/available-dates").column("date") == "2026-05-07");
    });
}

TEST_CASE("listeners take a date off sale and change what it costs, at each look") {
    each_shop([](Shop& shop) {
        static std::string price;
        price = "180";
        REQUIRE(shop.hooks.filter("svc_resolve_availability_object", {.name = "test"}, [](auto*, const auto& args) {
            return args[2].text() == "2026-05-13" ? Value() : args[0];
        }));
        REQUIRE(shop.hooks.filter("svc_availability_price", {.name = "test"},
                                  [](auto*, const auto&) { return Value(json::Number{price}); }));
        const auto trip = shop.given_trip({.duration = 1});
        shop.send("POST", "/recurring-availability", weekly(trip.id));
        const auto shown = [&] { return shop.get("/trips/1/available-dates?to_date=2026-05-20"); };
        CHECK(shown().column("date") == "2026-05-06 2026-05-20");
        CHECK(shown().column("price") == "180.00 180.00");
        CHECK(shown().column("original_price") == "200.00 200.00");
        price = "-5";
        CHECK(shown().column("price") == "0.00 0.00");
        price = "250";
        CHECK(shop.get("/trips/1/available-dates").data()[0]["price"].number_text() == "250.00");
        const auto priced = shop.get("/trips/1/date-pricing?date=2026-05-06").data();
        CHECK(priced["dynamic"]["applied"].boolean());
        CHECK(priced["dynamic"]["original"].number_text() == "200.00");
        CHECK(shop.get("/trips/1/date-pricing?date=2026-05-13").data()["status"].text() == "unavailable");
    });
}

TEST_CASE("a listener of all dates prices them in one call, each with its day and its seats") {
    each_shop([](Shop& shop) {
        static int calls;
        calls = 0;
        REQUIRE(shop.hooks.filter("svc_date_prices", {.name = "test"}, [](auto*, const auto& args) {
            ++calls;
            const auto& context = args[2];
            CHECK(context["categories"] == Value::array({0}));
            CHECK(context["available_capacity"][std::size_t{0}].integer() == 4);
            CHECK(context["max_capacity"][std::size_t{0}].integer() == 4);
            CHECK(context["regular_prices"][std::size_t{0}][std::size_t{0}].number_text() == "200.00");
            auto rows = args[0];
            for (std::size_t i = 0; i < rows.size(); ++i)
                if (context["dates"][i].text() == "2026-05-13")
                    rows.items()[i] = Value::array({json::Number{"120.5"}});
                else if (context["dates"][i].text() == "2026-05-20")
                    rows.items()[i] = Value("nothing");
            return rows;
        }));
        const auto trip = shop.given_trip({.duration = 1, .sale_price = "150"});
        shop.send("POST", "/recurring-availability", weekly(trip.id, R"({"seats_total":4})"));
        const auto shown = shop.get("/trips/1/available-dates?to_date=2026-05-20");
        CHECK(shown.column("price") == "150.00 120.50 150.00");
        CHECK(shown.column("original_price") == "200.00 200.00 200.00");
        CHECK(calls == 1);
        const auto priced = shop.get("/trips/1/date-pricing?date=2026-05-13").data();
        CHECK(priced["price"].number_text() == "120.50");
        CHECK(priced["dynamic"]["applied"].boolean());
        CHECK(priced["dynamic"]["original"].number_text() == "150.00");
    });
}

TEST_CASE("one date's price, or why it has none") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip({.duration = 1, .sale_price = "150"});
        shop.send("POST", "/recurring-availability",
                  weekly(trip.id, R"({"seats_total":4,"time_slots":[{"departure_time":"09:00"},
            {"departure_time":"15:00","price":260,"traveler_pricing":[{"category_id":3,"original_price":99}]}]})"));
        const auto of = [&](const std::string& query) { return shop.get("/trips/1/date-pricing?date=" + query); };
        const auto morning = of("2026-05-06").data();
        CHECK(morning["time"].text() == "09:00");
        CHECK(morning["price"].number_text() == "150.00");
        CHECK(morning["original_price"].number_text() == "200.00");
        CHECK(morning["discount_percent"].integer() == 25);
        CHECK(morning["departures_count"].integer() == 2);
        CHECK(morning["status"].text() == "available");
        CHECK(morning["travelers_html"].text().find("USD 150.00") != std::string::npos);
        const auto afternoon = of("2026-05-06&time=15:00").data();
        CHECK(afternoon["price"].number_text() == "260.00");
        CHECK(shop.get("/trips/1/available-dates").data()[1]["price_by_traveler_type"]["3"]["price"].number_text() ==
              "99.00");
        const auto crowded = of("2026-05-06&traveler_counts[]=3&traveler_counts[]=2").data();
        CHECK(crowded["status"].text() == "sold_out");
        CHECK(crowded["price"].is_null());
        CHECK(crowded["available_capacity"].integer() == 4);  // for fewer than five
        CHECK(of("2026-05-07").data()["status"].text() == "unavailable");
        CHECK(of("2026-05-07").data()["price"].is_null());
        CHECK(of("2026-05-07").data()["available_capacity"].integer() == 0);
        shop.clock.set("2026-05-05T12:00:00Z");
        CHECK(of("2026-05-06&time=09:00").data()["status"].text() == "closed");
        shop.given_departure(trip.id, "2026-05-13", 4, {.sale_state = "blocked"});
        CHECK(of("2026-05-13").data()["status"].text() == "blocked");
        CHECK(shop.get("/trips/1/date-pricing").field() == "date");
        CHECK(of("2026-02-30").field() == "date");
        CHECK(shop.get("/trips/999/date-pricing?date=2026-05-06").status == 404);
    });
}

TEST_CASE("date cards by month, sorted, paged and escaped") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip({.title = "<b>Nile</b> & \"more\"", .duration = 1});
        shop.send("POST", "/recurring-availability",
                  weekly(trip.id, R"({"end_date":"2026-06-10","time_slots":[{"departure_time":"09:00","price":90},
            {"departure_time":"15:00","price":80,"seats":3}]})"));
        REQUIRE(shop.take(trip, "2026-05-13", 1, 3, "15:00"));
        const auto page = [&](const std::string& query) { return shop.get("/trips/1/availability-template?" + query); };
        const auto all = page("");
        CHECK(
            all.data()["months"].dump() ==
            R"([{"value":"2026-05","label":"May 2026","count":8},{"value":"2026-06","label":"June 2026","count":4}])");
        CHECK(all.data()["total"].integer() == 12);
        CHECK(all.data()["dates"].size() == 10);
        CHECK(all.data()["has_more"].boolean());
        CHECK(all.body["meta"]["total_pages"].integer() == 2);
        CHECK(all.data()["dates"][3]["css_status"].text() == "svc-date--sold_out");
        CHECK(all.data()["dates"][0]["formatted_price"].text() == "USD 90.00");
        const std::string& html = all.data()["html"].text();
        CHECK(html.find("&lt;b&gt;Nile") != std::string::npos);
        CHECK(html.find("<b>") == std::string::npos);
        CHECK(html.find("Sold out") != std::string::npos);
        CHECK(page("partial=1").data()["html"].text().starts_with("<li"));
        for (const char* month : {"2026-06", "jun-2026", "Jun-2026"})
            CHECK(page(std::string("month_filter=") + month).data()["total"].integer() == 4);
        CHECK(page("month=all").data()["total"].integer() == 12);
        CHECK(page("month=2026-13").field() == "month");
        CHECK(page("per_page=500").data()["per_page"].integer() == 50);
        CHECK(page("per_page=0").field() == "per_page");
        CHECK(page("page=9").data()["dates"].size() == 0);
        CHECK(page("page=9223372036854775807").data()["dates"].size() == 0);
        CHECK(page("sort=price-asc").data()["dates"][0]["price"].number_text() == "80.00");
        CHECK(page("sort=date-desc").data()["dates"][0]["date"].text() == "2026-06-10");
        CHECK(page("sort=seats-desc").data()["dates"][0]["available_capacity"].integer() == 20);
        CHECK(page("sort=worst").field() == "sort");
        CHECK(page("num_travelers=4&date=2026-05-06").data()["html"].text().find("svc-date--selected") !=
              std::string::npos);
    });
}

TEST_CASE("a date that a rule produces says whether it can be booked: cut-off, notice, season and departures counted") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip({.duration = 1, .available_to = Sent<Date>(Date::parse("2026-05-27"))});
        const auto other = shop.given_trip({.duration = 1});
        // It is Monday 2026-05-04, 10:00.
        const auto daily = [&](std::int64_t id, const char* more) {
            auto rule = Value::object({{"trip_id", id},
                                       {"rule_type", "interval"},
                                       {"interval_days", 1},
                                       {"start_date", "2026-05-01"},
                                       {"departure_time", "12:00"},
                                       {"seats_total", 5}});
            const Value over = body(more);
            for (const auto& [name, value] : over.members())
                rule.set(name, value);
            return rule;
        };
        REQUIRE(shop.send("POST", "/recurring-availability", daily(trip.id, R"({"cutoff_hours":48})")).status == 201);
        const auto generated = [&](const char* from, const char* to) {
            const std::string query = std::string("&from_date=") + from + "&to_date=" + to;
            return shop.get("/availability/generated?trip_id=1" + query);
        };
        CHECK(generated("2026-05-02", "2026-05-08").column("status") ==
              "closed closed closed closed available available available");
        CHECK(generated("2026-05-26", "2026-05-29").column("status") == "available available closed closed");
        const auto noticed = shop.send("POST", "/recurring-availability/preview",
                                       daily(other.id, R"({"preview_limit":4,"advance_booking_days":3})"));
        std::string states;
        for (const auto& date : noticed.data()["dates"].items())
            states += date["status"].text() + " ";
        CHECK(states == "closed closed closed available ");

        shop.given_departure(trip.id, "2026-05-10", 2, {.time = ClockTime::parse("12:00")});
        REQUIRE(shop.take(trip, "2026-05-10", 1, 2, "12:00"));
        shop.given_departure(trip.id, "2026-05-11", 4, {.time = ClockTime::parse("12:00"), .sale_state = "blocked"});
        shop.given_departure(trip.id, "2026-05-12", 4, {.sale_state = "closed"});
        shop.given_departure(trip.id, "2026-05-13", 4, {.time = ClockTime::parse("08:00"), .sale_state = "closed"});
        const auto standing = generated("2026-05-09", "2026-05-13");
        CHECK(standing.column("status") == "available sold_out blocked closed available");
        CHECK(standing.column("seats_available") == "5 0 4 5 5");
        // Visitors meet the same.
        CHECK(dates_of(shop, trip.id, "?from_date=2026-05-02&to_date=2026-05-13") ==
              "2026-05-06 2026-05-07 2026-05-08 2026-05-09 2026-05-10 2026-05-13");
    });
}

TEST_CASE("a preview without a trip has no trip and no price but the rule's own") {
    each_shop([](Shop& shop) {
        const auto preview = [&](const char* more) {
            Value rule = weekly(1, more);
            rule.erase("trip_id");
            const auto shown = shop.send("POST", "/recurring-availability/preview", rule);
            REQUIRE(shown.status == 200);
            return shown.data()["dates"][0];
        };
        const auto bare = preview("{}");
        for (const char* member : {"trip_id", "original_price", "discounted_price", "discount_percentage"})
            CHECK(bare[member].is_null());
        CHECK(bare["seats_total"].integer() == 20);
        const auto priced = preview(R"({"original_price":100,"sale_price":80})");
        CHECK(priced["trip_id"].is_null());
        CHECK(priced["original_price"].number_text() == "100.00");
        CHECK(priced["discount_percentage"].integer() == 20);
    });
}

TEST_CASE("a rule's dates have the rule's price, unless their departure has its own") {
    each_shop([](Shop& shop) {
        const auto adult = shop.store->reading<std::int64_t>([](store::Session& session) {
            return session.number("SELECT id FROM svc_classifications WHERE slug = 'adult'", {});
        });
        catalog::trips::TripChange change{.duration = 1};
        change.price_types = {{.category_id = adult, .regular_price = "90"}};
        const auto trip = shop.given_trip(change);
        REQUIRE(shop.send("POST", "/recurring-availability",
                          weekly(trip.id, R"({"pricing_type":"traveler_based","original_price":70})"))
                    .status == 201);
        const auto of = [&](const char* name) {
            return shop.get("/trips/1/available-dates?to_date=2026-05-14").column(name);
        };
        CHECK(of("pricing_type") == "traveler_based traveler_based");
        CHECK(of("price") == "90.00 90.00");
        REQUIRE(shop.take(trip, "2026-05-13", 1));
        CHECK(of("pricing_type") == "traveler_based traveler_based");
        CHECK(shop.send("PUT", "/trips/1/departures/1", body(R"({"pricing_type":"regular"})")).status == 200);
        CHECK(of("pricing_type") == "traveler_based regular");
        CHECK(of("price") == "90.00 70.00");
    });
}

TEST_CASE("a listener takes a date that only a rule offers off sale, until somebody has booked it") {
    each_shop([](Shop& shop) {
        REQUIRE(shop.hooks.filter("svc_virtual_availability_object", {.name = "test"}, [](auto*, const auto& args) {
            return args[1].integer() == 1 && args[2].text() == "2026-05-13" ? Value() : args[0];
        }));
        const auto trip = shop.given_trip({.duration = 1});
        shop.send("POST", "/recurring-availability", weekly(trip.id));
        CHECK(dates_of(shop, trip.id, "?to_date=2026-05-20") == "2026-05-06 2026-05-20");
        REQUIRE(shop.take(trip, "2026-05-13", 1));
        CHECK(dates_of(shop, trip.id, "?to_date=2026-05-20") == "2026-05-06 2026-05-13 2026-05-20");
    });
}

TEST_CASE("an arrival before the start is on the next day: in rules, in what they produce and on departures") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip({.duration = 1});
        const auto made = shop.send("POST", "/recurring-availability", weekly(trip.id, R"({"time_slots":[
            {"departure_time":"22:00","arrival_time":"02:00"},{"departure_time":"09:00","arrival_time":"11:00"}]})"));
        REQUIRE(made.status == 201);
        CHECK_FALSE(made.data()["time_slots"][0]["arrives_next_day"].boolean());
        CHECK(made.data()["time_slots"][1]["arrives_next_day"].boolean());
        const auto preview =
            shop.get("/recurring-availability/" + std::to_string(made.data()["id"].integer())).data()["preview"];
        const auto& night = preview["dates"][1];
        CHECK(night["departure_time"].text() == "22:00");
        CHECK(Date::parse(night["arrival_date"].text()) == Date::parse(night["departure_date"].text())->plus_days(1));
        CHECK(preview["dates"][0]["arrival_date"] == preview["dates"][0]["departure_date"]);

        const auto sold = shop.send("POST", "/availability",
                                    body(R"({"departure_date":"2026-06-10",
            "departure_time":"22:00","arrival_time":"02:00","seats_total":8})")
                                        .set("trip_id", trip.id));
        REQUIRE(sold.status == 201);
        CHECK(sold.data()["arrival_date"].text() == "2026-06-11");
        const std::string id = std::to_string(sold.data()["id"].integer());
        // Sent back as it was answered it is the same departure.
        CHECK(
            shop.send("PUT", "/availability/" + id, body(R"({"arrival_date":"2026-06-11"})")).data()["arrival_date"] ==
            sold.data()["arrival_date"]);
        const auto departure = shop.get("/trips/" + std::to_string(trip.id) + "/departures/" + id).data();
        CHECK(departure["end_date"].text() == "2026-06-10");
        CHECK(departure["arrival_date"].text() == "2026-06-11");
    });
}

TEST_CASE("the week of a month is accepted as a number from 1 to 4 or -1, and answered by its name") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip({.duration = 1});
        const std::pair<const char*, const char*> weeks[] = {
            {"1", "first"}, {"4", "fourth"}, {"-1", "last"}, {R"("2")", "second"}, {R"("last")", "last"}};
        for (const auto& [sent, name] : weeks) {
            CAPTURE(sent);
            const auto made = shop.send(
                "POST", "/recurring-availability",
                weekly(trip.id, (R"({"rule_type":"monthly","days_of_week":null,"day_of_week":2,"week_of_month":)" +
                                 std::string(sent) + "}")
                                    .c_str()));
            REQUIRE(made.status == 201);
            CHECK(made.data()["week_of_month"].text() == name);
        }
        for (const char* wrong : {"0", "5", "-2", "1.5", "true"})
            CHECK(shop.send("POST", "/recurring-availability",
                            weekly(trip.id, (R"({"rule_type":"monthly","day_of_week":2,"week_of_month":)" +
                                             std::string(wrong) + "}")
                                                .c_str()))
                      .field() == "week_of_month");
    });
}

TEST_CASE("a preview reports that the rule produces more dates than it shows, and the end of its span") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip({.duration = 1});
        const auto preview = [&](const char* more) {
            return shop.send("POST", "/recurring-availability/preview", weekly(trip.id, more)).data();
        };
        CHECK_FALSE(preview(R"({"end_date":"2026-05-31"})")["truncated"].boolean());
        CHECK(preview(R"({"end_date":"2026-05-31"})")["until"].text() == "2026-05-31");
        CHECK(preview(R"({"end_date":"2026-05-31","preview_limit":1})")["truncated"].boolean());
        CHECK(preview(R"({"preview_limit":500})")["truncated"].boolean());  // it goes on behind its first year
        CHECK_FALSE(preview(R"({"start_date":"2026-01-01","end_date":"2026-02-01"})")["truncated"].boolean());
    });
}

TEST_CASE("lowering a rule's seats lists the departures that keep more, the earliest first") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip({.duration = 1});
        const auto made = shop.send("POST", "/recurring-availability", weekly(trip.id, R"({"seats_total":8})"));
        REQUIRE(made.status == 201);
        const auto rule = made.data()["id"].integer();
        const std::string at = "/recurring-availability/" + std::to_string(rule);
        for (const char* day : {"2026-06-10", "2026-05-20"}) {
            const auto sold =
                shop.send("POST", "/availability",
                          Value::object({{"trip_id", trip.id}, {"departure_date", day}, {"seats_total", 8}}));
            REQUIRE(sold.status == 201);
        }
        tests::execute(*shop.store,
                       {"UPDATE svc_departures SET rule_id = (SELECT MAX(id) FROM svc_availability_rules)"});
        const auto lowered = shop.send("PUT", at, body(R"({"seats_total":5})"));
        REQUIRE(lowered.status == 200);
        const auto& kept = lowered.data()["keeps_more_seats"];
        REQUIRE(kept.size() == 2);
        CHECK(kept[0]["date"].text() == "2026-05-20");
        CHECK(kept[0]["seats_total"].integer() == 8);
        CHECK(kept[0]["rule_seats"].integer() == 5);
        CHECK_FALSE(shop.send("PUT", at, body(R"({"name":"Other"})")).data().find("keeps_more_seats"));
        CHECK_FALSE(shop.send("PUT", at, body(R"({"seats_total":9})")).data().find("keeps_more_seats"));
    });
}
