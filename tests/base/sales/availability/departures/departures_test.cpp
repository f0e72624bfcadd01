// Departures as staff meet them on the wire.
#include <doctest/doctest.h>

#include "shared/core/log.hpp"
#include "tests/support/shop.hpp"

using namespace svc;
using tests::each_shop;
using tests::Shop;

namespace {

json::Value body(const char* text) { return json::parse(text).value(); }

}  // namespace

TEST_CASE("a departure takes its end and its seats from the trip unless they are sent") {
    each_shop([](Shop& shop) {
        shop.given_trip({.max_travelers = 16});
        const auto made = shop.send("POST", "/trips/1/departures", body(R"({"start_date":"2026-06-10"})"));
        REQUIRE(made.status == 201);
        CHECK(made.header("Location") == "/svc/v1/trips/1/departures/1");
        const auto& data = made.data();
        CHECK(data["end_date"].text() == "2026-06-13");
        CHECK(data["max_capacity"].integer() == 16);
        CHECK(data["availability"].text() == "available");
        CHECK(data["status"].text() == "upcoming");
        CHECK(data["source"].text() == "manual");
        CHECK(data["trip"]["slug"].text() == "nile-cruise");
        const auto read = shop.get("/trips/1/departures/1");
        CHECK(read.data()["trip"]["duration"].integer() == 4);
        CHECK(read.header("ETag") == "\"1\"");
        CHECK(shop.send("POST", "/trips/1/departures", body(R"({"date":"2026-06-10","time":"09:00","capacity":3})"))
                  .data()["available_capacity"]
                  .integer() == 3);
    });
}

TEST_CASE("a date and time is there once, no time being a time of its own") {
    each_shop([](Shop& shop) {
        shop.given_trip();
        const auto add = [&](const char* text) { return shop.send("POST", "/trips/1/departures", body(text)); };
        CHECK(add(R"({"start_date":"2026-06-10"})").status == 201);
        const auto again = add(R"({"start_date":"2026-06-10"})");
        CHECK(again.status == 409);
        CHECK(again.code() == "svc_conflict");
        CHECK(again.field() == "start_date");
        const auto midnight = add(R"({"start_date":"2026-06-10","time":"00:00"})");
        CHECK(midnight.status == 201);
        CHECK(shop.send("PUT", "/trips/1/departures/" + midnight.data()["id"].dump(), body(R"({"time":""})")).status ==
              409);
        CHECK(shop.send("DELETE", "/trips/1/departures/1").status == 200);
        CHECK(add(R"({"start_date":"2026-06-10"})").status == 201);
    });
}

TEST_CASE("what is wrong with a departure is named") {
    each_shop([](Shop& shop) {
        shop.given_trip();
        for (const auto& [text, field] :
             {std::pair(R"({})", "start_date"), std::pair(R"({"start_date":"10.6.2026"})", "start_date"),
              std::pair(R"({"start_date":"2026-06-10","end_date":"2026-06-09"})", "end_date"),
              std::pair(R"({"start_date":"2026-06-10","max_capacity":0})", "max_capacity"),
              std::pair(R"({"start_date":"2026-06-10","price_override":-1})", "price_override"),
              std::pair(R"({"start_date":"2026-06-10","sale_price":5})", "sale_price"),
              std::pair(R"({"start_date":"2026-06-10","price_override":5,"sale_price":6})", "sale_price"),
              std::pair(R"({"start_date":"2026-02-30"})", "start_date"),
              std::pair(R"({"start_date":"9999-12-31"})", "start_date"),
              std::pair(R"({"start_date":"2026-06-10","end_date":"2076-06-09"})", "end_date"),
              std::pair(R"({"start_date":"2026-06-10","return_date":"2026-06-09"})", "return_date"),
              std::pair(R"({"start_date":"2026-06-10","max_capacity":1099511627776})", "max_capacity"),
              std::pair(R"({"start_date":"2026-06-10","from_latitude":12})", "from_longitude"),
              std::pair(R"({"start_date":"2026-06-10","guide_user_id":77})", "guide_user_id"),
              std::pair(R"({"start_date":"2026-06-10","price_by_traveler_type":{"77":5}})", "price_by_traveler_type"),
              std::pair(R"({"start_date":"2026-06-10","time":"9"})", "time")}) {
            CAPTURE(text);
            const auto refused = shop.send("POST", "/trips/1/departures", body(text));
            CHECK(refused.status == 400);
            CHECK(refused.field() == field);
        }
        CHECK(shop.send("POST", "/trips/7/departures", body(R"({"start_date":"2026-06-10"})")).status == 404);
        shop.as({"svc_manage_departures"});
        CHECK(shop.send("POST", "/trips/1/departures", body(R"({"start_date":"2026-05-03"})")).field() == "start_date");
        CHECK(shop.send("POST", "/trips/1/departures", body(R"({"start_date":"2026-05-04"})")).status == 201);
    });
}

TEST_CASE("the capacity never goes below the seats booked") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip();
        shop.given_departure(trip.id, "2026-06-10", 10);
        REQUIRE(shop.take(trip, "2026-06-10", 1, 4));
        const auto refused = shop.send("PUT", "/trips/1/departures/1", body(R"({"max_capacity":3})"));
        CHECK(refused.status == 409);
        CHECK(refused.field() == "max_capacity");
        CHECK(refused.body["data"]["booked_count"].integer() == 4);
        const auto tight = shop.send("PUT", "/trips/1/departures/1", body(R"({"max_capacity":4})"));
        CHECK(tight.data()["status"].text() == "full");
        CHECK(tight.data()["availability"].text() == "full");
        CHECK(shop.send("PUT", "/trips/1/departures/1", body(R"({"max_capacity":5})")).data()["status"].text() ==
              "upcoming");
    });
}

TEST_CASE("a departure with bookings is not deleted and stays with its trip, but can be cancelled and reopened") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip();
        shop.given_departure(trip.id, "2026-06-10", 10);
        REQUIRE(shop.take(trip, "2026-06-10", 41, 4));
        shop.given_trip({.title = "Other"});
        const std::string path = "/trips/1/departures/1";
        CHECK(shop.send("DELETE", path).code() == "svc_in_use");
        CHECK(shop.send("PUT", path, body(R"({"status":"trash"})")).code() == "svc_in_use");
        CHECK(shop.send("PUT", path, body(R"({"trip_id":2})")).code() == "svc_in_use");
        CHECK(shop.send("PUT", path, body(R"({"trip_id":9})")).field() == "trip_id");
        const auto cancelled = shop.send("PUT", path, body(R"({"status":"cancelled"})"));
        CHECK(cancelled.data()["status"].text() == "cancelled");
        CHECK(cancelled.data()["sale_state"].text() == "cancelled");
        CHECK(cancelled.data()["booking_ids"].dump() == "[41]");
        CHECK(shop.take(trip, "2026-06-10", 42).error().code().name == "date_blocked");
        CHECK(shop.send("PUT", path, body(R"({"notes":"x"})")).data()["status"].text() == "cancelled");
        CHECK(shop.release(41));
        CHECK(shop.get(path).data()["status"].text() == "cancelled");
        CHECK(shop.send("PUT", path, body(R"({"status":"upcoming"})")).data()["sale_state"].text() == "open");
        CHECK(shop.take(trip, "2026-06-10", 42));
    });
}

TEST_CASE("an empty departure goes to the trash and comes back by a status") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip();
        shop.given_departure(trip.id, "2026-06-10");
        shop.as({"svc_manage_departures", "svc_view_departures", "svc_view_customers"});
        CHECK(shop.send("DELETE", "/trips/1/departures/1").status == 403);
        CHECK(shop.send("PUT", "/trips/1/departures/1", body(R"({"status":"trash"})")).status == 403);
        CHECK(shop.send("PUT", "/trips/1/departures/1", body(R"({"status":"cancelled"})")).status == 403);
        shop.as({"svc_manage_departures", "svc_view_departures", "svc_view_customers", "svc_cancel_departures"});
        CHECK(shop.send("DELETE", "/trips/1/departures/1").data()["deleted"].boolean());
        CHECK(shop.send("DELETE", "/trips/1/departures/1").status == 404);
        CHECK(shop.get("/departures").data().size() == 0);
        CHECK(shop.get("/departures?status=trash").data().size() == 1);
        CHECK(shop.get("/trips/1/departures/1").status == 404);
        CHECK(shop.send("PUT", "/trips/1/departures/1", body(R"({"notes":"x"})")).status == 404);
        CHECK(shop.send("PUT", "/trips/1/departures/1", body(R"({"status":"upcoming"})")).status == 200);
        CHECK(shop.get("/trips/1/departures/1").status == 200);
        CHECK(shop.send("PUT", "/trips/1/departures/1", body(R"({"status":"trash"})")).data()["status"].text() ==
              "trash");
        CHECK(shop.get("/trips/1/departures/1").status == 404);
        CHECK(shop.send("PUT", "/trips/1/departures/1", body(R"({"status":"upcoming"})")).status == 200);
        CHECK(shop.get("/trips/1/available-dates").data().size() == 1);
        shop.as({});
        CHECK(shop.get("/departures").status == 401);
    });
}

TEST_CASE("a departure is found under its own trip alone, and edits do not overwrite each other") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip();
        shop.given_trip();
        shop.given_departure(trip.id, "2026-06-10");
        CHECK(shop.get("/trips/2/departures/1").status == 404);
        CHECK(shop.send("PUT", "/trips/2/departures/1", body(R"({"notes":"x"})")).status == 404);
        CHECK(shop.send("DELETE", "/trips/2/departures/1").status == 404);
        REQUIRE(shop.take(trip, "2026-06-10", 1));  // seats are no edit
        CHECK(shop.send("PUT", "/trips/1/departures/1", body(R"({"notes":"a","row_version":1})")).status == 200);
        CHECK(shop.send("PUT", "/trips/1/departures/1", body(R"({"notes":"b","row_version":1})")).status == 409);
    });
}

TEST_CASE("a departure that is sent back as it was read keeps its version and emits nothing") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip();
        shop.given_departure(trip.id, "2026-06-10");
        const std::string path = "/trips/1/departures/1";
        REQUIRE(shop.send("PUT", path, body(R"({"notes":"a","seats_total":9,"price":55})")).status == 200);
        json::Value read = shop.get(path).data();
        const auto version = read["row_version"].integer();
        const auto before = shop.fired();
        shop.clock.advance(std::chrono::hours(1));
        for (const json::Value& same : {read, body(R"({"notes":"a"})"), body("{}")}) {
            const auto again = shop.send("PUT", path, same);
            CAPTURE(again.text);
            REQUIRE(again.status == 200);
            CHECK(again.data()["row_version"].integer() == version);
        }
        CHECK(shop.get(path).data()["updated_at"] == read["updated_at"]);
        CHECK(shop.fired() == before);
        CHECK(shop.send("PUT", path, body(R"({"notes":"b"})")).data()["row_version"].integer() == version + 1);
    });
}

TEST_CASE("a trip that had a planned departure never is open on every day again") {
    each_shop([](Shop& shop) {
        for (const char* end : {"DELETE", "PUT"}) {
            const auto trip = shop.given_trip();
            const auto departure = shop.given_departure(trip.id, "2026-06-10");
            const std::string path = "/trips/" + std::to_string(trip.id);
            REQUIRE(shop.send(end, path + "/departures/" + std::to_string(departure.id), body(R"({"status":"trash"})"))
                        .status == 200);
            CHECK(shop.get(path + "/available-dates").data().size() == 0);
            CHECK(shop.get(path + "/date-pricing?date=2026-06-11").data()["status"].text() == "unavailable");
            const auto taken = shop.take(trip, "2026-06-11", 1);
            REQUIRE_FALSE(taken);
            CHECK(taken.error().code().name == std::string_view("date_unavailable"));
        }
    });
}

TEST_CASE("a departure that is deleted or moved to another trip is not shown any more, by any process") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip(), other = shop.given_trip({.title = "Other"});
        shop.given_departure(trip.id, "2026-06-10");
        shop.given_departure(trip.id, "2026-06-11");
        shop.given_departure(trip.id, "2026-06-12");
        availability::Calendar elsewhere(*shop.store, shop.clock);
        elsewhere.load();
        shop.clock.advance(std::chrono::seconds(1));
        const auto shown_elsewhere = [&](std::int64_t id) {
            elsewhere.reload_changed();
            const auto dates = elsewhere.of(id);
            return std::count_if(dates->slots.begin(), dates->slots.end(),
                                 [](const auto& each) { return !each.is_deleted(); });
        };
        const auto dates = [&](const char* id) {
            return shop.get("/trips/" + std::string(id) + "/available-dates").column("date");
        };
        shop.send("DELETE", "/trips/1/departures/1");
        CHECK(dates("1") == "2026-06-11 2026-06-12");
        CHECK(shown_elsewhere(trip.id) == 2);
        REQUIRE(shop.send("PUT", "/trips/1/departures/2", body(R"({"trip_id":2})")).status == 200);
        CHECK(dates("1") == "2026-06-12");
        CHECK(dates("2") == "2026-06-11");
        CHECK(shown_elsewhere(trip.id) == 1);
        CHECK(shown_elsewhere(other.id) == 1);
        // And back.
        REQUIRE(shop.send("PUT", "/trips/2/departures/2", body(R"({"trip_id":1})")).status == 200);
        REQUIRE(shop.send("PUT", "/trips/1/departures/1", body(R"({"status":"upcoming"})")).status == 200);
        CHECK(dates("1") == "2026-06-10 2026-06-11 2026-06-12");
        CHECK(shown_elsewhere(trip.id) == 3);
        CHECK(shown_elsewhere(other.id) == 0);
    });
}

TEST_CASE("one departure returns its trip's places and difficulty") {
    each_shop([](Shop& shop) {
        const auto made = shop.send("POST", "/difficulty-levels", body(R"({"name":"Hard","status":"publish"})"));
        REQUIRE(made.status == 201);
        shop.given_departure(shop.given_trip().id, "2026-06-10");
        shop.send("PUT", "/trips/1",
                  json::Value::object({{"starting_location", "Luxor"},
                                       {"ending_location", "Aswan"},
                                       {"difficulty_level", made.data()["id"]}}));
        const auto told = shop.get("/trips/1/departures/1").data()["trip"];
        CHECK(told["starting_location"].text() == "Luxor");
        CHECK(told["ending_location"].text() == "Aswan");
        CHECK(told["difficulty_level"].integer() == made.data()["id"].integer());
    });
}

TEST_CASE("every edit emits an event, a change of seats does not") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip();
        const auto before = shop.fired().size();
        shop.given_departure(trip.id, "2026-06-10");
        shop.send("PUT", "/trips/1/departures/1", body(R"({"notes":"x"})"));
        REQUIRE(shop.take(trip, "2026-06-10", 1));
        shop.release(1);
        shop.send("DELETE", "/trips/1/departures/1");
        auto fired = shop.fired();
        fired.erase(fired.begin(), fired.begin() + static_cast<std::ptrdiff_t>(before));
        CHECK(fired.size() == 10);
        CHECK(std::count(fired.begin(), fired.end(), "svc_departure_saved") == 3);
        for (const char* once :
             {"svc_availability_specific_date_created", "svc_availability_specific_date_updated",
              "svc_availability_specific_date_before_delete", "svc_availability_specific_date_deleted"})
            CHECK(std::count(fired.begin(), fired.end(), once) == 1);
        CHECK(std::count(fired.begin(), fired.end(), "svc_availability_updated") == 3);
    });
}

namespace {

// 1 past, 2 partial, 3 full, 4 empty, 5 cancelled, 6 trashed; all of trip 1. 7 of trip 2.
void given_departures(Shop& shop) {
    const auto trip = shop.given_trip(), other = shop.given_trip({.title = "Other"});
    shop.given_departure(trip.id, "2026-04-10", 4);
    shop.given_departure(trip.id, "2026-06-12", 4, {.notes = "Ärzte group, 50% deposit"});
    shop.given_departure(trip.id, "2026-06-11", 2, {.time = ClockTime::parse("09:00")});
    shop.given_departure(trip.id, "2026-06-11", 4);
    shop.given_departure(trip.id, "2026-07-01", 4);
    shop.given_departure(trip.id, "2026-07-02", 4);
    shop.given_departure(other.id, "2026-06-20", 4);
    REQUIRE(shop.take(trip, "2026-06-12", 1, 1));
    REQUIRE(shop.take(trip, "2026-06-11", 2, 2, "09:00"));
    shop.send("PUT", "/trips/1/departures/5", body(R"({"status":"cancelled"})"));
    shop.send("DELETE", "/trips/1/departures/6");
}

}  // namespace

TEST_CASE("status=upcoming lists every future departure, full ones included; full, past and the rest are themselves") {
    each_shop([](Shop& shop) {
        given_departures(shop);
        const auto ids = [&](const std::string& query) {
            return shop.get("/trips/1/departures?" + query).column("id");
        };
        CHECK(ids("") == "1 4 3 2 5");
        CHECK(ids("status=all") == "1 4 3 2 5");
        CHECK(ids("status=upcoming") == "4 3 2");
        CHECK(ids("status=full") == "3");
        CHECK(ids("status=past") == "1");
        CHECK(ids("status=cancelled") == "5");
        CHECK(ids("status=trash") == "6");
        CHECK(shop.get("/departures?status=upcoming").column("id") == "4 3 2 7");
        CHECK(shop.get("/departures?status=soon").field() == "status");
        CHECK(shop.get("/trips/9/departures").status == 404);
    });
}

TEST_CASE("availability is computed from the seats booked now and combines with status") {
    each_shop([](Shop& shop) {
        given_departures(shop);
        const auto ids = [&](const std::string& query) { return shop.get("/departures?" + query).column("id"); };
        CHECK(ids("availability=available") == "1 4 7 5");
        CHECK(ids("availability=partial") == "2");
        CHECK(ids("availability=full") == "3");
        CHECK(ids("availability=full&status=upcoming") == "3");
        CHECK(ids("availability=available&status=upcoming") == "4 7");
        shop.release(2);
        CHECK(ids("availability=full") == "");
        CHECK(shop.get("/departures?availability=some").field() == "availability");
    });
}

TEST_CASE("search finds start date, end date or notes and combines with filters, counts and pages") {
    each_shop([](Shop& shop) {
        given_departures(shop);
        const auto ids = [&](const std::string& query) { return shop.get("/departures?" + query).column("id"); };
        CHECK(ids("search=2026-06-11") == "4 3");
        CHECK(ids("search=2026-06-14") == "4 3");  // the day they end
        CHECK(ids("search=%C3%A4RZTE") == "2");
        CHECK(ids("search=50%25") == "2");
        REQUIRE(shop.settings.write(json::Value::object({{"date_format", "l, j F Y"}}), shop.staff_id));
        CHECK(ids("search=11+june") == "4 3");
        CHECK(ids("search=sunday") == "4 3");  // the day they end
        CHECK(ids("search=12+June+2026&availability=partial") == "2");
        CHECK(ids("search=June+2027") == "");
        CHECK(ids("search=2026-06-11") == "4 3");
        CHECK(ids("search=2026-06&availability=available") == "4 7");
        const auto found = shop.get("/departures?search=2026-06&status=full&per_page=1");
        CHECK(found.column("id") == "3");
        CHECK(found.body["meta"]["counts"].dump() ==
              R"({"all":4,"upcoming":4,"full":1,"past":0,"cancelled":0,"trash":0})");
        CHECK(shop.get("/departures").body["meta"]["counts"].dump() ==
              R"({"all":6,"upcoming":4,"full":1,"past":1,"cancelled":1,"trash":1})");
    });
}

TEST_CASE("departures are paged like every list, also when no size is named") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip();
        for (int day = 1; day <= 25; ++day)
            shop.given_departure(trip.id, Date::from(2026, 6, 1).plus_days(day).text().c_str());
        const auto all = shop.get("/departures");
        CHECK(all.data().size() == 20);
        CHECK(all.body["meta"]["page"].integer() == 1);
        CHECK(all.body["meta"]["per_page"].integer() == 20);
        CHECK(all.body["meta"]["total"].integer() == 25);
        CHECK(all.body["meta"]["total_pages"].integer() == 2);
        CHECK(shop.get("/departures?page=2").data().size() == 5);
        const auto page = shop.get("/departures?per_page=10&page=3");
        CHECK(page.data().size() == 5);
        CHECK(page.header("X-Host-Total") == "25");
        CHECK(page.header("X-Host-TotalPages") == "3");
        CHECK(shop.get("/departures?per_page=1000").body["meta"]["per_page"].integer() == 100);
        CHECK(shop.get("/departures?per_page=0").field() == "per_page");
        CHECK(shop.get("/departures?per_page=10&order=desc").data()[0]["start_date"].text() == "2026-06-26");
        CHECK(shop.get("/departures?from=2026-06-20&to=2026-06-22").data().size() == 3);
        CHECK(shop.get("/departures?from=2026-06-23&to=2026-06-22").field() == "from");
        CHECK(shop.get("/departures?from=2026-06-20T00:00:00Z&to=2026-06-22T09:30:00Z").data().size() == 3);
        CHECK(shop.get("/departures?from=2026-06-31").field() == "from");
        CHECK(shop.get("/departures?to=soon").field() == "to");
    });
}

TEST_CASE("ended departures are left out on request, and sources are distinguished") {
    each_shop([](Shop& shop) {
        given_departures(shop);
        CHECK(shop.get("/departures?include_past=0").column("id") == "4 3 2 7 5");
        CHECK(shop.get("/departures?source=booking_created").data().size() == 0);
        const auto open = shop.given_trip({.title = "Open"});
        REQUIRE(shop.take(open, "2026-06-15", 9));
        CHECK(shop.get("/departures?source=booking_created").column("id") == "8");
        CHECK(shop.get("/departures?source=manual").data().size() == 6);
    });
}

TEST_CASE("the daily job ends what is over") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip();
        shop.given_departure(trip.id, "2026-06-10", 2);
        REQUIRE(shop.take(trip, "2026-06-10", 1, 2));
        const auto status = [&] { return shop.get("/trips/1/departures/1").data()["status"].text(); };
        CHECK(status() == "full");
        shop.clock.set("2026-06-13T23:00:00Z");
        CHECK(shop.availability.upkeep.refresh_statuses(shop.clock.now())->dump() ==
              R"({"past":0,"full":0,"upcoming":0})");
        shop.clock.set("2026-06-14T00:00:30Z");
        CHECK(shop.availability.upkeep.refresh_statuses(shop.clock.now())->dump() ==
              R"({"past":1,"full":0,"upcoming":0})");
        CHECK(status() == "past");
    });
}

TEST_CASE("a trip whose only planned departure moved to another one does not open on every day") {
    tests::each_database([](tests::Database& database) {
        CAPTURE(database.name());
        Shop here(database), there(database);
        const auto from = here.given_trip(), to = here.given_trip({.title = "Other"});
        there.trips.public_trips().reload_changed();
        here.given_departure(from.id, "2026-06-10");
        there.availability.calendar.reload_changed();
        const auto dates = [](Shop& shop, std::int64_t trip) {
            return shop.get("/trips/" + std::to_string(trip) + "/available-dates?to_date=2026-06-30").column("date");
        };
        CHECK(dates(there, from.id) == "2026-06-10");
        REQUIRE(here.send("PUT", "/trips/1/departures/1", json::Value::object({{"trip_id", to.id}})).status == 200);
        there.availability.calendar.reload_changed();
        for (Shop* each : {&here, &there}) {
            CHECK(dates(*each, from.id) == "");
            CHECK(dates(*each, to.id) == "2026-06-10");
            each->availability.calendar.load();
            CHECK(dates(*each, from.id) == "");
        }
        CHECK(here.take(from, "2026-06-11", 1).error().code().name == "date_unavailable");
    });
}

TEST_CASE("a refused departure names every field at fault, by shape and by rule") {
    each_shop([](Shop& shop) {
        shop.given_trip();
        shop.as({"svc_edit_trips", "svc_manage_departures", "svc_view_departures", "svc_view_customers"});
        const auto names = [](const tests::Answered& refused) {
            std::string all;
            for (const auto& [name, sentences] : refused.body["data"]["errors"].members())
                all += name + " ";
            return std::to_string(refused.status) + " " + all;
        };
        const char* wrong = R"({"start_date":"2020-01-01","end_date":"2019-01-01","max_capacity":"many",)"
                            R"("price_override":10,"sale_price":20,"guide_user_id":4711,"from_latitude":9})";
        CHECK(names(shop.send("POST", "/trips/1/departures", body(wrong))) ==
              "400 max_capacity start_date guide_user_id end_date sale_price from_longitude ");
        CHECK(names(shop.send("POST", "/trips/1/departures", body(R"({"end_date":"2019-01-01","sale_price":20})"))) ==
              "400 start_date sale_price ");
        const auto sold = R"({"trip_id":1,"departure_date":"2020-01-01","seats_total":0,"original_price":10,)"
                          R"("discounted_price":20,"price_types":[{"category_id":4711,"original_price":1}]})";
        CHECK(names(shop.send("POST", "/availability", body(sold))) ==
              "400 seats_total departure_date price_types discounted_price ");
        const auto made = shop.send("POST", "/trips/1/departures", body(R"({"start_date":"2026-06-10"})"));
        REQUIRE(made.status == 201);
        CHECK(names(shop.send("PUT", "/trips/1/departures/1",
                              body(R"({"end_date":"2026-06-09","max_capacity":0,"guide_user_id":4711})"))) ==
              "400 max_capacity guide_user_id end_date ");
        CHECK(shop.get("/trips/1/departures/1").data()["row_version"].integer() == 1);
    });
}
