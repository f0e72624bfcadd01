// The deadline of an unpaid booking: fixed when it is made, by the gateway's own days or the site's hours.
#include "base/sales/booking/record/deadline.hpp"

#include <doctest/doctest.h>

#include "tests/base/sales/payment/paying_site.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

Date day(const char* text) { return Date::parse(text).value(); }
Instant at(const char* text) { return Instant::parse(text).value(); }
std::string text_of(const std::optional<Instant>& instant) { return instant ? instant->text() : "none"; }

Value days(int count) { return Value::object({{"enabled", true}, {"payment_deadline_days", count}}); }

}  // namespace

TEST_CASE("working days are Monday to Friday after the day of booking") {
    CHECK(booking::working_days_after(day("2026-11-28"), 5) == day("2026-12-04"));  // a Saturday
    CHECK(booking::working_days_after(day("2026-11-29"), 1) == day("2026-11-30"));
    CHECK(booking::working_days_after(day("2026-12-03"), 5) == day("2026-12-10"));  // a Thursday
    CHECK(booking::working_days_after(day("2026-12-04"), 1) == day("2026-12-07"));
    CHECK(booking::working_days_after(day("2026-12-04"), 0) == day("2026-12-04"));
}

TEST_CASE(
    "a deadline ends with the gateway's day in the site's zone, else after the site's hours, never after departure") {
    each_booking_site([](BookingSite& site) {
        const auto by = [&](const booking::TimeToPay& time, const char* from,
                            const std::optional<booking::Departs>& departs = {}) {
            return text_of(booking::pay_by_of(site.settings, time, at(from), departs));
        };
        site.set("booking_expiry_hours", 24);
        site.set("timezone", "Europe/Berlin");
        CHECK(by({}, "2026-11-28T21:59:00Z") == "2026-11-29T21:59:00Z");
        // 23:30 UTC is the next day in Berlin.
        CHECK(by({.days = 7}, "2026-11-28T23:30:00Z") == "2026-12-06T22:59:00Z");
        CHECK(by({.days = 7}, "2026-11-28T12:00:00Z") == "2026-12-05T22:59:00Z");
        CHECK(by({.working_days = 5}, "2026-11-28T21:00:00Z") == "2026-12-04T22:59:00Z");
        const booking::Departs soon{.day = day("2026-11-30"), .time = ClockTime::parse("18:30")};
        CHECK(by({.working_days = 5}, "2026-11-28T21:00:00Z", soon) == "2026-11-30T17:30:00Z");
        CHECK(by({}, "2026-11-30T12:00:00Z", soon) == "2026-11-30T17:30:00Z");
        CHECK(by({}, "2026-11-30T12:00:00Z", booking::Departs{.day = day("2026-12-01")}) == "2026-11-30T23:00:00Z");
        CHECK(by({}, "2026-12-02T12:00:00Z", soon) == "2026-12-03T12:00:00Z");  // entered after it has begun
        site.set("booking_expiry_hours", 0);
        CHECK(by({}, "2026-11-28T21:59:00Z") == "none");
        CHECK(by({.days = 7}, "2026-11-28T12:00:00Z") == "2026-12-05T22:59:00Z");
    });
}

TEST_CASE("the deadline is stored with the booking: later settings do not move it, and the sweep ends it then") {
    each_paying_site([](PayingSite& site) {
        site.set("booking_expiry_hours", 24);
        site.bookings.upkeep.note_expiry(site.clock.now());
        site.settings.reload();
        const auto trip = site.given_trip();
        site.given_departure(trip.id, 20);
        const auto until = [&](std::int64_t id) {
            return text_of(site.store.reading<std::optional<Instant>>([&](store::Session& session) {
                return site.bookings.records.expires_at(session, site.booking_of(id));
            }));
        };
        const Instant made_at = site.clock.now();
        const auto by_hours = site.given_booking(trip.id);
        CHECK(until(by_hours.id) == made_at.plus(std::chrono::hours(24)).text());
        REQUIRE(site.payments.gateways.configure("pay_later", days(7)));
        const auto by_days = site.given_booking(trip.id);
        const std::string promised = until(by_days.id);
        CHECK(promised.substr(0, 10) == Zone::utc().date_at(made_at).plus_days(7).text());
        CHECK(until(by_hours.id) == made_at.plus(std::chrono::hours(24)).text());

        site.set("booking_expiry_hours", 1);
        REQUIRE(site.payments.gateways.configure("pay_later", days(1)));
        CHECK(until(by_hours.id) == made_at.plus(std::chrono::hours(24)).text());
        CHECK(until(by_days.id) == promised);

        const auto expire = [&](Instant now) {
            site.clock.set(now);
            REQUIRE(site.bookings.upkeep.expire_unpaid(now));
        };
        expire(made_at.plus(std::chrono::hours(23)));
        CHECK(site.booking_of(by_hours.id).status == "pending");
        expire(made_at.plus(std::chrono::hours(25)));
        CHECK(site.booking_of(by_hours.id).status == "cancelled");
        CHECK(site.booking_of(by_days.id).status == "pending");
        site.set("booking_expiry_hours", 0);
        CHECK(until(by_days.id) == "none");
        expire(at("2027-02-20T00:00:00Z"));
        CHECK(site.booking_of(by_days.id).status == "pending");  // 0 switches the sweep off for all
    });
}

TEST_CASE("a booking of a release that stored no deadline has one by its gateway or the hours") {
    each_paying_site([](PayingSite& site) {
        site.set("booking_expiry_hours", 24);
        site.bookings.upkeep.note_expiry(site.clock.now());
        site.settings.reload();
        const auto trip = site.given_trip();
        site.given_departure(trip.id, 20);
        const auto made = site.given_booking(trip.id), later = site.given_booking(trip.id);
        execute(*site.real, {"UPDATE svc_bookings SET pay_by = NULL"});
        const Instant made_at = site.clock.now();
        site.clock.set(made_at.plus(std::chrono::hours(25)));
        REQUIRE(site.bookings.upkeep.expire_unpaid(site.clock.now()));
        CHECK(site.booking_of(made.id).status == "cancelled");
        CHECK(site.booking_of(later.id).status == "cancelled");
        const auto third = site.given_booking(trip.id);
        execute(*site.real, {"UPDATE svc_bookings SET pay_by = NULL"});
        REQUIRE(site.payments.gateways.configure("pay_later", days(7)));
        site.clock.advance(std::chrono::hours(30));
        REQUIRE(site.bookings.upkeep.expire_unpaid(site.clock.now()));
        CHECK(site.booking_of(third.id).status == "pending");
        site.clock.advance(std::chrono::hours(24 * 8));
        REQUIRE(site.bookings.upkeep.expire_unpaid(site.clock.now()));
        CHECK(site.booking_of(third.id).status == "cancelled");
    });
}
