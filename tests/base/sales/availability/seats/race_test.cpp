// Buyers from two processes for the same seats: every seat is sold once, whatever happens at the same time.
#include <array>
#include <atomic>
#include <thread>

#include <doctest/doctest.h>

#include "tests/support/shop.hpp"

using namespace svc;
using tests::Shop;

namespace {

constexpr int threads = 4, tries = 200;

struct Count {
    std::int64_t booked = 0, ledger = 0, links = 0;
};
Count counted(Shop& shop) {
    return shop.store->reading<Count>([](store::Session& session) {
        return Count{session.number("SELECT CAST(SUM(booked_count) AS BIGINT) FROM svc_departures", {}),
                     session.number("SELECT CAST(COALESCE(SUM(seats), 0) AS BIGINT) FROM svc_booking_departures"
                                    " WHERE released_at IS NULL",
                                    {}),
                     session.number("SELECT COUNT(*) FROM svc_booking_departures WHERE released_at IS NULL", {})};
    });
}

// Runs `body(thread, try)` on four threads at once, two on each shop.
void all_at_once(const std::function<void(Shop&, int thread, int number)>& body, std::array<Shop*, 2> shops) {
    std::atomic<int> ready = 0;
    std::vector<std::thread> running;
    for (int thread = 0; thread < threads; ++thread)
        running.emplace_back([&, thread] {
            ++ready;
            while (ready < threads)
                std::this_thread::yield();
            for (int number = 0; number < tries; ++number)
                body(*shops[static_cast<std::size_t>(thread % 2)], thread, number);
        });
    for (auto& each : running)
        each.join();
}

}  // namespace

TEST_CASE("eight hundred buyers from two processes buy exactly the seats there are") {
    tests::each_database([](tests::Database& database) {
        CAPTURE(database.name());
        for (const int capacity : {1, 7, 200}) {
            CAPTURE(capacity);
            Shop here(database), there(database);
            const auto trip = here.given_trip();
            here.given_departure(trip.id, "2026-06-10", capacity);
            there.trips.public_trips().reload_changed();
            const auto before = counted(here);
            std::atomic<int> sold = 0, sold_out = 0, other = 0;
            all_at_once(
                [&](Shop& shop, int thread, int number) {
                    const auto booking_id = 1'000'000LL * capacity + thread * tries + number + 1;
                    const auto taken = shop.take(trip, "2026-06-10", booking_id);
                    if (taken)
                        ++sold;
                    else if (taken.error().code().name == errc::sold_out.name)
                        ++sold_out;
                    else
                        ++other;
                },
                {&here, &there});
            CHECK(sold == capacity);
            CHECK(sold_out == threads * tries - capacity);
            CHECK(other == 0);
            const auto after = counted(here);
            CHECK(after.booked - before.booked == capacity);
            CHECK(after.booked == after.ledger);
            CHECK(after.booked == after.links);
        }
    });
}

TEST_CASE("buying and giving back at the same time leave count and ledger equal, on an open day too") {
    tests::each_database([](tests::Database& database) {
        CAPTURE(database.name());
        Shop here(database), there(database);
        const auto trip = here.given_trip({.max_travelers = 7});
        there.trips.public_trips().reload_changed();
        std::atomic<std::int64_t> held = 0;
        all_at_once(
            [&](Shop& shop, int thread, int number) {
                const auto booking_id = thread * tries + number + 1;
                const auto taken = shop.take(trip, "2026-06-10", booking_id, 1 + number % 3);
                if (!taken)
                    return;
                held += 1 + number % 3;
                if (number % 8 == 0)
                    return;
                if (shop.release(booking_id))
                    held -= 1 + number % 3;
            },
            {&here, &there});
        const auto after = counted(here);
        CHECK(here.get("/departures").data().size() == 1);
        CHECK(after.booked == held);
        CHECK(after.booked == after.ledger);
        CHECK(after.booked <= 7);
        for (Shop* shop : {&here, &there}) {
            shop->availability.calendar.reload_changed();
            CHECK(shop->get("/trips/1/available-dates?to_date=2026-06-30&from_date=2026-06-10")
                      .data()[0]["booked_count"]
                      .integer() == after.booked);
        }
    });
}
