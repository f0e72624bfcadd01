// Dates, clock times, instants and zones.
#include "shared/core/date.hpp"

#include <stdexcept>

#include <doctest/doctest.h>

#include "tests/support/random.hpp"

using namespace svc;

namespace {

Date date(std::string_view text) { return Date::parse(text).value(); }
ClockTime clock_time(std::string_view text) { return ClockTime::parse(text).value(); }
Instant instant(std::string_view text) { return Instant::parse(text).value(); }

}  // namespace

TEST_CASE("days of all years survive their text and their number") {
    std::int32_t seen = 0;
    for (std::int32_t days = -719'162; days <= 2'932'896; days += 7, ++seen) {
        const Date day = Date::from_days(days);
        const auto again = Date::parse(day.text());
        REQUIRE(again);
        REQUIRE(again->days() == days);
        REQUIRE(Date::from(day.year(), day.month(), day.day()) == day);
    }
    CHECK(seen > 500'000);
    CHECK(Date::from_days(-719'162).text() == "0001-01-01");
    CHECK(Date::from_days(2'932'896).text() == "9999-12-31");
    CHECK(Date{}.text() == "1970-01-01");
}

TEST_CASE("a date is exactly YYYY-MM-DD and a day that exists") {
    CHECK(date("2028-02-29").weekday() == 2);
    for (const auto* text : {"", "2026-02-29", "2026-13-01", "2026-00-10", "2026-01-00", "2026-1-1", "2026-01-1",
                             "26-01-01", "0000-01-01", "2026/01/01", "2026-01-01T00:00", " 2026-01-01", "2026-01-01 ",
                             "+026-01-01", "20260101", "2026-04-31", "1900-02-29"})
        CHECK_FALSE(Date::parse(text));
    CHECK_THROWS_AS(Date::from(2026, 2, 29), std::invalid_argument);
    CHECK_THROWS_AS(Date::from(0, 1, 1), std::invalid_argument);
}

TEST_CASE("months added keep the day, or the month's last one") {
    CHECK(date("2026-01-31").plus_months(1) == date("2026-02-28"));
    CHECK(date("2028-01-31").plus_months(1) == date("2028-02-29"));
    CHECK(date("2026-03-31").plus_months(-1) == date("2026-02-28"));
    CHECK(date("2026-11-15").plus_months(14) == date("2028-01-15"));
    CHECK(date("2026-01-15").plus_months(-1) == date("2025-12-15"));
    test::Random random;
    CAPTURE(random.seed);
    for (int round = 0; round < 20'000; ++round) {
        const Date start = Date::from_days(static_cast<std::int32_t>(random.between(-300'000, 300'000)));
        const auto months = static_cast<int>(random.between(-500, 500));
        const Date end = start.plus_months(months);
        const int moved =
            (end.year() - start.year()) * 12 + static_cast<int>(end.month()) - static_cast<int>(start.month());
        REQUIRE(moved == months);
        REQUIRE(end.day() <= start.day());
        REQUIRE((end.day() == start.day() || end.plus_days(1).day() == 1));
    }
}

TEST_CASE("counting out of the years 0001 to 9999 is an exception") {
    CHECK_THROWS_AS(static_cast<void>(date("9999-12-31").plus_days(1)), std::out_of_range);
    CHECK_THROWS_AS(static_cast<void>(date("0001-01-01").plus_days(-1)), std::out_of_range);
    CHECK_THROWS_AS(static_cast<void>(date("9999-12-01").plus_months(1)), std::out_of_range);
    CHECK_THROWS_AS(static_cast<void>(date("0001-01-01").plus_months(-1)), std::out_of_range);
    CHECK(date("9999-11-30").plus_months(1) == date("9999-12-30"));
}

TEST_CASE("a clock time is exactly HH:MM of a day") {
    CHECK(clock_time("00:00").minutes() == 0);
    CHECK(clock_time("23:59").minutes() == 1439);
    CHECK(clock_time("09:05").text() == "09:05");
    for (const auto* text : {"", "24:00", "12:60", "9:05", "09:5", "09:05:00", "-1:00", "0905", "09:05 "})
        CHECK_FALSE(ClockTime::parse(text));
}

TEST_CASE("an instant is read with any offset and written in UTC") {
    CHECK(instant("2026-11-20T13:39:00Z").text() == "2026-11-20T13:39:00Z");
    CHECK(instant("2026-11-20T14:39:00+01:00") == instant("2026-11-20T13:39:00Z"));
    CHECK(instant("2026-11-20T00:30:00-05:30").text() == "2026-11-20T06:00:00Z");
    CHECK(instant("2026-11-20t13:39:00.5z").text() == "2026-11-20T13:39:00.500000Z");
    CHECK(instant("2026-11-20T13:39:00.1234569Z").micros() % 1'000'000 == 123'456);
    CHECK(instant("1969-12-31T23:59:59.5Z").micros() == -500'000);
    CHECK(instant("1969-12-31T23:59:59.5Z").seconds() == -1);
    CHECK(instant("1969-12-31T23:59:59.5Z").text() == "1969-12-31T23:59:59.500000Z");
    for (const auto* text :
         {"", "2026-11-20", "2026-11-20T13:39:00", "2026-11-20 13:39:00Z", "2026-11-20T13:39Z", "2026-11-20T23:59:60Z",
          "2026-11-20T24:00:00Z", "2026-11-20T13:39:00.Z", "2026-11-20T13:39:00+1", "2026-11-20T13:39:00+01:60",
          "2026-11-20T13:39:00Zx", "2026-02-30T00:00:00Z", "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01"})
        CHECK_FALSE(Instant::parse(text));
}

TEST_CASE("every instant survives its text") {
    test::Random random;
    CAPTURE(random.seed);
    for (int round = 0; round < 20'000; ++round) {
        const auto at = Instant::from_micros(random.between(-60'000'000'000'000'000, 250'000'000'000'000'000));
        REQUIRE(Instant::parse(at.text()) == at);
    }
}

TEST_CASE("a wall time in the spring gap moves forward by the gap") {
    const Zone berlin = Zone::named("Europe/Berlin").value();
    CHECK(berlin.name() == "Europe/Berlin");
    CHECK(berlin.instant_of(date("2026-03-29"), clock_time("01:59")) == instant("2026-03-29T00:59:00Z"));
    CHECK(berlin.instant_of(date("2026-03-29"), clock_time("02:30")) == instant("2026-03-29T01:30:00Z"));
    CHECK(berlin.time_at(instant("2026-03-29T01:30:00Z")) == clock_time("03:30"));
    CHECK(berlin.instant_of(date("2026-03-29"), clock_time("03:00")) == instant("2026-03-29T01:00:00Z"));
    const Zone howe = Zone::named("Australia/Lord_Howe").value();  // its gap is half an hour
    CHECK(howe.time_at(howe.instant_of(date("2026-10-04"), clock_time("02:15"))) == clock_time("02:45"));
}

TEST_CASE("a wall time that occurs twice means the first") {
    const Zone berlin = Zone::named("Europe/Berlin").value();
    CHECK(berlin.instant_of(date("2026-10-25"), clock_time("02:30")) == instant("2026-10-25T00:30:00Z"));
    CHECK(berlin.time_at(instant("2026-10-25T00:30:00Z")) == clock_time("02:30"));
    CHECK(berlin.time_at(instant("2026-10-25T01:30:00Z")) == clock_time("02:30"));
    const Zone york = Zone::named("America/New_York").value();
    CHECK(york.instant_of(date("2026-11-01"), clock_time("01:30")) == instant("2026-11-01T05:30:00Z"));
}

TEST_CASE("a skipped day has no instants, and its wall times move forward by the day") {
    const Zone apia = Zone::named("Pacific/Apia").value();
    CHECK(apia.date_at(apia.instant_of(date("2011-12-30"), clock_time("12:00"))) == date("2011-12-31"));
}

TEST_CASE("the local day follows the zone, not UTC") {
    const Zone tokyo = Zone::named("Asia/Tokyo").value(), los_angeles = Zone::named("America/Los_Angeles").value();
    const Instant at = instant("2026-06-30T20:00:00Z");
    CHECK(tokyo.date_at(at) == date("2026-07-01"));
    CHECK(tokyo.time_at(at) == clock_time("05:00"));
    CHECK(los_angeles.date_at(at) == date("2026-06-30"));
    CHECK(Zone::named("Asia/Kathmandu").value().time_at(at) == clock_time("01:45"));
    CHECK(Zone::utc().date_at(Instant::from_micros(-1)) == date("1969-12-31"));
    CHECK(Zone::utc().time_at(Instant::from_micros(-1)) == clock_time("23:59"));
    CHECK(Zone::utc().name() == "UTC");
}

TEST_CASE("wall times outside the changes come back as they went in, in every season of the planned years") {
    test::Random random;
    CAPTURE(random.seed);
    for (const auto* name : {"UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe"}) {
        const Zone zone = Zone::named(name).value();
        int moved = 0;
        for (int round = 0; round < 2'000; ++round) {
            const Date day =
                Date::from_days(static_cast<std::int32_t>(random.between(19'000, 24'800)));  // 2022 to 2037
            const auto time = ClockTime::from_minutes(static_cast<int>(random.between(0, 1439)));
            const Instant at = zone.instant_of(day, time);
            moved += zone.date_at(at) == day && zone.time_at(at) == time ? 0 : 1;
        }
        CHECK(moved < 20);
    }
}

TEST_CASE("an unknown time zone is refused") {
    for (const auto* name : {"", "Mars/Olympus", "../etc/passwd", "europe/berlin", "Europe/Berlin "}) {
        CAPTURE(name);
        const auto zone = Zone::named(name);
        REQUIRE_FALSE(zone);
        CHECK(zone.error().code().name == "svc_validation_error");
    }
}

TEST_CASE("the system clock is past the time of writing") {
    CHECK(SystemClock{}.now() > instant("2024-01-01T00:00:00Z"));
}
