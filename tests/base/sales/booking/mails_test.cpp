// Which e-mails a booking's life brings, and sending one of them once more.
#include <doctest/doctest.h>

#include "tests/support/before_start.hpp"
#include "tests/support/each_on.hpp"
#include "tests/support/open_mails.hpp"
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
        open_mails(*base.assembly->store, *base.assembly->keyring);
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

const auto each_post = each_on<Post>;

}  // namespace

TEST_CASE("events and e-mails are led back to the request that they come from") {
    each_post([](Post& post) {
        const auto made = post.base.post("/booking/create",
                                         filled_in(Value::object({{"trip_id", post.trip},
                                                                  {"travel_date", post.base.day(30)},
                                                                  {"contact_first_name", "Ada"},
                                                                  {"contact_last_name", "Lovelace"},
                                                                  {"contact_email", "ada@example.org"}})),
                                         post.base.user("svc_customer"));
        REQUIRE(made.status == 201);
        const std::string of = " WHERE request_id = '" + made.header("X-Request-Id") + "'";
        CHECK(post.base.number(
                  ("SELECT COUNT(*) FROM svc_domain_events" + of + " AND name = 'svc_booking_created'").c_str()) == 1);
        REQUIRE(post.base.assembly->hooks.drain());
        CHECK(post.base.number(("SELECT COUNT(*) FROM svc_email_outbox" + of).c_str()) == 2);
        CHECK(post.base.number("SELECT COUNT(*) FROM svc_email_outbox WHERE request_id IS NULL") == 0);
    });
}

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
        CHECK(post.mails("trip_reminder' AND subject LIKE '%begins in 30 days") == 1);
        const auto other = post.base.given_booking(post.trip).id;
        post.set_status(other, "cancelled");
        CHECK(post.again(other, "reminder").field() == "type");
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

TEST_CASE("a booking that staff's payment confirms at once sends no e-mail that it was received") {
    each_post([](Post& post) {
        const auto mode = [&](const char* body) {
            REQUIRE(post.base.call("PUT", "/settings", body, post.admin).status == 200);
        };
        const auto made = [&](const char* name, Value value) {
            Value body = Value::object({{"trip_id", post.trip},
                                        {"travel_date", post.base.day(30)},
                                        {"contact_first_name", "Ada"},
                                        {"contact_email", "ada@example.org"},
                                        {"payment_gateway", "cash"}});
            const auto answer = post.base.post("/bookings", body.set(name, std::move(value)), post.admin);
            REQUIRE(answer.status == 201);
            return answer.data().text_or("status");
        };
        mode(R"({"auto_confirm_mode":"all"})");
        CHECK(made("amount_paid", 100) == "confirmed");
        CHECK(made("amount_paid", 40) == "confirmed");
        CHECK(made("payment_status", "paid") == "confirmed");
        CHECK(post.mails("booking_confirmed") == 3);
        CHECK(post.mails("admin_new_booking") == 3);
        CHECK(post.mails("booking_confirmation") == 0);
        // A booking that waits for staff is confirmed as received, paid or not.
        mode(R"({"auto_confirm_mode":"online"})");
        CHECK(made("amount_paid", 100) == "pending");
        CHECK(post.mails("booking_confirmed") == 3);
        CHECK(post.mails("booking_confirmation") == 1);
    });
}

TEST_CASE("a reminder's extra block begins with what is still to be paid, and has no such note once all is") {
    each_post([](Post& post) {
        REQUIRE(post.base
                    .call("PUT", "/settings", R"({"email_tpl_reminder_body":"<i>{{ reminder_extra_html }}</i>"})",
                          post.admin)
                    .status == 200);
        const auto id = post.base.given_booking(post.trip).id;
        post.set_status(id, "confirmed");
        const auto pay = [&](int amount) {
            return post.base
                .post("/payments",
                      Value::object(
                          {{"booking_id", id}, {"amount", amount}, {"gateway", "cash"}, {"status", "completed"}}),
                      post.admin)
                .status;
        };
        REQUIRE(pay(20) == 201);
        REQUIRE(post.again(id, "reminder").status == 200);
        const std::string checklist = "<ul%><li%>A valid passport%";  // with their looks
        CHECK(post.mails("trip_reminder' AND body_html LIKE '%<i><p%>Still to pay: USD 80.00</p>" + checklist) == 1);
        REQUIRE(pay(80) == 201);
        REQUIRE(post.again(id, "reminder").status == 200);
        CHECK(post.mails("trip_reminder' AND body_html LIKE '%<i>" + checklist) == 1);
    });
}

TEST_CASE("the first e-mail names the moment at which the booking would end unpaid") {
    each_post([](Post& post) {
        for (const int hours : {24, 1, 400}) {
            for (const int each : {0, hours})  // it begins anew
                REQUIRE(
                    post.base
                        .call("PUT", "/settings", Value::object({{"booking_expiry_hours", each}}).dump(), post.admin)
                        .status == 200);
            const auto session = post.base.post(
                "/booking/session", Value::object({{"trip_id", post.trip}, {"travel_date", post.base.day(30)}}));
            const auto made = post.base.post("/booking/create",
                                             filled_in(Value::object({{"session_id", session.data()["session_id"]}})));
            REQUIRE(made.status == 201);
            const auto ends = Instant::parse(made.data().text_or("expires_at"));
            REQUIRE(ends);
            CHECK(made.data().text_or("pay_by") == ends->text());
            const std::string moment =
                settings::moment_in("en", settings::look_of(post.base.assembly->settings), *ends);
            CHECK(post.mails("booking_confirmation' AND booking_id = " + std::to_string(made.data()["id"].integer()) +
                             " AND body_text LIKE '%Pay by: " + moment + "%") == 1);
        }
    });
}

TEST_CASE("the first e-mail of a booking paid offline has the instructions that the answer has") {
    each_post([](Post& post) {
        const auto session = post.base.post(
            "/booking/session", Value::object({{"trip_id", post.trip}, {"travel_date", post.base.day(30)}}));
        const auto made =
            post.base.post("/booking/create", filled_in(Value::object({{"session_id", session.data()["session_id"]},
                                                                       {"special_requests", "A window <seat>"},
                                                                       {"contact_nationality", "British"}})));
        REQUIRE(made.status == 201);
        const std::string instructions = made.data()["payment_instructions"].text();
        REQUIRE(instructions.starts_with("Nothing is charged now."));
        REQUIRE(post.mails("booking_confirmation") == 1);
        const auto mail = [&](const char* column) {
            return post.base.assembly->store->reading<std::string>([&](store::Session& opened) {
                return opened
                    .first<std::string>(std::string("SELECT ") + column +
                                            " FROM svc_email_outbox WHERE template_key = 'booking_confirmation'"
                                            " ORDER BY id DESC LIMIT 1",
                                        "t", {}, [](const store::Row& row) { return row.text(0); })
                    .value();
            });
        };
        CHECK(mail("body_text").find(instructions) != std::string::npos);
        CHECK(mail("body_html").find("To pay now") == std::string::npos);

        // Tags that only the operator's own text uses.
        const auto own = Value::object(
            {{"email_tpl_booking_body",
              "{{ special_requests_html }}|{{ contact_nationality }}|{{ contact_country }}|{{ emergency_name }}|"
              "{{ payment_gateway_label }}|{{ payment_schedule_label }}|{{ booking_url }}|{{ contact_nothing }}|"}});
        REQUIRE(post.base.call("PUT", "/settings", own.dump(), post.admin).status == 200);
        REQUIRE(post.again(made.data()["booking_id"].integer(), "confirmation").data()["sent"].boolean());
        REQUIRE(post.mails("booking_confirmation") == 2);
        CHECK(mail("body_html")
                  .find("A window &lt;seat&gt;|British|United Kingdom|Annabella|Pay later|Full payment|" +
                        made.data()["confirmation_url"].text() + "?booking_token=b1.") != std::string::npos);
    });
}

TEST_CASE("a text of an e-mail whose tags are not closed is refused by its setting's name") {
    each_post([](Post& post) {
        for (const char* key : {"email_tpl_booking_body", "email_tpl_reminder_subject"})
            for (const char* text : {"<p>unclosed {{ booking_reference </p>", "{{#trip_name}} {{ trip_name }}"}) {
                const auto answer = post.base.call("PUT", "/settings", Value::object({{key, text}}).dump(), post.admin);
                CHECK(answer.status == 400);
                CHECK(answer.field() == key);
            }
    });
}

TEST_CASE("listeners that choose an e-mail's text are given its booking and the booked trip with its categories") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        json::Array seen;
        const BeforeStart listening([&seen](app::Assembly& parts) {
            REQUIRE(parts.hooks.filter("svc_transactional_email_effective_subject", {.name = "test"},
                                       [&seen](store::Transaction*, const json::Array& given) {
                                           if (given.at(1).text() == "booking_confirmation")
                                               seen = given;
                                           return given.front();
                                       }));
        });
        Post post(database);
        const auto booking = post.base.given_booking(post.trip);
        REQUIRE(post.mails("booking_confirmation") == 1);
        REQUIRE(seen.size() == 4);
        CHECK(seen[2]["reference"].text() == booking.reference);
        CHECK(seen[3]["id"].integer() == post.trip);
        CHECK_FALSE(seen[3].text_or("title").empty());
        CHECK_FALSE(seen[3].text_or("trip_type").empty());
        CHECK(seen[3]["categories"].is_array());
    });
}

TEST_CASE("a text of an e-mail with an unknown merge tag is refused, and the nearest known tag suggested") {
    each_post([](Post& post) {
        const auto answer =
            post.base.call("PUT", "/settings", R"({"email_tpl_booking_body":"Dear {{ custmer_name }}"})", post.admin);
        CHECK(answer.status == 400);
        CHECK(answer.field() == "email_tpl_booking_body");
        CHECK(answer.body["message"].text() ==
              "Unknown tag in this e-mail: {{ custmer_name }}. Did you mean {{ customer_name }}?");
        CHECK(post.base.assembly->settings.text("email_tpl_booking_body").empty());
    });
}

TEST_CASE("sending an e-mail once more reports when it is not sent, and why") {
    each_post([](Post& post) {
        const auto id = post.base.given_booking(post.trip).id;
        CHECK(post.again(id, "confirmation").data()["reason"].is_null());
        const auto refused = [&](const char* type, const char* reason) {
            const auto answer = post.again(id, type);
            CHECK(answer.status == 200);
            CHECK_FALSE(answer.data()["sent"].boolean());
            CHECK(answer.data()["reason"].text() == reason);
        };
        const auto set = [&](const char* settings) {
            REQUIRE(post.base.call("PUT", "/settings", settings, post.admin).status == 200);
        };
        const auto queued = post.mails("booking_confirmation");
        set(R"({"email_template_booking":false})");
        refused("confirmation", "This e-mail is switched off.");
        set(R"({"enable_customer_notifications":false})");
        refused("confirmation", "E-mails to customers are switched off.");
        set(R"({"enable_admin_notifications":false})");
        refused("admin_new_booking", "E-mails to staff are switched off.");
        set(R"({"admin_email":"","enable_admin_notifications":true,"enable_customer_notifications":true,
                "email_template_booking":true})");
        refused("admin_new_booking", "The setting admin_email is empty.");
        // As imports leave them.
        execute(*post.base.assembly->store, {"UPDATE svc_bookings SET contact_email = ''"});
        refused("confirmation", "The booking has no e-mail address.");
        CHECK(post.base.number("SELECT COUNT(*) FROM svc_email_outbox WHERE template_key = 'booking_confirmation'"
                               " AND status = 'queued'") == queued);
    });
}

TEST_CASE("a listener chooses who gets a blind copy") {
    const BeforeStart listening([](app::Assembly& parts) {
        REQUIRE(parts.hooks.filter(
            "svc_email_always_bcc", {.name = "test"}, [](store::Transaction*, const json::Array& given) {
                return given[1].text() == "booking_confirmation" ? Value("audit@example.org") : given[0];
            }));
    });
    each_post([](Post& post) {
        post.base.given_booking(post.trip);
        CHECK(post.mails("booking_confirmation") == 2);  // the copy has no secret
        CHECK(post.base.number("SELECT COUNT(*) FROM svc_email_outbox WHERE to_email = 'audit@example.org'") == 1);
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

TEST_CASE("switches and texts of e-mails go by the template's key too, and names that were there mean what they did") {
    each_post([](Post& post) {
        const auto& settings = post.base.assembly->settings;
        const auto write = [&](const std::string& name, Value value) {
            const auto written =
                post.base.call("PUT", "/settings", Value::object({{name, std::move(value)}}).dump(), post.admin);
            CAPTURE(written.text);
            CHECK(written.status == 200);
            CHECK(written.data()["rejected_keys"].size() == 0);
        };
        for (const auto& [key, flag] : {std::pair("booking_confirmation", "booking"),
                                        {"payment_received", "confirmation"},
                                        {"booking_cancelled", "cancellation"},
                                        {"trip_reminder", "reminder"},
                                        {"guest_email_verification", "guest_verification"},
                                        {"booking_confirmed", "booking_confirmed"},
                                        {"admin_payment_received", "admin_payment"},
                                        {"admin_booking_cancelled", "admin_cancellation"}}) {
            write(std::string("email_template_") + key, false);
            CHECK_FALSE(settings.flag(std::string("email_template_") + flag));
        }
        CHECK(settings.flag("email_template_payment_reminder"));
        for (const auto& [key, base] : {std::pair("booking_confirmation", "booking"),
                                        {"payment_received", "payment"},
                                        {"admin_new_booking", "admin_booking"},
                                        {"trip_reminder", "reminder"}})
            for (const char* part : {"_subject", "_body"}) {
                write(std::string("email_tpl_") + key + part, key);
                CHECK(settings.text(std::string("email_tpl_") + base + part) == key);
            }
        CHECK(settings.text("email_tpl_booking_confirmed_subject").empty());
        write("email_template_confirmation", true);
        CHECK(settings.flag("email_template_confirmation"));
        CHECK(settings.flag("email_template_booking") == false);
        CHECK(post.base.call("PUT", "/settings", R"({"email_tpl_payment_received_subject":"{{ open"})", post.admin)
                  .field() == "email_tpl_payment_received_subject");
    });
}

TEST_CASE("staff and customers are each notified once of a booking's changes") {
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
        REQUIRE(bookings.upkeep.expire_unpaid(now.minus(std::chrono::hours(100))));
        post.base.assembly->settings.reload();
        REQUIRE(bookings.upkeep.expire_unpaid(now.plus(std::chrono::hours(25))));
        CHECK(bookings.records.find(unpaid)->status == "cancelled");
        CHECK(bookings.records.find(unpaid)->cancellation_reason == "unpaid");
        CHECK(post.mails("booking_expired_customer") == 1);
        CHECK(post.mails("admin_booking_expired") == 1);
        CHECK(post.base.number("SELECT COUNT(*) FROM svc_email_outbox WHERE body_html LIKE"
                               " '%No payment reached us by %'") == 2);
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

TEST_CASE(
    "two e-mails about a booking whose money changes in between each show the money of their moment, in that order") {
    each_post([](Post& post) {
        const auto id = post.base.given_booking(post.trip).id;
        const std::string of_booking = "booking_id = " + std::to_string(id) + " AND to_email = 'ada@example.org'";
        post.set_status(id, "confirmed");
        REQUIRE(post.mails("booking_confirmed") == 1);  // made now
        REQUIRE(post.base
                    .post("/payments",
                          Value::object(
                              {{"booking_id", id}, {"amount", 100}, {"gateway", "cash"}, {"status", "completed"}}),
                          post.admin)
                    .status == 201);
        REQUIRE(post.mails("payment_received") == 1);
        CHECK(post.mails("booking_confirmed' AND body_text LIKE '%Due now: USD 100.00%") == 1);
        CHECK(post.mails("booking_confirmed' AND body_text LIKE '%Paid: %") == 0);
        CHECK(post.mails("payment_received' AND body_text LIKE '%Paid: USD 100.00%Still to pay: USD 0.00%") == 1);
        const auto number_of = [&](const char* key) {
            return post.base.number(
                ("SELECT id FROM svc_email_outbox WHERE template_key = '" + std::string(key) + "' AND " + of_booking)
                    .c_str());
        };
        CHECK(number_of("booking_confirmed") < number_of("payment_received"));  // sent in this order

        // Both are made after the payment: neither asks for money that has come.
        const auto other = post.base.given_booking(post.trip).id;
        REQUIRE(post.mails("booking_confirmation") == 2);
        for (const auto& [method, path, body] :
             {std::tuple{"PUT", "/bookings/" + std::to_string(other) + "/status",
                         Value::object({{"status", "confirmed"}})},
              {"POST", std::string("/payments"),
               Value::object({{"booking_id", other}, {"amount", 100}, {"gateway", "cash"}, {"status", "completed"}})}})
            REQUIRE(post.base.call(method, path, body.dump(), post.admin).status < 300);
        REQUIRE(post.mails("payment_received") == 2);
        CHECK(post.mails("booking_confirmed' AND booking_id = " + std::to_string(other) +
                         " AND body_text LIKE '%Still to pay: USD 0.00%") == 1);
    });
}

TEST_CASE("the e-mail about a new booking says its status in words to staff and leads to the booking in the admin") {
    each_post([](Post& post) {
        const auto booking = post.base.given_booking(post.trip);
        REQUIRE(post.mails("admin_new_booking") == 1);
        CHECK(post.mails("admin_new_booking' AND body_text LIKE '%Status: Received%") == 1);
        CHECK(post.mails("admin_new_booking' AND body_text LIKE '%pending%") == 0);  // no word of the interface
        CHECK(post.mails("admin_new_booking' AND body_html LIKE '%/admin/bookings/" + std::to_string(booking.id) +
                         "\"%Open booking " + booking.reference + "<%") == 1);
    });
}

TEST_CASE("a completed payment is mailed to the customer and to staff, once") {
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

TEST_CASE("a part payment is mailed by its own template where that is on, the last payment never") {
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
            "'%1.00%Total%Paid%1.00%Still to pay%'");
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

TEST_CASE("a refund is mailed to its customer once, with the sum, the credit note and the amount still due") {
    each_post([](Post& post) {
        const auto booking = post.base.given_booking(post.trip);
        const auto paid = post.base.post(
            "/payments",
            Value::object({{"booking_id", booking.id}, {"amount", 40}, {"gateway", "cash"}, {"status", "completed"}}),
            post.admin);
        REQUIRE(paid.status == 201);
        const std::string path = "/payments/" + std::to_string(paid.data()["id"].integer()) + "/refunds";
        const auto back = post.base.post(path, Value::object({{"amount", 15}, {"reason", "Rain & wind"}}), post.admin);
        REQUIRE(back.status == 201);
        CHECK(back.data()["reduces_total"].boolean());
        CHECK(back.data()["total_reduced"].number_text() == "15.00");
        CHECK(post.mails("booking_refunded") == 1);
        const int year = post.base.assembly->settings.zone().date_at(post.base.assembly->clock.now()).year();
        const std::string note = "CRN-" + std::to_string(year) + "-00001";
        CHECK(post.base.number(("SELECT COUNT(*) FROM svc_email_outbox WHERE template_key = 'booking_refunded' AND"
                                " body_html LIKE '%15.00%refund_id=%" +
                                note + "%Rain &amp; wind%'")
                                   .c_str()) == 1);
        REQUIRE(post.base.post(path, Value::object({{"amount", 5}, {"reduces_total", false}}), post.admin).status ==
                201);
        CHECK(post.mails("booking_refunded") == 2);
        REQUIRE(post.base.call("PUT", "/settings", R"({"email_template_booking_refunded":false})", post.admin).status ==
                200);
        REQUIRE(post.base.post(path, Value::object({{"amount", 1}}), post.admin).status == 201);
        CHECK(post.mails("booking_refunded") == 3);
        CHECK(post.base.number("SELECT COUNT(*) FROM svc_email_outbox WHERE template_key = 'booking_refunded'"
                               " AND status = 'suppressed'") == 1);
    });
}
