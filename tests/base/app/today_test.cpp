// The admin's first call.
#include <doctest/doctest.h>

#include "tests/support/each_on.hpp"
#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {
const auto each_today = each_on<TestBase>;
}

TEST_CASE("one call has all of the admin's first screen, each part as its own route answers it") {
    each_today([](TestBase& base) {
        const auto trip = base.given_trip();
        base.given_departure(trip, 1);
        base.given_departure(trip, 5);
        base.given_booking(trip, 5);
        const auto& owner = base.user("owner");
        const auto today = base.get("/admin/today", owner);
        CAPTURE(today.text);
        REQUIRE(today.status == 200);
        const Value& data = today.data();
        CHECK(data["newest"]["data"].dump() == base.get("/bookings?per_page=8", owner).data().dump());
        CHECK(data["pending"]["total"].integer() == 1);
        CHECK(data["departures"]["data"].size() == 1);  // of today and tomorrow
        CHECK(data["notices"]["data"].dump() == base.get("/notices", owner).data().dump());
        CHECK(data["counts"]["bookings"].integer() == 1);
        const auto counts = base.get("/admin/today?counts_only=true", owner).data();
        CHECK(counts["counts"].dump() == data["counts"].dump());
        CHECK(counts.find("newest") == nullptr);
    });
}

TEST_CASE("parts that a role may not see are null, and the others are that role's") {
    each_today([](TestBase& base) {
        const auto trip = base.given_trip();
        base.given_departure(trip, 1);
        base.given_departure(trip, 30);
        base.given_booking(trip, 30);
        const Value marketing = base.get("/admin/today", base.user("marketing")).data();
        for (const char* part : {"newest", "booked", "paid", "attention", "refunds", "pending", "departures"}) {
            CAPTURE(part);
            CHECK(marketing[part].is_null());
        }
        CHECK(marketing["counts"]["bookings"].integer() == 0);
        const Value guide = base.get("/admin/today", base.user("guide")).data();
        CHECK(guide["newest"]["data"].size() == 0);  // on no departure of theirs
        CHECK(guide["departures"]["data"].size() == 0);
        CHECK(base.get("/admin/today").status == 401);
        CHECK(base.get("/admin/today", base.user("svc_customer")).status == 403);
    });
}
