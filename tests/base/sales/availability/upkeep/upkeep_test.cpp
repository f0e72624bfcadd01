// Seats by the clock: the nightly audit, holds that end, and the notice that few are left.
#include <doctest/doctest.h>

#include "shared/core/log.hpp"
#include "tests/support/shop.hpp"

using namespace svc;
using tests::each_shop;
using tests::Shop;

namespace {

std::int64_t number(Shop& shop, const char* sql) {
    return shop.store->reading<std::int64_t>([&](store::Session& session) { return session.number(sql, {}); });
}

std::int64_t booked(Shop& shop) { return number(shop, "SELECT booked_count FROM svc_departures WHERE id = 1"); }

Result<void> inside(Shop& shop, const std::function<Result<void>(store::Transaction&)>& work) {
    return shop.store->write(work);
}

Result<void> acquired(Shop& shop, store::Transaction& tx, std::int64_t booking_id, std::int64_t seats,
                      const availability::Seats::Hold& hold) {
    const auto taken = shop.availability.seats.acquire(tx, 1, booking_id, seats, shop.clock.now(), hold);
    return taken ? Result<void>{} : Result<void>{taken.error()};
}

Result<void> hold(Shop& shop, std::int64_t booking_id, std::int64_t seats, const char* until) {
    return inside(shop, [&](store::Transaction& tx) {
        return acquired(shop, tx, booking_id, seats, {.by_staff = false, .until = Instant::parse(until)});
    });
}

std::int64_t times_fired(Shop& shop, const char* name) {
    const auto fired = shop.fired();
    return std::count(fired.begin(), fired.end(), name);
}

}  // namespace

TEST_CASE("the nightly audit repairs counts that differ from their ledger, and reports it") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip();
        shop.given_departure(trip.id, "2026-06-10", 3);
        shop.given_departure(trip.id, "2026-06-11", 3);
        REQUIRE(shop.take(trip, "2026-06-10", 1, 2));
        CHECK(shop.availability.upkeep.audit_seats(shop.clock.now())->dump() == R"({"mismatches":0,"repaired":0})");
        tests::execute(*shop.store, {"UPDATE svc_departures SET booked_count = 3, status = 'full' WHERE id = 1"});
        std::string log;
        log::redirect(&log);
        CHECK(shop.availability.upkeep.audit_seats(shop.clock.now())->dump() == R"({"mismatches":1,"repaired":1})");
        log::redirect(nullptr);
        CHECK(log.find("seat_ledger_mismatch") != std::string::npos);
        const auto seen = shop.get("/trips/1/departures/1").data();
        CHECK(seen["booked_count"].integer() == 2);
        CHECK(seen["status"].text() == "upcoming");
        CHECK(shop.get("/trips/1/available-dates").data()[0]["available_capacity"].integer() == 1);
        CHECK(shop.availability.upkeep.audit_seats(shop.clock.now())->dump() == R"({"mismatches":0,"repaired":0})");
    });
}

TEST_CASE("the audit reports a ledger that holds more than there is, and does not hide it") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip();
        shop.given_departure(trip.id, "2026-06-10", 3);
        REQUIRE(shop.take(trip, "2026-06-10", 1, 3));
        tests::execute(*shop.store, {"UPDATE svc_booking_departures SET seats = 4"});
        std::string log;
        log::redirect(&log);
        CHECK(shop.availability.upkeep.audit_seats(shop.clock.now())->dump() == R"({"mismatches":1,"repaired":0})");
        log::redirect(nullptr);
        CHECK(booked(shop) == 3);
    });
}

TEST_CASE("a soft hold ends with its time unless it was made firm, and gives its seats back once") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip();
        shop.given_departure(trip.id, "2026-06-10", 4);
        REQUIRE(hold(shop, 1, 2, "2026-05-06T10:00:00Z"));
        REQUIRE(hold(shop, 2, 2, "2026-05-06T10:00:00Z"));
        CHECK(shop.take(trip, "2026-06-10", 3).error().code().name == "sold_out");
        REQUIRE(inside(shop, [](store::Transaction& tx) -> Result<void> {
            availability::Seats::make_firm(tx, 2);
            return {};
        }));
        shop.clock.set("2026-05-06T09:59:59Z");
        CHECK(shop.availability.upkeep.release_lapsed(shop.clock.now())->dump() == R"({"released":0})");
        shop.clock.set("2026-05-06T10:00:00Z");
        CHECK(shop.availability.upkeep.release_lapsed(shop.clock.now())->dump() == R"({"released":1})");
        CHECK(shop.availability.upkeep.release_lapsed(shop.clock.now())->dump() == R"({"released":0})");
        CHECK(booked(shop) == 2);
        CHECK(number(shop,
                     "SELECT COUNT(*) FROM svc_booking_departures WHERE booking_id = 1"
                     " AND release_reason = 'hold_lapsed'") == 1);
    });
}

TEST_CASE("staff are notified once that few seats are left, and again after seats came back") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip();
        shop.given_departure(trip.id, "2026-06-10", 10, {.alert_threshold = std::optional(3)});
        const auto told = [&] { return times_fired(shop, "svc_departure_seats_low"); };
        REQUIRE(shop.take(trip, "2026-06-10", 1, 6));
        CHECK(told() == 0);
        REQUIRE(shop.take(trip, "2026-06-10", 2, 1));
        CHECK(told() == 1);
        REQUIRE(shop.take(trip, "2026-06-10", 3, 1));
        CHECK(told() == 1);
        shop.release(3);  // 3 left: not above the threshold
        REQUIRE(shop.take(trip, "2026-06-10", 4, 1));
        CHECK(told() == 1);
        shop.release(1);
        REQUIRE(shop.take(trip, "2026-06-10", 5, 6));
        CHECK(told() == 2);
    });
}

TEST_CASE("a booking that moves takes the new seats before it gives the old ones back") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip();
        shop.given_departure(trip.id, "2026-06-10", 4);
        const auto other = shop.given_departure(trip.id, "2026-06-11", 2);
        REQUIRE(shop.take(trip, "2026-06-10", 1, 3));
        const auto move = [&](std::int64_t to, std::int64_t seats) {
            return inside(shop, [&](store::Transaction& tx) {
                return shop.availability.waitlist.move(tx, 1, to, seats, shop.clock.now());
            });
        };
        CHECK(move(other.id, 3).error().code().name == "sold_out");
        CHECK(booked(shop) == 3);
        CHECK(move(1, 4));  // a larger party on the same departure needs the difference alone
        CHECK(booked(shop) == 4);
        CHECK(move(1, 2));
        CHECK(move(other.id, 2));
        CHECK(booked(shop) == 0);
        CHECK(number(shop, "SELECT booked_count FROM svc_departures WHERE id = 2") == 2);
        CHECK(number(shop, "SELECT COUNT(*) FROM svc_booking_departures WHERE released_at IS NULL") == 1);
    });
}

TEST_CASE("where a departure may be overbooked staff may, and the public never") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip();
        shop.given_departure(trip.id, "2026-06-10", 4);
        REQUIRE(shop.take(trip, "2026-06-10", 1, 3));
        const auto path = std::string("/trips/1/departures/1");
        const auto put = [&](const char* text) { return shop.send("PUT", path, json::parse(text).value()); };
        CHECK(put(R"({"max_capacity":2})").status == 409);
        const auto smaller = put(R"({"max_capacity":2,"capacity_override":true})");
        CHECK(smaller.status == 200);
        CHECK(smaller.data()["available_capacity"].integer() == 0);
        CHECK(smaller.data()["availability"].text() == "full");
        CHECK(put(R"({"capacity_override":false})").status == 409);
        CHECK(shop.take(trip, "2026-06-10", 2).error().code().name == "sold_out");
        const auto acquire = [&](std::int64_t booking, bool by_staff) {
            return inside(
                shop, [&](store::Transaction& tx) { return acquired(shop, tx, booking, 1, {.by_staff = by_staff}); });
        };
        CHECK(acquire(2, false).error().code().name == "sold_out");
        CHECK(acquire(2, true));
        CHECK(booked(shop) == 4);
    });
}
