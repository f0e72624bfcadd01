// The sample catalogue: there once, on sale, left alone afterwards.
#include "base/operations/samples.hpp"

#include <doctest/doctest.h>

#include "tests/support/shop.hpp"

using namespace svc;
using tests::each_shop;
using tests::Shop;

TEST_CASE("the samples are six published trips, each with eight to twelve dates to come") {
    each_shop([](Shop& shop) {
        CHECK(operations::load_samples(*shop.store, shop.trips, shop.availability, shop.clock).value() == 6);
        const auto trips = shop.get("/trips/public");
        CHECK(trips.header("X-Host-Total") == "6");
        for (const auto& trip : trips.data().items()) {
            CAPTURE(trip["title"].text());
            const auto dates = shop.get("/trips/" + trip["id"].dump() + "/available-dates").data();
            CHECK(dates.size() >= 8);
            CHECK(dates.size() <= 12);
            for (const auto& date : dates.items()) {
                CHECK(date["status"].text() == "available");
                CHECK(date["source"].text() == "fixed");
            }
        }
    });
}

TEST_CASE("samples are not loaded into a catalogue that has trips, the trash included") {
    each_shop([](Shop& shop) {
        const auto load = [&] {
            return operations::load_samples(*shop.store, shop.trips, shop.availability, shop.clock).value();
        };
        const auto trip = shop.given_trip();
        CHECK(load() == 0);
        shop.send("DELETE", "/trips/" + std::to_string(trip.id));
        CHECK(load() == 0);
        shop.send("DELETE", "/trips/" + std::to_string(trip.id));
        CHECK(load() == 6);
        CHECK(load() == 0);
        CHECK(shop.get("/trips").header("X-Host-Total") == "6");
    });
}
