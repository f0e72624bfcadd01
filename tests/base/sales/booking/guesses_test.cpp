// Secrets of bookings and sessions cannot be tried one after the other.
#include <doctest/doctest.h>

#include "tests/support/each_on.hpp"
#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;

namespace {

constexpr int tries = 30;  // of one address in a minute

// 43 characters as secrets have, another one for each number.
std::string secret_number(int number) {
    std::string text = std::to_string(number);
    return std::string(43 - text.size(), 'x') + text;
}

Visitor guest(const std::string& token, const std::string& address) {
    return Visitor{}.with("X-Svc-Booking-Token", token).from(address);
}

Visitor holder(const std::string& secret, const std::string& address) {
    return Visitor{}.with("X-Svc-Session", secret).from(address);
}

const auto each_base = each_on<TestBase>;

// How many of `calls` were answered 429, one of which at least says when to come back.
int refused(int calls, const std::function<Answered(int)>& call, int otherwise) {
    int limited = 0;
    for (int i = 0; i < calls; ++i) {
        const auto answered = call(i);
        if (answered.status != 429) {
            CHECK(answered.status == otherwise);
            continue;
        }
        ++limited;
        CHECK(answered.code() == "svc_rate_limited");
        CHECK(std::stoi(answered.header("Retry-After")) >= 1);
    }
    return limited;
}

}  // namespace

TEST_CASE("a booking's token is guessed at thirty times a minute by one address and no more") {
    each_base([](TestBase& base) {
        const auto trip = base.given_trip();
        base.given_departure(trip);
        const auto booking = base.given_booking(trip);
        const std::string path = "/payment/status/" + std::to_string(booking.id);
        const auto guess = [&](int i) { return base.get(path, guest(secret_number(i), "192.0.2.1")); };
        CHECK(refused(tries + 20, guess, 403) >= 15);
        // Knowing the right one does not help who has guessed, and hurts nobody else.
        CHECK(base.get(path, guest(booking.token, "192.0.2.1")).status == 429);
        CHECK(base.get(path, guest(booking.token, "192.0.2.2")).status == 200);
        CHECK(base.get(path, base.user("administrator").from("192.0.2.1")).status == 200);
    });
}

TEST_CASE("a session's secret is guessed at no more often, by whatever route") {
    each_base([](TestBase& base) {
        const auto trip = base.given_trip();
        const auto opened = base.post("/booking/session", json::Value::object({{"trip_id", trip}}));
        REQUIRE(opened.status == 201);
        const auto secret = opened.data().text_or("session_id");
        const auto guess = [&](int i) {
            const auto visitor = holder(secret_number(i), "192.0.2.1");
            switch (i % 4) {
                case 0:
                    return base.get("/booking/session", visitor);
                case 1:
                    return base.call("DELETE", "/booking/session", {}, visitor);
                case 2:
                    return base.post("/booking/summary", json::Value::object(), visitor);
                default:
                    return base.call("PUT", "/booking/session", "{}", visitor);
            }
        };
        CHECK(refused(tries + 20, guess, 404) >= 15);
        CHECK(base.get("/booking/session", holder(secret, "192.0.2.1")).status == 429);
        CHECK(base.get("/booking/session", holder(secret, "192.0.2.2")).status == 200);
    });
}

TEST_CASE("a secret that has ended is no guess") {
    each_base([](TestBase& base) {
        const auto trip = base.given_trip();
        base.given_departure(trip);
        const auto booking = base.given_booking(trip);
        const auto opened = base.post("/booking/session", json::Value::object({{"trip_id", trip}}));
        const auto secret = opened.data().text_or("session_id");
        base.run("UPDATE svc_access_tokens SET expires_at = 1");
        base.run("UPDATE svc_booking_sessions SET expires_at = 1");
        const std::string path = "/payment/status/" + std::to_string(booking.id);
        for (int i = 0; i < tries + 5; ++i) {
            CHECK(base.get(path, guest(booking.token, "192.0.2.1")).status == 403);
            CHECK(base.get("/booking/session", holder(secret, "192.0.2.1")).status == 404);
        }
    });
}

TEST_CASE("a booking's token lives a day from its last use") {
    each_base([](TestBase& base) {
        const auto trip = base.given_trip();
        base.given_departure(trip);
        const auto booking = base.given_booking(trip);
        const std::string path = "/payment/status/" + std::to_string(booking.id);
        const auto hours_left = [&] {
            const auto ends = base.number("SELECT MAX(expires_at) FROM svc_access_tokens");
            return (Instant::from_micros(ends).seconds() - base.assembly->clock.now().seconds() + 60) / 3600;
        };
        CHECK(hours_left() == 24);
        base.run("UPDATE svc_access_tokens SET expires_at = expires_at - 72000000000");
        CHECK(hours_left() == 4);
        CHECK(base.get(path, guest(booking.token, "192.0.2.2")).status == 200);
        CHECK(hours_left() == 24);
    });
}
