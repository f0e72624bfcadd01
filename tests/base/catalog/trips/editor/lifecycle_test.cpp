// Scheduled changes of trips.
#include <doctest/doctest.h>

#include "tests/base/catalog/trips/catalogue.hpp"

using namespace svc;
using namespace svc::tests;

namespace {

std::string status_of(Shop& shop, std::int64_t id) {
    return shop.get("/trips/" + std::to_string(id)).data()["status"].text();
}

std::int64_t made(Shop& shop, const char* text) {
    auto sent = body(text);
    sent.set("title", "T");
    sent.set("regular_price", 5);
    sent.set("duration", 1);
    const auto answered = shop.send("POST", "/trips", sent);
    REQUIRE(answered.status == 201);
    return answered.data()["id"].integer();
}

std::string counted(const Result<json::Value>& counts) {
    return counts.value()["published"].dump() + " published, " + counts.value()["archived"].dump() + " archived";
}

}  // namespace

TEST_CASE("at its time a draft, one in review and an approved one is published, and the time is cleared") {
    each_shop([](Shop& shop) {
        std::vector<std::int64_t> due;
        for (const char* status : {"draft", "review", "approved"})
            due.push_back(made(
                shop, (R"({"scheduled_publish_at":"2026-05-04T12:00:00Z","status":")" + std::string(status) + "\"}")
                          .c_str()));
        const auto suspended = made(shop, R"({"scheduled_publish_at":"2026-05-04T12:00:00Z","status":"suspended"})");
        CHECK(counted(shop.trips.lifecycle().run_schedule(shop.clock.now())) == "0 published, 0 archived");
        shop.clock.advance(std::chrono::hours(2));
        CHECK(counted(shop.trips.lifecycle().run_schedule(shop.clock.now())) == "3 published, 0 archived");
        for (const auto id : due) {
            CHECK(status_of(shop, id) == "publish");
            CHECK(shop.get("/trips/" + std::to_string(id)).data()["scheduled_publish_at"].is_null());
        }
        CHECK(status_of(shop, suspended) == "suspended");
        CHECK(shop.get("/trips/public").body["meta"]["total"].integer() == 3);
        CHECK(counted(shop.trips.lifecycle().run_schedule(shop.clock.now())) == "0 published, 0 archived");
    });
}

TEST_CASE("at its time a published trip is archived, and the time is cleared") {
    each_shop([](Shop& shop) {
        const auto id = made(shop, R"({"scheduled_unpublish_at":"2026-05-04T12:00:00Z","status":"publish"})");
        const auto draft = made(shop, R"({"scheduled_unpublish_at":"2026-05-04T12:00:00Z"})");
        shop.clock.advance(std::chrono::hours(3));
        CHECK(counted(shop.trips.lifecycle().run_schedule(shop.clock.now())) == "0 published, 1 archived");
        CHECK(status_of(shop, id) == "archived");
        CHECK(status_of(shop, draft) == "draft");
        CHECK(shop.get("/trips/" + std::to_string(id)).data()["scheduled_unpublish_at"].is_null());
    });
}

TEST_CASE("an incomplete draft is not published by the clock, nor tried again") {
    each_shop([](Shop& shop) {
        const auto answered = shop.send(
            "POST", "/trips", body(R"({"title":"T","duration":1,"scheduled_publish_at":"2026-05-04T09:00:00Z"})"));
        const auto id = answered.data()["id"].integer();
        CHECK(counted(shop.trips.lifecycle().run_schedule(shop.clock.now())) == "0 published, 0 archived");
        CHECK(status_of(shop, id) == "draft");
        CHECK(shop.get("/trips/" + std::to_string(id)).data()["scheduled_publish_at"].is_null());
    });
}

TEST_CASE("the season ends and begins on its day of any year, for trips that it archived itself") {
    each_shop([](Shop& shop) {
        const char* season = R"({"seasonal_auto_enable":true,"seasonal_enable_date":"2020-05-06",
            "seasonal_disable_date":"2020-05-05","status":"publish"})";
        const auto seasonal = made(shop, season), by_hand = made(shop, season), off = made(shop, R"({"status":"publish",
            "seasonal_enable_date":"2020-05-06","seasonal_disable_date":"2020-05-05"})");
        shop.send("PUT", "/trips/" + std::to_string(by_hand), body(R"({"status":"archived"})"));
        CHECK(counted(shop.trips.lifecycle().run_season(shop.clock.now())) == "0 published, 0 archived");
        shop.clock.advance(std::chrono::hours(24));  // 5 May 2026
        CHECK(counted(shop.trips.lifecycle().run_season(shop.clock.now())) == "0 published, 1 archived");
        CHECK(status_of(shop, seasonal) == "archived");
        CHECK(status_of(shop, off) == "publish");
        // A form that sends the status as it is takes nothing away from the season.
        CHECK(shop.send("PUT", "/trips/" + std::to_string(seasonal), body(R"({"status":"archived"})")).status == 200);
        shop.clock.advance(std::chrono::hours(24));
        CHECK(counted(shop.trips.lifecycle().run_season(shop.clock.now())) == "1 published, 0 archived");
        CHECK(status_of(shop, seasonal) == "publish");
        CHECK(status_of(shop, by_hand) == "archived");
    });
}
