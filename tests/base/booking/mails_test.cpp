// Which e-mails a booking's life brings, and sending one of them once more.
#include <doctest/doctest.h>

#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

struct Post {
    explicit Post(Database& database) : base(database), admin(base.user("administrator")), trip(base.given_trip()) {
        base.given_departure(trip);
        REQUIRE(base.call("PUT", "/settings", R"({"admin_email":"office@example.org"})", admin).status == 200);
    }
    std::int64_t mails(const std::string& template_key) {
        REQUIRE(base.assembly->hooks.drain());
        return base.number(
            ("SELECT COUNT(*) FROM svc_email_outbox WHERE template_key = '" + template_key + "'").c_str());
    }
    Answered again(std::int64_t id, const char* type) {
        return base.post("/bookings/" + std::to_string(id) + "/email", Value::object({{"type", type}}), admin);
    }
    void set_status(std::int64_t id, const char* status) {
        const auto body = Value::object({{"status", status}, {"cancellation_reason", "no guide"}});
        REQUIRE(base.call("PUT", "/bookings/" + std::to_string(id) + "/status", body.dump(), admin).status == 200);
    }

    TestBase base;
    Visitor admin;
    std::int64_t trip;
};

void each_post(const std::function<void(Post&)>& body) {
    each_database([&](Database& database) {
        CAPTURE(database.name());
        Post post(database);
        body(post);
    });
}

}  // namespace

TEST_CASE("an e-mail is sent once more by the state the booking is in") {
    each_post([](Post& post) {
        const auto id = post.base.given_booking(post.trip).id;
        const auto first = post.again(id, "confirmation");
        REQUIRE(first.status == 200);
        CHECK(first.data()["template"].text() == "booking_confirmation");
        CHECK(first.data()["recipient"].text() == "ada@example.org");
        CHECK(first.data()["sent"].boolean());
        CHECK(post.mails("booking_confirmation") == 2);
        CHECK(post.again(id, "cancellation").field() == "type");
        CHECK(post.again(id, "completed").field() == "type");
        CHECK(post.again(id, "payment_confirmation").field() == "type");
        CHECK(post.again(id, "nonsense").field() == "type");
        CHECK(post.again(id, "reminder").data()["template"].text() == "trip_reminder");
        const auto staff = post.again(id, "admin_new_booking");
        CHECK(staff.data()["recipient"].text() == "office@example.org");
        CHECK(post.again(99'999, "confirmation").code() == "booking_not_found");

        post.set_status(id, "confirmed");
        CHECK(post.again(id, "confirmation").data()["template"].text() == "booking_confirmed");
        CHECK(post.mails("booking_confirmed") == 2);
        post.set_status(id, "completed");
        CHECK(post.again(id, "confirmation").data()["template"].text() == "booking_confirmed");
        CHECK(post.again(id, "completed").data()["template"].text() == "booking_completed");
        const auto paid =
            Value::object({{"booking_id", id}, {"amount", 1}, {"gateway", "cash"}, {"status", "completed"}});
        REQUIRE(post.base.post("/payments", paid, post.admin).status == 201);
        CHECK(post.again(id, "payment_confirmation").data()["template"].text() == "payment_received");
        CHECK(post.again(id, "admin_payment_received").data()["template"].text() == "admin_payment_received");

        REQUIRE(post.base.call("PUT", "/settings", R"({"enable_customer_notifications":false})", post.admin).status ==
                200);
        CHECK_FALSE(post.again(id, "completed").data()["sent"].boolean());
    });
}

TEST_CASE("a listener says who gets a blind copy") {
    each_post([](Post& post) {
        REQUIRE(post.base.assembly->hooks.filter(
            "svc_email_always_bcc", {.name = "test"}, [](store::Transaction*, const json::Array& given) {
                return given[1].text() == "booking_confirmation" ? Value("audit@example.org") : given[0];
            }));
        post.base.given_booking(post.trip);
        CHECK(post.mails("booking_confirmation") == 1);
        CHECK(post.base.number("SELECT COUNT(*) FROM svc_email_outbox WHERE bcc = 'audit@example.org'") == 1);
    });
}

TEST_CASE("the e-mail about a received booking is switched by either name") {
    each_post([](Post& post) {
        for (const char* name : {"booking_confirmation", "email_template_booking"}) {
            const auto written = post.base.call("PUT", "/settings", Value::object({{name, false}}).dump(), post.admin);
            CHECK(written.data()["rejected_keys"].size() == 0);
            CHECK_FALSE(post.base.assembly->settings.flag("email_template_booking"));
            post.base.run("DELETE FROM svc_settings WHERE key = 'email_template_booking'");
            post.base.assembly->settings.reload();
        }
    });
}

TEST_CASE("staff and customers each hear of a booking's turns once") {
    each_post([](Post& post) {
        const auto id = post.base.given_booking(post.trip).id;
        CHECK(post.mails("admin_new_booking") == 1);
        post.set_status(id, "cancelled");
        CHECK(post.mails("booking_cancelled") == 1);
        CHECK(post.mails("admin_booking_cancelled") == 1);
        CHECK(post.base.number("SELECT COUNT(*) FROM svc_email_outbox WHERE body_html LIKE '%no guide%'") == 2);

        const auto unpaid = post.base.given_booking(post.trip).id;
        auto& bookings = post.base.assembly->bookings;
        const Instant now = post.base.assembly->clock.now();
        REQUIRE(bookings.expire_unpaid(now.minus(std::chrono::hours(100))));
        post.base.assembly->settings.reload();
        REQUIRE(bookings.expire_unpaid(now.plus(std::chrono::hours(25))));
        CHECK(bookings.find(unpaid)->status == "cancelled");
        CHECK(bookings.find(unpaid)->cancellation_reason == "unpaid");
        CHECK(post.mails("booking_expired_customer") == 1);
        CHECK(post.mails("admin_booking_expired") == 1);
        CHECK(post.base.number("SELECT COUNT(*) FROM svc_email_outbox WHERE body_html LIKE"
                               " '%No payment reached us within 24 hours.%'") == 2);
        CHECK(post.mails("booking_cancelled") == 1);

        // Confirmed in the same breath, nobody hears first that it was received.
        const auto received = post.mails("booking_confirmation");
        const auto made = post.base.post("/bookings",
                                         Value::object({{"trip_id", post.trip},
                                                        {"travel_date", post.base.day(30)},
                                                        {"contact_first_name", "Ada"},
                                                        {"contact_last_name", "Lovelace"},
                                                        {"contact_email", "ada@example.org"},
                                                        {"status", "confirmed"}}),
                                         post.admin);
        REQUIRE(made.status == 201);
        CHECK(post.mails("booking_confirmation") == received);
        CHECK(post.mails("booking_confirmed") == 1);
    });
}

TEST_CASE("a payment that is completed is told to the customer and to staff, once") {
    each_post([](Post& post) {
        const auto id = post.base.given_booking(post.trip).id;
        const auto pay = [&](const char* status) {
            const auto made = post.base.post(
                "/payments",
                Value::object({{"booking_id", id}, {"amount", 1}, {"gateway", "cash"}, {"status", status}}),
                post.admin);
            REQUIRE(made.status == 201);
            return made.data()["id"].integer();
        };
        const auto waiting = pay("pending");
        CHECK(post.mails("payment_received") == 0);
        const auto one = "/payments/" + std::to_string(waiting);
        for (int times = 0; times < 2; ++times)
            CHECK(post.base.call("PUT", one, R"({"status":"completed"})", post.admin).status == 200);
        CHECK(post.mails("payment_received") == 1);
        CHECK(post.mails("admin_payment_received") == 1);
        const auto text = post.base.number(
            "SELECT COUNT(*) FROM svc_email_outbox WHERE template_key = 'payment_received' AND body_html LIKE "
            "'%1.00%'");
        CHECK(text == 1);
    });
}

TEST_CASE("a part is told by its own template where that is on, the last payment never") {
    each_post([](Post& post) {
        const auto pay = [&](std::int64_t id) {
            const auto made = post.base.post(
                "/payments",
                Value::object({{"booking_id", id}, {"amount", 1}, {"gateway", "cash"}, {"status", "completed"}}),
                post.admin);
            REQUIRE(made.status == 201);
        };
        pay(post.base.given_booking(post.trip).id);
        CHECK(post.mails("partial_payment_received") == 0);
        CHECK(post.mails("payment_received") == 1);
        // It was a part all the same, for the customer and for our staff.
        CHECK(post.base.number("SELECT COUNT(*) FROM svc_email_outbox WHERE event_key = 'payment.partial_received'") ==
              post.mails("payment_received") + post.mails("admin_payment_received"));
        CHECK(post.base.number("SELECT COUNT(*) FROM svc_email_outbox WHERE event_key = 'payment.received'") == 0);
        REQUIRE(post.base.call("PUT", "/settings", R"({"email_template_partial_payment":true})", post.admin).status ==
                200);
        const auto booking = post.base.given_booking(post.trip);
        pay(booking.id);
        CHECK(post.mails("partial_payment_received") == 1);
        CHECK(post.mails("payment_received") == 1);
        const auto left = post.base.get("/bookings/" + std::to_string(booking.id), post.admin).data();
        const auto text = post.base.number(
            "SELECT COUNT(*) FROM svc_email_outbox WHERE template_key = 'partial_payment_received' AND body_html LIKE "
            "'%1.00%Paid so far%1.00%Still to pay%'");
        CHECK(text == 1);
        REQUIRE(post.base
                    .post("/payments",
                          Value::object({{"booking_id", booking.id},
                                         {"amount", left["amount_due"]},
                                         {"gateway", "cash"},
                                         {"status", "completed"}}),
                          post.admin)
                    .status == 201);
        CHECK(post.mails("partial_payment_received") == 1);
        CHECK(post.mails("payment_received") == 2);
        CHECK(post.mails("admin_payment_received") == 3);
    });
}
