// What customers and guests do with their own bookings, and that nobody else does.
#include <doctest/doctest.h>

#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

std::string own(std::int64_t id, const char* more = "") {
    return "/customers/my-bookings/" + std::to_string(id) + more;
}

void each_base(const std::function<void(TestBase&)>& body) {
    each_database([&](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        body(base);
    });
}

}  // namespace

TEST_CASE("a customer sees and cancels their own bookings and nobody else's") {
    each_base([](TestBase& base) {
        const auto trip = base.given_trip();
        base.given_departure(trip, 30, 5);
        const Visitor customer = base.user("svc_customer");
        const auto made = base.post("/booking/create",
                                    filled_in(Value::object({{"trip_id", trip},
                                                             {"travel_date", base.day(30)},
                                                             {"contact_first_name", "Grace"},
                                                             {"contact_last_name", "Hopper"},
                                                             {"contact_email", "grace@example.org"}})),
                                    customer);
        REQUIRE(made.status == 201);
        const auto id = made.data()["booking_id"].integer();
        const auto other = base.given_booking(trip);

        const auto list = base.get("/customers/my-bookings", customer);
        REQUIRE(list.data().size() == 1);
        CHECK(list.data()[0]["id"].integer() == id);
        CHECK(base.get("/customers/my-bookings").status == 401);
        const auto one = base.get(own(id), customer);
        CHECK(one.status == 200);
        CHECK(one.data().find("internal_notes") == nullptr);
        CHECK(one.data().find("status_log") == nullptr);
        CHECK(one.data().text_or("invoice_token").starts_with("v2."));
        CHECK(base.get(own(other.id), customer).status == 403);
        CHECK(base.get(own(id)).status == 401);
        CHECK(base.call("POST", own(other.id, "/cancel"), "{}", customer).status == 403);

        const auto ended = base.call("POST", own(id, "/cancel"), R"({"reason":"ill"})", customer);
        REQUIRE(ended.status == 200);
        CHECK(ended.data()["status"].text() == "cancelled");
        CHECK(ended.data()["cancelled_via"].text() == "customer");
        CHECK(ended.data()["cancellation_reason"].text() == "ill");
        CHECK(base.call("POST", own(id, "/cancel"), "{}", customer).status == 409);
        CHECK(base.number("SELECT booked_count FROM svc_departures") == 1);
    });
}

TEST_CASE("a guest cancels by the booking's token, which ends with it") {
    each_base([](TestBase& base) {
        const auto trip = base.given_trip();
        base.given_departure(trip, 30, 5);
        const auto made = base.given_booking(trip), other = base.given_booking(trip, 30, "Hopper");
        const auto guest = Visitor{}.with("X-Svc-Booking-Token", made.token);
        CHECK(base.get(own(made.id), guest).status == 200);
        CHECK(base.get(own(made.id) + "?booking_token=" + made.token).status == 200);
        CHECK(base.get(own(other.id), guest).status == 403);
        CHECK(base.call("POST", own(made.id, "/cancel"), "{}", guest).status == 200);
        CHECK(base.get(own(made.id), guest).status == 403);
    });
}

TEST_CASE("a trip that has begun is not cancelled by its customer") {
    each_base([](TestBase& base) {
        const auto trip = base.given_trip();
        base.given_departure(trip, 30, 5);
        const auto made = base.given_booking(trip);
        base.run(("UPDATE svc_bookings SET travel_date = '" + base.day(0) + "'").c_str());
        const auto guest = Visitor{}.with("X-Svc-Booking-Token", made.token);
        CHECK(base.call("POST", own(made.id, "/cancel"), "{}", guest).code() == "svc_conflict");
    });
}

TEST_CASE("what somebody booked as a guest becomes theirs when they sign in with that address proven, not before") {
    each_base([](TestBase& base) {
        const auto trip = base.given_trip();
        base.given_departure(trip, 30, 5);
        const Visitor customer = base.user("svc_customer");
        const auto owned = [&] { return base.number("SELECT COUNT(*) FROM svc_bookings WHERE user_id IS NOT NULL"); };
        base.given_booking(trip);  // ada@example.org
        base.run(
            "UPDATE svc_users SET email = 'ada@example.org', email_lower = 'ada@example.org', email_verified_at ="
            " NULL WHERE login = 'a_svc_customer'");
        const auto sign_in = [&] {
            return base
                .post("/auth/login", Value::object({{"username", "a_svc_customer"}, {"password", TestBase::password}}))
                .status;
        };
        CHECK(sign_in() == 200);
        CHECK(owned() == 0);
        base.run("UPDATE svc_users SET email_verified_at = 1 WHERE login = 'a_svc_customer'");
        CHECK(sign_in() == 200);
        CHECK(owned() == 1);
        CHECK(base.get("/customers/my-bookings", customer).data().size() == 1);
        CHECK(base.number("SELECT COUNT(*) FROM svc_domain_events WHERE name = 'svc_guest_bookings_linked'") == 1);
        CHECK(base.number("SELECT COUNT(*) FROM svc_domain_events WHERE name = 'svc_customer_updated'") == 1);
        CHECK(sign_in() == 200);
        CHECK(base.number("SELECT COUNT(*) FROM svc_domain_events WHERE name = 'svc_guest_bookings_linked'") == 1);
    });
}
