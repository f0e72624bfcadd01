// Staff, an account's holder and a trip before the whole base.
#pragma once

#include <doctest/doctest.h>

#include "tests/support/test_base.hpp"

namespace svc::tests {

struct ReviewDesk : TestBase {
    explicit ReviewDesk(const Database& database)
        : TestBase(database), trip(given_trip()), holder(user("svc_customer")), staff(user("manager")) {
        given_departure(trip);
    }

    Answered put(const std::string& target, const json::Value& body, const Visitor& who) {
        return call("PUT", target, body.dump(), who);
    }
    [[nodiscard]] std::string of_trip(const char* rest = "reviews") const {
        return "/trips/" + std::to_string(trip) + "/" + rest;
    }
    static json::Value help(std::int64_t rating, const char* content = "Two weeks on the river.\nLovely.") {
        return json::Value::object({{"rating", rating}, {"title", "The Nile"}, {"content", content}});
    }
    void set(const char* key, json::Value value) {
        REQUIRE(put("/settings", json::Value::object({{key, std::move(value)}}), user("administrator")).status == 200);
    }
    // A completed booking; the holder's own, unless it is a guest's.
    GivenBooking journey(bool is_own = true) {
        const auto booking = given_booking(trip);
        if (is_own)
            execute("UPDATE svc_bookings SET user_id = :holder WHERE id = :id", booking.id);
        for (const char* status : {"confirmed", "completed"}) {
            const auto done = put("/bookings/" + std::to_string(booking.id) + "/status",
                                  json::Value::object({{"status", status}}), user("administrator"));
            CAPTURE(done.text);
            REQUIRE(done.status == 200);
        }
        return booking;
    }
    // Entered by staff.
    std::int64_t entered(std::int64_t rating, const char* status = "approved") {
        json::Value body = help(rating);
        body.set("trip_id", trip);
        body.set("author_name", "Grace Hopper");
        body.set("author_email", "grace@example.org");
        body.set("status", status);
        const auto made = post("/reviews", body, staff);
        CAPTURE(made.text);
        REQUIRE(made.status == 201);
        return made.data()["id"].integer();
    }
    json::Value shown() { return get("/trips/public/nile-cruise").data(); }
    void execute(const std::string& sql, std::int64_t id) {
        REQUIRE(assembly->store->write([&](store::Transaction& tx) -> Result<void> {
            tx.run(sql, {{"holder", holder.user_id}, {"id", id}});
            return {};
        }));
    }

    const std::int64_t trip;
    const Visitor& holder;
    const Visitor& staff;
};

inline void at_each_review_desk(const std::function<void(ReviewDesk&)>& work) {
    each_database([&](Database& database) {
        CAPTURE(database.name());
        ReviewDesk desk(database);
        work(desk);
    });
}

}  // namespace svc::tests
