// Seats: taken once, given back once, told by the ledger.
#include <doctest/doctest.h>

#include "base/sales/availability/record/hooks.hpp"
#include "tests/support/shop.hpp"

using namespace svc;
using tests::each_shop;
using tests::Shop;

namespace {

std::string refused(const Result<std::int64_t>& taken) {
    return taken ? "taken" : std::string(taken.error().code().name);
}

std::int64_t booked(Shop& shop, std::int64_t departure_id = 1) {
    return shop.store->reading<std::int64_t>([&](store::Session& session) {
        return session.number("SELECT booked_count FROM svc_departures WHERE id = :id", {{"id", departure_id}});
    });
}

std::string reason(Shop& shop, std::int64_t booking_id) {
    return shop.store
        ->reading<std::optional<std::string>>([&](store::Session& session) {
            return session.first<std::string>(
                "SELECT release_reason FROM svc_booking_departures WHERE booking_id = :id AND released_at IS NOT NULL",
                "t", {{"id", booking_id}}, [](const store::Row& row) { return row.text(0); });
        })
        .value_or("none");
}

Result<void> inside(Shop& shop, const std::function<Result<void>(store::Transaction&)>& work) {
    return shop.store->write(work);
}

}  // namespace

TEST_CASE("seats are sold until there are none, and the rejection has the number left") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip();
        shop.given_departure(trip.id, "2026-06-10", 5);
        CHECK(shop.take(trip, "2026-06-10", 1, 3).value() == 1);
        const auto late = shop.take(trip, "2026-06-10", 2, 3);
        CHECK(refused(late) == "sold_out");
        CHECK(late.error().data().front().second == "2");
        CHECK(shop.take(trip, "2026-06-10", 2, 2));
        CHECK(booked(shop) == 5);
        CHECK(shop.get("/trips/1/departures/1").data()["status"].text() == "full");
    });
}

TEST_CASE("seats are given back once, however often and for whatever reason a booking ends") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip();
        shop.given_departure(trip.id, "2026-06-10", 5);
        REQUIRE(shop.take(trip, "2026-06-10", 1, 5));
        CHECK(shop.release(1, "expired"));
        CHECK_FALSE(shop.release(1, "cancelled"));
        CHECK_FALSE(shop.release(2));
        CHECK(booked(shop) == 0);
        CHECK(reason(shop, 1) == "expired");
        CHECK(shop.get("/trips/1/departures/1").data()["status"].text() == "upcoming");
        for (const auto& [given, kept] :
             {std::pair("trash", "trashed"), std::pair("refunded", "refunded"), std::pair("failed", "failed"),
              std::pair("cancelled", "cancelled"), std::pair("waitlist", "waitlist")}) {
            static std::int64_t booking_id = 100;
            REQUIRE(shop.take(trip, "2026-06-10", ++booking_id));
            CHECK(shop.release(booking_id, given));
            CHECK(reason(shop, booking_id) == kept);
        }
    });
}

TEST_CASE("a booking takes its seats again where it held them, if they are still free") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip();
        shop.given_departure(trip.id, "2026-06-10", 2);
        REQUIRE(shop.take(trip, "2026-06-10", 1, 2));
        REQUIRE(shop.release(1));
        const auto again = [&](std::int64_t booking_id) {
            return inside(shop, [&](store::Transaction& tx) -> Result<void> {
                shop.availability.seats.lock_of(tx, booking_id);
                const auto taken = shop.availability.seats.take_again(tx, booking_id, 2, shop.clock.now(), {});
                return taken ? Result<void>() : taken.error();
            });
        };
        CHECK(again(1));
        CHECK(booked(shop) == 2);
        REQUIRE(shop.release(1));
        REQUIRE(shop.take(trip, "2026-06-10", 2));
        CHECK(again(1).error().code().name == "sold_out");
        CHECK(again(77).error().code().name == "date_unavailable");
    });
}

TEST_CASE("a booking cannot hold seats twice, and a transaction that fails sells nothing") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip();
        shop.given_departure(trip.id, "2026-06-10", 5);
        REQUIRE(shop.take(trip, "2026-06-10", 1));
        CHECK_THROWS_AS(static_cast<void>(shop.take(trip, "2026-06-10", 1)), store::UniqueViolation);
        const auto undone = inside(shop, [&](store::Transaction& tx) -> Result<void> {
            if (auto taken = shop.availability.seats.take(tx, trip, Date::from(2026, 6, 10), std::nullopt, 2, 3,
                                                          shop.clock.now());
                !taken)
                return taken.error();
            return errc::conflict;
        });
        CHECK_FALSE(undone);
        CHECK(booked(shop) == 1);
        CHECK(shop.get("/trips/1/available-dates").data()[0]["booked_count"].integer() == 1);
    });
}

TEST_CASE("the database itself refuses more booked seats than the capacity, and fewer than none") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip();
        shop.given_departure(trip.id, "2026-06-10", 5);
        CHECK_THROWS_AS(tests::execute(*shop.store, {"UPDATE svc_departures SET booked_count = 6"}),
                        store::ConstraintViolation);
        CHECK_THROWS_AS(tests::execute(*shop.store, {"UPDATE svc_departures SET booked_count = -1"}),
                        store::ConstraintViolation);
    });
}

TEST_CASE("the first booking of an open day makes its departure, the next ones share it") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip({.max_travelers = 6, .departure_time = ClockTime::parse("09:00")});
        const auto day = [&] { return shop.get("/trips/1/available-dates?from_date=2026-06-10&to_date=2026-06-10"); };
        CHECK(day().data()[0]["id"].is_null());
        CHECK(day().data()[0]["source"].text() == "trip_default");
        const auto first = shop.take(trip, "2026-06-10", 1, 4);
        const auto second = shop.take(trip, "2026-06-10", 2, 2, "09:00");
        REQUIRE(first);
        CHECK(first.value() == second.value());
        CHECK(refused(shop.take(trip, "2026-06-10", 3)) == "sold_out");
        CHECK(refused(shop.take(trip, "2026-06-10", 3, 1, "14:00")) == "date_unavailable");
        const auto made = shop.get("/trips/1/departures/1").data();
        CHECK(made["source"].text() == "booking_created");
        CHECK(made["max_capacity"].integer() == 6);
        CHECK(made["time"].text() == "09:00");
        CHECK(made["end_date"].text() == "2026-06-13");
        CHECK(day().data()[0]["id"].integer() == 1);
        CHECK(day().data()[0]["available_capacity"].integer() == 0);
        CHECK(shop.take(trip, "2026-06-11", 3));
    });
}

TEST_CASE("a date put on sale ends the trip's being open on every other day") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip();
        REQUIRE(shop.take(trip, "2026-06-10", 1));
        const auto planned = shop.given_departure(trip.id, "2026-06-20");
        CHECK(refused(shop.take(trip, "2026-06-11", 2)) == "date_unavailable");
        CHECK(shop.take(trip, "2026-06-10", 2));
        CHECK(shop.get("/trips/1/available-dates").column("date") == "2026-06-10 2026-06-20");
        shop.send("DELETE", "/trips/1/departures/" + std::to_string(planned.id));
        CHECK(refused(shop.take(trip, "2026-06-11", 3)) == "date_unavailable");
        CHECK(shop.get("/trips/1/available-dates").column("date") == "2026-06-10");
    });
}

TEST_CASE("a date on its way to be sold is looked at by cut-off and by listeners") {
    each_shop([](Shop& shop) {
        static bool closed = false;
        closed = false;
        REQUIRE(shop.hooks.filter("svc_resolve_availability_object", {.name = "test"}, [](auto*, const auto& given) {
            return closed && given[2].text() == "2026-06-10" ? json::Value() : given[0];
        }));
        const auto trip = shop.given_trip();
        shop.given_departure(trip.id, "2026-06-10", 5, {.regular_price = "260"});
        shop.given_departure(trip.id, "2026-05-05");
        const auto asked = [&](const char* date, bool by_staff = false, int seats = 1) {
            return shop.store->reading<Result<availability::Bookable>>([&](store::Session& session) {
                return shop.availability.dates.find_bookable(session, trip, Date::parse(date).value(), std::nullopt,
                                                             seats, by_staff, shop.clock.now());
            });
        };
        CHECK(asked("2026-06-10").value().price.effective().decimal() == "260.00");
        CHECK(asked("2026-05-05").error().code().name == "cutoff_passed");
        CHECK(asked("2026-05-05", true));
        CHECK(asked("2026-06-10", true, 6).error().code().name == "sold_out");
        closed = true;
        CHECK(asked("2026-06-10").error().code().name == "date_unavailable");
    });
}

TEST_CASE("a departure that moved between the price and the seats is not sold for its old day") {
    each_shop([](Shop& shop) {
        const auto trip = shop.given_trip();
        const auto planned = shop.given_departure(trip.id, "2026-06-20");
        const auto priced = shop.store->reading<Result<availability::Bookable>>([&](store::Session& session) {
            return shop.availability.dates.find_bookable(session, trip, Date::parse("2026-06-20").value(), std::nullopt,
                                                         1, false, shop.clock.now());
        });
        REQUIRE(priced);
        const auto take = [&](std::int64_t booking_id) {
            return shop.store->transact<std::int64_t>([&](store::Transaction& tx) {
                return shop.availability.seats.take(tx, trip, *priced, booking_id, 1, shop.clock.now());
            });
        };
        REQUIRE(take(1));
        REQUIRE(shop.send("PUT", "/trips/1/departures/" + std::to_string(planned.id),
                          json::Value::object({{"start_date", "2026-06-24"}}))
                    .status == 200);
        CHECK(refused(take(2)) == "date_unavailable");
        CHECK(shop.take(trip, "2026-06-24", 2));
    });
}
