// Customers' and guests' actions on their own bookings, which other callers cannot take.
#include <doctest/doctest.h>

#include "tests/support/each_on.hpp"
#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

std::string own(std::int64_t id, const char* more = "") {
    return "/customers/my-bookings/" + std::to_string(id) + more;
}

const auto each_base = each_on<TestBase>;

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
        // A booking in the trash belongs to no customer any more.
        base.run(("UPDATE svc_bookings SET status = 'trash' WHERE id = " + std::to_string(id)).c_str());
        const auto all = base.get("/customers/my-bookings?status=all", customer);
        CHECK(all.status == 200);
        CHECK(all.data().size() == 0);
        CHECK(all.body["meta"]["total"].integer() == 0);
        CHECK(base.get("/customers/my-bookings?status=trash", customer).field() == "status");
        base.run(("UPDATE svc_bookings SET status = 'pending' WHERE id = " + std::to_string(id)).c_str());
        CHECK(base.get("/customers/my-bookings?status=all", customer).data().size() == 1);
        const auto one = base.get(own(id), customer);
        CHECK(one.status == 200);
        CHECK(one.data().find("internal_notes") == nullptr);
        CHECK(one.data().find("status_log") == nullptr);
        CHECK(one.data().text_or("invoice_token").starts_with("v2."));
        for (const auto theirs : {other.id, other.id + 1000}) {
            CHECK(base.get(own(theirs), customer).status == 404);
            CHECK(base.get(own(theirs), customer).code() == "booking_not_found");
        }
        CHECK(base.get(own(id)).status == 401);
        // Staff have routes of their own: what is a customer's is not theirs here, and their own is.
        const Visitor& boss = base.user("administrator");
        CHECK(base.get(own(id), boss).code() == "booking_not_found");
        CHECK(base.get(own(other.id), boss).code() == "booking_not_found");
        CHECK(base.get("/bookings/" + std::to_string(id), boss).status == 200);
        base.run(("UPDATE svc_bookings SET user_id = " + std::to_string(boss.user_id) +
                  " WHERE id = " + std::to_string(other.id))
                     .c_str());
        CHECK(base.get(own(other.id), boss).status == 200);
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

TEST_CASE("a customer gets a fresh invoice_token, however long ago the booking was made") {
    each_base([](TestBase& base) {
        const auto trip = base.given_trip();
        base.given_departure(trip, 30, 5);
        const auto made = base.given_booking(trip);
        base.run("UPDATE svc_bookings SET created_at = created_at - 34560000000000");  // 400 days
        const auto told = base.get(own(made.id, ("?booking_token=" + made.token).c_str()));
        REQUIRE(told.status == 200);
        CHECK(base.get("/booking/" + std::to_string(made.id) +
                       "/invoice?preview=1&invoice_token=" + told.data().text_or("invoice_token"))
                  .status == 200);
    });
}

TEST_CASE("who cancels is shown the trip's cancellation policy, and why staff should look is staff's alone") {
    each_base([](TestBase& base) {
        base.leaves_what_holds = false;  // paid without a payment
        const auto trip = base.given_trip();
        base.given_departure(trip, 30, 5);
        const auto made = base.given_booking(trip);
        const Visitor guest = Visitor{}.with("X-Svc-Booking-Token", made.token);
        const Visitor boss = base.user("administrator");
        const std::string id = std::to_string(made.id);
        CHECK(base.get(own(made.id), guest).data()["cancellation_policy"].text().empty());
        REQUIRE(base.call("PUT", "/trips/" + std::to_string(trip),
                          R"({"cancellation_policy":"Half of it until\nthe last week."})", boss)
                    .status == 200);
        base.run("UPDATE svc_bookings SET amount_paid_minor = 100, needs_attention = 1, attention_reason = 'overpaid'");
        const auto without_reason = [&](const Answered& told) {
            CHECK(told.status == 200);
            CHECK(told.data()["cancellation_policy"].text() == "Half of it until\nthe last week.");
            CHECK(told.data().find("attention_reason") == nullptr);
            CHECK(told.data()["meta"].find("attention_reason") == nullptr);
        };
        without_reason(base.get(own(made.id), guest));
        // Whatever became of its page.
        REQUIRE(base.call("PUT", "/trips/" + std::to_string(trip), R"({"status":"private"})", boss).status == 200);
        without_reason(base.get(own(made.id), guest));
        without_reason(base.call("POST", own(made.id, "/cancel"), R"({"reason":"ill"})", guest));
        const auto seen = base.get("/bookings/" + id, boss).data();
        CHECK(seen["attention_reason"].text() == "cancelled by the customer after paying");
        CHECK(seen["meta"]["attention_reason"] == seen["attention_reason"]);
    });
}

TEST_CASE("who may only look at bookings neither cancels nor pays a customer's") {
    each_base([](TestBase& base) {
        base.leaves_what_holds = false;  // paid without a payment
        const auto trip = base.given_trip();
        base.given_departure(trip, 30, 5);
        base.given_booking(trip);
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
        const std::vector<std::string> to_look{"svc_access_admin", "svc_view_bookings", "svc_view_customers"};
        const Visitor looks = base.holding(to_look);
        CHECK(base.get(own(id), looks).status == 404);
        CHECK(base.get("/payment/status/" + std::to_string(id), looks).status == 200);
        CHECK(base.call("POST", own(id, "/cancel"), "{}", looks).status == 403);
        const Value charge =
            Value::object({{"gateway", "paypal"}, {"booking_id", id}, {"transaction_id", "x"}, {"source_id", "x"}});
        for (const char* path : {"/payment/create-intent", "/payment/confirm", "/payment/paypal/complete"}) {
            CAPTURE(path);
            CHECK(base.post(path, charge, looks).status == 403);
            CHECK(base.post(path, charge, base.holding({"svc_view_bookings", "svc_edit_bookings"})).status != 403);
            base.holding(to_look);
        }
        CHECK(base.number("SELECT COUNT(*) FROM svc_bookings WHERE status = 'cancelled'") == 0);
        // Staff who may are told apart from the customer, who has asked for nothing.
        base.run(("UPDATE svc_bookings SET amount_paid_minor = 100 WHERE id = " + std::to_string(id)).c_str());
        const Visitor desk = base.holding({"svc_change_booking_status"});
        const auto ended = base.call("POST", own(id, "/cancel"), "{}", desk);
        CHECK(ended.status == 200);
        CHECK(ended.data()["cancelled_via"].text() == "admin");
        CHECK(base.number(("SELECT COUNT(*) FROM svc_booking_status_log WHERE actor_kind = 'admin' AND actor_id = " +
                           std::to_string(desk.user_id))
                              .c_str()) == 1);
        CHECK(base.number("SELECT COUNT(*) FROM svc_bookings WHERE needs_attention = 1") == 0);
    });
}

TEST_CASE("the session that made a guest's booking proves it as its token does, and no other booking") {
    each_base([](TestBase& base) {
        const auto trip = base.given_trip();
        base.given_departure(trip, 30, 5);
        const auto other = base.given_booking(trip);
        const auto opened =
            base.post("/booking/session", Value::object({{"trip_id", trip}, {"travel_date", base.day(30)}}));
        REQUIRE(opened.status == 201);
        const auto holder = Visitor{}.with("X-Svc-Session", opened.data().text_or("session_id"));
        const auto made = base.post("/booking/create",
                                    filled_in(Value::object({{"contact_first_name", "Grace"},
                                                             {"contact_last_name", "Hopper"},
                                                             {"contact_email", "grace@example.org"}})),
                                    holder);
        REQUIRE(made.status == 201);
        const std::string path = "/payment/status/" + std::to_string(made.data()["booking_id"].integer());
        CHECK(base.get(path, holder).status == 200);
        CHECK(base.get(path + "?session_id=" + opened.data().text_or("session_id")).status == 200);
        CHECK(base.get(path).status == 401);
        CHECK(base.get("/payment/status/" + std::to_string(other.id), holder).status == 403);
        // A session of one's own does not make guesses free.
        int limited = 0;
        for (int i = 0; i < 40; ++i)
            limited += base.get("/payment/status/" + std::to_string(other.id),
                                holder.with("X-Svc-Booking-Token", "svc_" + std::string(39, 'a') + std::to_string(i))
                                    .from("192.0.2.7"))
                           .status == 429;
        CHECK(limited >= 5);
        base.run("UPDATE svc_booking_sessions SET expires_at = 1");
        CHECK(base.get(path, holder).status == 403);
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

TEST_CASE("a trip that has started is not cancelled by its customer") {
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
