// Calendars as other programs read them, by the text of RFC 5545; tests/e2e/calendar_test.py reads it with another
// implementation.
#include "base/platform/ical/ical.hpp"

#include <doctest/doctest.h>

using namespace svc;

namespace {

ical::Event event() {
    return {.uid = "departure-7@example.org",
            .summary = "Nile cruise",
            .first = Date::from(2026, 6, 10),
            .last = Date::from(2026, 6, 13),
            .changed = Instant::parse("2026-05-01T08:30:00Z").value()};
}

std::string text(const ical::Event& one) { return ical::text_of({.name = "All departures", .events = {one}}); }

bool has(const std::string& text, const std::string& line) {
    return text.find("\r\n" + line + "\r\n") != std::string::npos;
}

}  // namespace

TEST_CASE("an event of whole days ends on the day after its last") {
    const std::string shown = text(event());
    CHECK(shown.starts_with("BEGIN:VCALENDAR\r\nVERSION:2.0\r\n"));
    CHECK(has(shown, "UID:departure-7@example.org"));
    CHECK(has(shown, "DTSTAMP:20260501T083000Z"));
    CHECK(has(shown, "DTSTART;VALUE=DATE:20260610"));
    CHECK(has(shown, "DTEND;VALUE=DATE:20260614"));
    CHECK(has(shown, "STATUS:CONFIRMED"));
    CHECK(has(shown, "X-WR-CALNAME:All departures"));
    CHECK(shown.ends_with("END:VCALENDAR\r\n"));
}

TEST_CASE("an event with a time is told in UTC") {
    ical::Event timed = event();
    const Zone zone = Zone::named("Europe/Berlin").value();
    timed.starts = zone.instant_of(timed.first, ClockTime::parse("09:00").value());
    timed.ends = zone.instant_of(timed.last, ClockTime::parse("18:30").value());
    timed.cancelled = true;
    const std::string shown = text(timed);
    CHECK(has(shown, "DTSTART:20260610T070000Z"));
    CHECK(has(shown, "DTEND:20260613T163000Z"));
    CHECK(has(shown, "STATUS:CANCELLED"));
}

TEST_CASE("what people type cannot add lines, and long lines are folded between characters") {
    ical::Event odd = event();
    odd.summary = "One, two; three\\four\r\nBEGIN:VALARM";
    odd.description.clear();
    for (int i = 0; i < 60; ++i)
        odd.description += "Gruß ";
    const std::string shown = text(odd);
    CHECK(shown.find("\r\nBEGIN:VALARM") == std::string::npos);
    CHECK(shown.find("One\\, two\\; three\\\\four") != std::string::npos);
    for (std::size_t at = 0; at < shown.size();) {
        const auto end = shown.find("\r\n", at);
        REQUIRE(end != std::string::npos);
        CHECK(end - at <= 75);
        // No line begins inside of a character.
        CHECK((static_cast<unsigned char>(shown[at]) & 0xC0U) != 0x80U);
        at = end + 2;
    }
}

TEST_CASE("a calendar's name is escaped in both properties, and the file has its refresh interval") {
    const std::string shown = ical::text_of(
        {.name = "Cairo, Luxor; and\nmore\\", .events = {event()}, .read_again = std::chrono::minutes(15)});
    CHECK(has(shown, "NAME:Cairo\\, Luxor\\; and\\nmore\\\\"));
    CHECK(has(shown, "X-WR-CALNAME:Cairo\\, Luxor\\; and\\nmore\\\\"));
    CHECK(has(shown, "REFRESH-INTERVAL;VALUE=DURATION:PT15M"));
    CHECK(has(shown, "X-PUBLISHED-TTL:PT15M"));
}
