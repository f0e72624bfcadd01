// Which dates can be bought, by tables; then as a visitor asks for them.
#include "base/sales/availability/dates/dates.hpp"

#include <doctest/doctest.h>

#include "base/sales/availability/record/hooks.hpp"
#include "tests/support/shop.hpp"

using namespace svc;
using namespace svc::availability;
using tests::each_shop;
using tests::Shop;

namespace {

Moment moment(const char* now = "2026-05-04T10:00:00Z", const char* zone = "UTC") {
    return {Instant::parse(now).value(), Zone::named(zone).value()};
}

catalog::trips::Trip trip_of_one_day() {
    catalog::trips::Trip trip;
    trip.id = 1;
    trip.status = catalog::trips::TripStatus::publish;
    trip.type = catalog::trips::TripType::single_day;
    trip.duration_days = 1;
    trip.regular_price = Money{20'000, Currency::usd()};
    return trip;
}

Slot slot(std::int64_t id, const char* date, const char* time = "", int capacity = 10, int booked = 0,
          SaleState state = SaleState::open) {
    Slot made;
    made.id = id;
    made.trip_id = 1;
    made.sale_state = state;
    made.start_date = made.end_date = Date::parse(date).value();
    made.time = ClockTime::parse(time);
    made.capacity = capacity;
    made.booked = booked;
    return made;
}

// "date[@time] free;" each, in order.
std::string dates(const catalog::trips::Trip& trip, const std::vector<Slot>& slots, const char* first, const char* last,
                  bool planned = true, const Moment& at = moment()) {
    std::string text;
    for (const Bookable& each : bookable_dates(
             trip, {slots, planned}, {.first = Date::parse(first).value(), .last = Date::parse(last).value()}, at))
        text += each.date.text() + (each.time ? "@" + each.time->text() : "") + " " + std::to_string(each.available()) +
                ";";
    return text;
}

std::string resolved(const catalog::trips::Trip& trip, const std::vector<Slot>& slots, const char* date,
                     const char* time = "", int seats = 1, bool planned = true) {
    const auto found =
        resolve(trip, {slots, planned}, Date::parse(date).value(), ClockTime::parse(time), seats, moment());
    if (!found)
        return std::string(found.error().code().name);
    return found->departure_id ? std::to_string(*found->departure_id) : "open";
}

}  // namespace

TEST_CASE("limited is a fifth of the capacity or less, rounded up") {
    const std::pair<int, int> edges[] = {{10, 2}, {12, 3}, {1, 1}, {5, 1}, {6, 2}, {100, 20}};
    for (const auto& [capacity, limit] : edges) {
        CAPTURE(capacity);
        CHECK(seats_status(capacity, 0) == "sold_out");
        CHECK(seats_status(capacity, limit) == "limited");
        if (limit < capacity)
            CHECK(seats_status(capacity, limit + 1) == "available");
    }
}

TEST_CASE("the class of capacity follows the seats booked") {
    CHECK(capacity_class(5, 0) == "available");
    CHECK(capacity_class(5, 1) == "partial");
    CHECK(capacity_class(5, 4) == "partial");
    CHECK(capacity_class(5, 5) == "full");
}

TEST_CASE("dates are in order of day and time, without a time first, and never outside the trip's own season") {
    auto trip = trip_of_one_day();
    const std::vector<Slot> slots{slot(1, "2026-06-11", "14:00"), slot(2, "2026-06-11", "09:00", 8, 3),
                                  slot(3, "2026-06-10"), slot(4, "2026-06-11")};
    CHECK(dates(trip, slots, "2026-06-01", "2026-06-30") ==
          "2026-06-10 10;2026-06-11 10;2026-06-11@09:00 5;2026-06-11@14:00 10;");
    trip.available_from = Date::from(2026, 6, 11);
    CHECK(dates(trip, slots, "2026-06-01", "2026-06-30") == "2026-06-11 10;2026-06-11@09:00 5;2026-06-11@14:00 10;");
    CHECK(resolved(trip, slots, "2026-06-10") == "date_unavailable");
}

TEST_CASE("a departure that is off sale takes its own time with it, one without a time the whole day") {
    const auto trip = trip_of_one_day();
    const auto closed = slot(1, "2026-06-10", "09:00", 10, 0, SaleState::blocked);
    const auto other = slot(2, "2026-06-10", "14:00");
    CHECK(dates(trip, {closed, other}, "2026-06-01", "2026-06-30") == "2026-06-10@14:00 10;");
    CHECK(resolved(trip, {closed, other}, "2026-06-10", "09:00") == "date_blocked");
    CHECK(resolved(trip, {closed, other}, "2026-06-10", "14:00") == "2");
    CHECK(resolved(trip, {closed, other}, "2026-06-10") == "2");
    for (const auto state : {SaleState::blocked, SaleState::closed, SaleState::unavailable, SaleState::cancelled}) {
        const auto day = slot(3, "2026-06-10", "", 10, 0, state);
        CHECK(dates(trip, {day, other}, "2026-06-01", "2026-06-30") == "");
        CHECK(resolved(trip, {day, other}, "2026-06-10", "14:00") == "date_blocked");
    }
    auto cancelled = other;
    cancelled.status = Status::cancelled;
    CHECK(dates(trip, {cancelled}, "2026-06-01", "2026-06-30") == "");
    CHECK(resolved(trip, {cancelled}, "2026-06-10") == "date_blocked");
}

TEST_CASE("the first departure with the seats is the one, else the date is sold out and says how many are left") {
    const auto trip = trip_of_one_day();
    const std::vector<Slot> slots{slot(1, "2026-06-10", "09:00", 10, 9), slot(2, "2026-06-10", "14:00", 10, 5)};
    CHECK(resolved(trip, slots, "2026-06-10", "", 1) == "1");
    CHECK(resolved(trip, slots, "2026-06-10", "", 2) == "2");
    CHECK(resolved(trip, slots, "2026-06-10", "09:00", 2) == "sold_out");
    const auto refused = resolve(trip, {slots, true}, Date::from(2026, 6, 10), std::nullopt, 6, moment());
    REQUIRE_FALSE(refused);
    CHECK(refused.error().data().front() == std::pair<std::string, std::string>("available", "5"));
    CHECK(resolved(trip, slots, "2026-06-10", "11:00") == "date_unavailable");
    CHECK(resolved(trip, slots, "2026-06-12") == "date_unavailable");
}

TEST_CASE("a trip that nobody planned dates for is open on every day, another one never is") {
    auto trip = trip_of_one_day();
    trip.max_travelers = 6;
    CHECK(dates(trip, {}, "2026-06-10", "2026-06-12", false) == "2026-06-10 6;2026-06-11 6;2026-06-12 6;");
    CHECK(dates(trip, {}, "2026-06-10", "2026-06-12", true) == "");
    auto sold = slot(7, "2026-06-11", "", 6, 4);
    sold.origin = Origin::open;
    CHECK(dates(trip, {sold}, "2026-06-10", "2026-06-12", false) == "2026-06-10 6;2026-06-11 2;2026-06-12 6;");
    auto blocked = sold;
    blocked.sale_state = SaleState::blocked;
    CHECK(dates(trip, {blocked}, "2026-06-10", "2026-06-12", false) == "2026-06-10 6;2026-06-12 6;");
    CHECK(resolved(trip, {}, "2026-06-10", "", 6, false) == "open");
    CHECK(resolved(trip, {}, "2026-06-10", "", 7, false) == "sold_out");
    CHECK(resolved(trip, {}, "2026-06-10", "09:00", 1, false) == "date_unavailable");
    trip.departure_time = ClockTime::parse("09:00");
    CHECK(dates(trip, {}, "2026-06-10", "2026-06-10", false) == "2026-06-10@09:00 6;");
    CHECK(resolved(trip, {}, "2026-06-10", "09:00", 1, false) == "open");
    CHECK(resolved(trip, {}, "2026-05-03", "09:00", 1, false) == "date_unavailable");
    CHECK(resolved(trip, {}, "2046-05-03", "09:00", 1, false) == "date_unavailable");
    trip.status = catalog::trips::TripStatus::draft;
    CHECK(resolved(trip, {}, "2026-06-10", "09:00", 1, false) == "date_unavailable");
}

TEST_CASE("booking closes that many hours before the start, by the site's clock") {
    auto trip = trip_of_one_day();
    const auto nine = slot(1, "2026-06-10", "09:00"), day = slot(2, "2026-06-10");
    const auto closes = [&](const Slot& each, const char* zone) {
        return cutoff_of(trip, &each, each.start_date, each.time, Zone::named(zone).value()).text();
    };
    CHECK(closes(nine, "UTC") == "2026-06-09T09:00:00Z");
    CHECK(closes(day, "UTC") == "2026-06-09T00:00:00Z");
    CHECK(closes(nine, "America/New_York") == "2026-06-09T13:00:00Z");
    CHECK(dates(trip, {nine}, "2026-06-01", "2026-06-30", true, moment("2026-06-09T08:59:59Z")) ==
          "2026-06-10@09:00 10;");
    CHECK(dates(trip, {nine}, "2026-06-01", "2026-06-30", true, moment("2026-06-09T09:00:00Z")) == "");
    auto late = nine;
    late.cutoff_hours = 0;
    CHECK(closes(late, "UTC") == "2026-06-10T09:00:00Z");
    late.cutoff_date = Date::from(2026, 6, 5);
    CHECK(closes(late, "UTC") == "2026-06-06T00:00:00Z");
}

TEST_CASE("a whole day without hours of notice can be booked until it is over, by the site's clock") {
    auto trip = trip_of_one_day();
    auto day = slot(2, "2026-06-10");
    day.cutoff_hours = 0;
    day.cutoff_date = Date::from(2026, 6, 10);
    const auto closes = [&](const char* zone) {
        return cutoff_of(trip, &day, day.start_date, day.time, Zone::named(zone).value()).text();
    };
    CHECK(closes("UTC") == "2026-06-11T00:00:00Z");
    CHECK(closes("America/New_York") == "2026-06-11T04:00:00Z");
    CHECK(dates(trip, {day}, "2026-06-01", "2026-06-30", true, moment("2026-06-10T23:59:59Z")) == "2026-06-10 10;");
    CHECK(dates(trip, {day}, "2026-06-01", "2026-06-30", true, moment("2026-06-11T00:00:00Z")) == "");
    day.cutoff_date.reset();
    CHECK(closes("UTC") == "2026-06-11T00:00:00Z");
}

TEST_CASE("an arrival before the start is on the next day, on the last day of a longer trip on that day") {
    const auto at = [](const char* text) { return ClockTime::parse(text); };
    const Date first = Date::from(2026, 6, 10), last = Date::from(2026, 6, 12);
    CHECK(arrival_day(first, first, at("22:00"), at("02:00")) == Date::from(2026, 6, 11));
    CHECK(arrival_day(first, first, at("09:00"), at("18:00")) == first);
    CHECK(arrival_day(first, first, at("09:00"), at("09:00")) == first);
    CHECK(arrival_day(first, last, at("22:00"), at("02:00")) == last);
    CHECK(arrival_day(first, first, std::nullopt, at("02:00")) == first);
    CHECK(arrival_day(first, first, at("22:00"), std::nullopt) == first);
}

TEST_CASE("list and sale price come as a pair from the departure, or both from the trip") {
    auto trip = trip_of_one_day();
    trip.sale_price = Money{15'000, Currency::usd()};
    auto own = slot(1, "2026-06-10");
    CHECK(availability::price_of(trip, own).effective().decimal() == "150.00");
    own.regular_price = Money{26'000, Currency::usd()};
    CHECK(availability::price_of(trip, own).effective().decimal() == "260.00");
    own.sale_price = Money{24'000, Currency::usd()};
    CHECK(availability::price_of(trip, own).effective().decimal() == "240.00");
}

TEST_CASE("available-dates offers dates from today to the horizon") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip();
        for (const char* date : {"2026-05-03", "2026-06-10", "2027-05-04", "2027-05-05"})
            shop.given_departure(trip.id, date);
        shop.as({});
        const std::string path = "/trips/" + std::to_string(trip.id) + "/available-dates";
        CHECK(shop.get(path).column("date") == "2026-06-10 2027-05-04");
        CHECK(shop.get(path + "?to_date=2030-01-01").column("date") == "2026-06-10 2027-05-04 2027-05-05");
        CHECK(shop.get(path + "?from_date=2026-07-01").column("date") == "2027-05-04");
        CHECK(shop.get(path + "?from_date=2020-01-01&to_date=2026-12-31").column("date") == "2026-06-10");
        REQUIRE(shop.settings.write(json::Value::object({{"booking_horizon_months", 1}}), shop.staff_id));
        CHECK(shop.get(path).column("date") == "");
        CHECK(shop.get(path).header("Cache-Control") == "public, no-cache");
        for (const auto& [sent, stored] : {std::pair{37, 36}, {0, 1}, {-5, 1}, {24, 24}}) {
            REQUIRE(shop.settings.write(json::Value::object({{"availability_horizon_months", sent}}), 0));
            CHECK(shop.settings.integer("availability_horizon_months") == stored);
        }
        for (const auto& [query, field] :
             {std::pair("from_date=2026-02-30", "from_date"), std::pair("to_date=soon", "to_date"),
              std::pair("from_date=2026-07-02&to_date=2026-07-01", "from_date"), std::pair("travelers=0", "travelers"),
              std::pair("time=25:00", "time")}) {
            const auto refused = shop.get(path + "?" + query);
            CHECK(refused.status == 400);
            CHECK(refused.field() == field);
        }
    });
}

TEST_CASE("a listener may move the horizon within 1 to 36 months; an explicit to_date is not moved") {
    each_shop([](Shop& shop) {
        static std::string answer;
        REQUIRE(shop.hooks.filter("svc_availability_horizon_months", {.name = "test"},
                                  [](auto*, const auto&) { return json::Value(json::Number{answer}); }));
        const auto trip = shop.given_trip();
        for (const char* date : {"2026-06-04", "2026-06-05", "2027-05-04", "2028-05-04"})
            shop.given_departure(trip.id, date);
        const std::string path = "/trips/" + std::to_string(trip.id) + "/available-dates";
        for (const auto& [months, dates] : {std::pair("1", 1), std::pair("24", 4), std::pair("0", 3),
                                            std::pair("37", 3), std::pair("-1", 3), std::pair("1.5", 3)}) {
            CAPTURE(months);
            answer = months;
            CHECK(shop.get(path).data().size() == static_cast<std::size_t>(dates));
        }
        answer = "1";
        CHECK(shop.get(path + "?to_date=2027-12-31").data().size() == 3);
    });
}

TEST_CASE("a trip's own last day wins when it is earlier, and only published trips have dates") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip({.trip_type = "single_day", .available_to = Date::from(2026, 5, 7)});
        const std::string path = "/trips/" + std::to_string(trip.id);
        CHECK(shop.get(path + "/available-dates").column("date") == "2026-05-06 2026-05-07");
        CHECK(shop.get(path + "/available-dates?to_date=2030-01-01").column("date") == "2026-05-06 2026-05-07");
        shop.send("PUT", path, json::parse(R"({"status":"draft"})").value());
        CHECK(shop.get(path + "/available-dates").code() == "trip_not_found");
        CHECK(shop.get("/trips/999/available-dates").status == 404);
    });
}

TEST_CASE("a row has every member that a buyer needs") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip({.sale_price = "150"});
        shop.given_departure(trip.id, "2026-06-10", 12, {.time = ClockTime::parse("09:00"), .regular_price = "260"});
        shop.given_departure(trip.id, "2026-06-10", 12, {.time = ClockTime::parse("14:30")});
        REQUIRE(shop.take(trip, "2026-06-10", 1, 9, "09:00"));
        const auto rows = shop.get("/trips/1/available-dates").data();
        REQUIRE(rows.size() == 2);
        CHECK(
            rows[0].dump() ==
            R"({"id":1,"date":"2026-06-10","time":"09:00","end_date":"2026-06-13","max_capacity":12,"booked_count":9,)"
            R"("available_capacity":3,"status":"limited","is_full":false,"source":"fixed","rule_id":null,)"
            R"("pricing_type":"regular","price":260.00,"original_price":260.00,"price_override":260.00,"price_by_traveler_type":null,)"
            R"("currency":"USD","waitlist":false,"cutoff_at":"2026-06-09T09:00:00Z","departure_times":)"
            R"([{"time":"09:00","available_capacity":3,"price":260.00},)"
            R"({"time":"14:30","available_capacity":12,"price":150.00}]})");
        CHECK(rows[1]["price"].number_text() == "150.00");
        CHECK(rows[1]["original_price"].number_text() == "200.00");
        CHECK(rows[1]["price_override"].is_null());
        CHECK(shop.get("/trips/1/available-dates?time=14:30").data().size() == 1);
        CHECK(shop.get("/trips/1/available-dates?travelers=4").column("time") == "14:30");
    });
}

TEST_CASE("sold-out dates are listed unless the setting says otherwise") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip();
        shop.given_departure(trip.id, "2026-06-10", 2);
        REQUIRE(shop.take(trip, "2026-06-10", 1, 2));
        const auto rows = shop.get("/trips/1/available-dates").data();
        REQUIRE(rows.size() == 1);
        CHECK(rows[0]["status"].text() == "sold_out");
        CHECK(rows[0]["is_full"].boolean());
        REQUIRE(shop.settings.write(json::Value::object({{"show_sold_out", false}}), shop.staff_id));
        CHECK(shop.get("/trips/1/available-dates").data().size() == 0);
    });
}

TEST_CASE("an answer from memory follows seats, edits, trips, cut-offs and the day at once") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip();
        const auto departure = shop.given_departure(trip.id, "2026-06-10", 10);
        const auto shown = [&] {
            const auto rows = shop.get("/trips/1/available-dates").data();
            return rows.size() == 0 ? std::string("none")
                                    : rows[0]["available_capacity"].dump() + " at " + rows[0]["price"].dump();
        };
        CHECK(shown() == "10 at 200.00");
        REQUIRE(shop.take(trip, "2026-06-10", 1, 3));
        CHECK(shown() == "7 at 200.00");
        CHECK(shop.release(1));
        CHECK(shown() == "10 at 200.00");
        const std::string path = "/trips/1/departures/" + std::to_string(departure.id);
        shop.send("PUT", path, json::parse(R"({"max_capacity":4})").value());
        CHECK(shown() == "4 at 200.00");
        shop.send("PUT", "/trips/1", json::parse(R"({"regular_price":210})").value());
        CHECK(shown() == "4 at 210.00");
        shop.clock.set("2026-06-08T23:59:59Z");
        CHECK(shown() == "4 at 210.00");
        shop.clock.set("2026-06-09T00:00:00Z");
        CHECK(shown() == "none");
    });
}

TEST_CASE("what another process sold is shown after a reload") {
    tests::each_database([](tests::Database& database) {
        CAPTURE(database.name());
        Shop there(database);
        const auto trip = there.given_trip();
        const auto first = there.given_departure(trip.id, "2026-06-10", 10);
        const auto second = there.given_departure(trip.id, "2026-06-11", 10);
        Shop here(database);
        const auto free = [&] { return here.get("/trips/1/available-dates").column("available_capacity"); };
        CHECK(free() == "10 10");
        REQUIRE(there.take(trip, "2026-06-10", 1, 4));
        there.send("DELETE", "/trips/1/departures/" + std::to_string(second.id));
        there.given_departure(trip.id, "2026-06-12", 5);
        CHECK(free() == "10 10");
        here.availability.calendar.reload_changed();
        CHECK(free() == "6 5");
        CHECK(here.get("/trips/1/departures/" + std::to_string(first.id)).data()["booked_count"].integer() == 4);
    });
}
