// How many e-mails strangers can cause, what these repeat, how many go to staff, and whom a secret reaches.
#include <algorithm>

#include <doctest/doctest.h>

#include "base/messaging/templates/secrets.hpp"
#include "base/messaging/templates/templates.hpp"
#include "base/sales/booking/record/hooks.hpp"
#include "tests/support/each_on.hpp"
#include "tests/support/open_mails.hpp"
#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

struct Post {
    explicit Post(const Database& database) : base(database), admin(base.user("administrator")) {
        set(R"({"unproven_mails_per_hour":10,"admin_email":"office@example.org","unpaid_seats_share":100})");
        trip = base.given_trip();
        for (int day = 30; day < 36; ++day)
            base.given_departure(trip, day, 200);
        base.run("DELETE FROM svc_email_outbox");
    }
    void set(const char* settings) { REQUIRE(base.call("PUT", "/settings", settings, admin).status == 200); }
    Answered book(const std::string& email, const Visitor& from = {}, int day = 30) {
        return base.book(trip, day, Value::object({{"contact_email", email}}), from);
    }
    // Rows that go within an hour, by a condition of SQL.
    std::int64_t going(const std::string& where) {
        REQUIRE(base.assembly->hooks.drain());
        return base.number(("SELECT COUNT(*) FROM svc_email_outbox WHERE status <> 'suppressed'"
                            " AND next_attempt_at < created_at + 1800000000 AND " +
                            where)
                               .c_str());
    }
    std::vector<std::string> texts(const std::string& sql) {
        REQUIRE(base.assembly->hooks.drain());
        open_mails(*base.assembly->store, *base.assembly->site.keyring);
        return base.assembly->store->reading<std::vector<std::string>>([&](store::Session& session) {
            return session.all<std::string>(sql, "t", {}, [](const store::Row& row) { return row.text(0); });
        });
    }

    TestBase base;
    Visitor admin;
    std::int64_t trip = 0;
};

const auto each_post = each_on<Post>;

// Another one at each number, all of one mailbox.
std::string spelling(int number) {
    std::string name = "vic.tim";
    if (number % 3 == 1)
        name = "v.i.c.t.i.m";
    if (number % 3 == 2)
        name = "Victim";
    return name + "+" + std::to_string(number) + (number % 2 == 0 ? "@gmail.com" : "@GoogleMail.com");
}

constexpr const char* to_victim = "LOWER(to_email) LIKE '%v%i%c%t%i%m%'";

}  // namespace

TEST_CASE("fifty spellings of one mailbox get no more e-mails than one, whatever strangers do") {
    each_post([](Post& post) {
        const auto within = [&](const char* act, const std::string& where) {
            CAPTURE(act);
            const auto count = post.going(std::string(to_victim) + " AND " + where);
            CHECK(count >= 1);
            CHECK(count <= 10);
        };
        for (int number = 0; number < 50; ++number)
            post.base.post("/enquiries", Value::object({{"customer_name", "Eve"},
                                                        {"customer_email", spelling(number)},
                                                        {"message", "Is there a cabin?"}}));
        within("enquiry", "template_key = 'enquiry_received'");
        post.base.run("DELETE FROM svc_email_outbox");
        for (int number = 0; number < 50; ++number)
            REQUIRE(post.book(spelling(number)).status == 201);
        within("booking", "template_key = 'booking_confirmation'");
        post.base.run("DELETE FROM svc_email_outbox");
        for (int number = 0; number < 50; ++number)
            post.base.post("/auth/register", Value::object({{"first_name", "Eve"},
                                                            {"last_name", "Mallory"},
                                                            {"email", spelling(number)},
                                                            {"phone", "+44 20 1"},
                                                            {"password", TestBase::password},
                                                            {"confirm_password", TestBase::password}}));
        within("registration", "template_key = 'customer_email_verification'");
        for (int number = 0; number < 50; ++number)
            post.base.post("/auth/password/forgot", Value::object({{"email", spelling(number)}}));
        within("reset", "template_key = 'account_password_reset'");
        post.set(R"({"require_guest_email_verification":true})");
        for (int number = 0; number < 50; ++number)
            REQUIRE(post.book(spelling(number), {}, 31).status == 201);
        within("guest", "template_key = 'guest_email_verification'");
        // Another mailbox has its own.
        REQUIRE(post.book("other@gmail.com", {}, 32).status == 201);
        CHECK(post.going("to_email = 'other@gmail.com'") == 1);
    });
}

TEST_CASE("what one network causes delays no other's e-mails to the mailbox, and none is lost within two days") {
    each_post([](Post& post) {
        const Visitor stranger = Visitor{}.from("203.0.113.9");
        for (int number = 0; number < 12; ++number)
            REQUIRE(post.book("ada@example.org", stranger).status == 201);
        CHECK(post.going("to_email = 'ada@example.org'") == 8);
        CHECK(post.base.number("SELECT COUNT(*) FROM svc_email_outbox WHERE status = 'suppressed'"
                               " AND to_email = 'ada@example.org'") == 0);
        const auto own = post.book("ada@example.org", Visitor{}.from("198.51.100.4"), 31);
        REQUIRE(own.status == 201);
        const std::string of_own = "booking_id = " + std::to_string(own.data()["booking_id"].integer());
        CHECK(post.going(of_own) == 1);
        // By one network to all mailboxes: six times as many.
        for (int number = 0; number < 60; ++number)
            REQUIRE(post.book("person" + std::to_string(number) + "@example.net", stranger, 32 + number % 3).status ==
                    201);
        CHECK(post.going("to_email LIKE 'person%' AND caused_by <> ''") < 60);
        CHECK(post.base.number("SELECT COUNT(*) FROM svc_email_outbox WHERE to_email LIKE 'person%'"
                               " AND status <> 'suppressed'") == 60);
        // A payment makes a booking its payer's: what waited goes at once.
        const auto waiting = post.base.number(
            "SELECT MAX(booking_id) FROM svc_email_outbox WHERE to_email LIKE 'person%'"
            " AND next_attempt_at > created_at + 1800000000");
        REQUIRE(waiting > 0);
        REQUIRE(post.base
                    .post("/payments",
                          Value::object(
                              {{"booking_id", waiting}, {"amount", 100}, {"gateway", "cash"}, {"status", "completed"}}),
                          post.admin)
                    .status == 201);
        REQUIRE(post.base.assembly->hooks.drain());
        CHECK(post.base.number(("SELECT COUNT(*) FROM svc_email_outbox WHERE status = 'queued' AND booking_id = " +
                                std::to_string(waiting) + " AND next_attempt_at > updated_at + 1800000000")
                                   .c_str()) == 0);
    });
}

TEST_CASE("an e-mail to an address that nobody has proven repeats nothing that its sender typed") {
    each_post([](Post& post) {
        post.set(
            R"({"email_tpl_enquiry_received_body":"[{{ message }}{{ original_message }}{{ customer_name }}]{{ enquiry_id }}"})");
        for (const bool built_in : {false, true}) {
            CAPTURE(built_in);
            if (built_in)
                post.set(R"({"email_tpl_enquiry_received_body":""})");
            REQUIRE(post.base
                        .post("/enquiries", Value::object({{"customer_name", "Canaryname"},
                                                           {"customer_email", "ada@example.org"},
                                                           {"phone", "+44 20 555 0199"},
                                                           {"message", "Click http://canary.example/prize"}}))
                        .status == 201);
            const auto told = post.texts(
                "SELECT subject || body_html || body_text FROM svc_email_outbox WHERE"
                " template_key = 'enquiry_received' ORDER BY id DESC");
            REQUIRE_FALSE(told.empty());
            for (const char* canary : {"Canaryname", "canary.example", "555 0199"})
                CHECK(told.front().find(canary) == std::string::npos);
            const auto staff = post.texts(
                "SELECT body_text FROM svc_email_outbox WHERE template_key = 'enquiry_admin'"
                " ORDER BY id DESC");
            REQUIRE_FALSE(staff.empty());
            CHECK(staff.front().find("canary.example") != std::string::npos);
        }
    });
}

TEST_CASE("staff get twenty e-mails of one kind in an hour, and the subjects of the others in one") {
    each_post([](Post& post) {
        for (int number = 0; number < 25; ++number)
            REQUIRE(post.book("ada" + std::to_string(number) + "@example.org").status == 201);
        CHECK(post.going("template_key = 'admin_new_booking'") == 20);
        CHECK(post.base.number("SELECT COUNT(*) FROM svc_email_outbox WHERE for_digest = 1") == 5);
        post.base.assembly->jobs.prepare();
        REQUIRE(post.base.assembly->jobs.run_now("mail_digest"));
        CHECK(post.going("template_key = 'admin_digest'") == 0);  // the hour is not over
        post.texts("SELECT to_email FROM svc_email_outbox");      // their texts are sealed with the time
        post.base.run("UPDATE svc_email_outbox SET created_at = created_at - 3700000000 WHERE for_digest = 1");
        REQUIRE(post.base.assembly->jobs.run_now("mail_digest"));
        REQUIRE(post.base.assembly->jobs.run_now("mail_digest"));
        CHECK(post.going("template_key = 'admin_digest' AND to_email = 'office@example.org'") == 1);
        CHECK(post.base.number("SELECT COUNT(*) FROM svc_email_outbox WHERE for_digest = 1") == 0);
        const auto digest = post.texts("SELECT body_text FROM svc_email_outbox WHERE template_key = 'admin_digest'");
        const auto held = post.texts(
            "SELECT subject FROM svc_email_outbox WHERE template_key = 'admin_new_booking' AND status = 'suppressed'");
        REQUIRE(digest.size() == 1);
        REQUIRE(held.size() == 5);
        for (const std::string& subject : held)
            CHECK(digest.front().find(subject) != std::string::npos);
    });
}

TEST_CASE("a link loses its token, and nothing else") {
    std::vector<std::string> tokens;
    const std::string secret = "aB3defghijklmnopqrstuvwxyz0123456789";
    for (const auto& [given, open] :
         {std::pair{"https://a.example/book/confirmation/SVC-7K3M9Q2P?pay=remaining&booking_token=" + secret + "#pay",
                    std::string("https://a.example/book/confirmation/SVC-7K3M9Q2P?pay=remaining")},
          {"https://a.example/verify?token=short&lang=de", "https://a.example/verify?lang=de"},
          {"<a href=\"https://a.example/x?a=1&amp;t=" + secret + "\">Pay</a> now",
           "<a href=\"https://a.example/x?a=1\">Pay</a> now"},
          {"https://a.example/consent/" + secret, "https://a.example/consent"},
          {"https://a.example/trip/annapurna-circuit-with-poon-hill",
           "https://a.example/trip/annapurna-circuit-with-poon-hill"},
          {"No link: token=" + secret, "No link: token=" + secret}}) {
        CAPTURE(given);
        CHECK(messaging::without_tokens(given, &tokens) == open);
    }
    CHECK(std::find(tokens.begin(), tokens.end(), secret) != tokens.end());
}

TEST_CASE("an e-mail that holds a secret has one recipient; its copies are e-mails of their own, without it") {
    each_post([](Post& post) {
        // Whatever settings and listeners ask for.
        json::Value all = Value::object({{"email_always_bcc", "archive@example.org"}});
        for (const auto& each : messaging::templates())
            if (!messaging::is_for_one(each)) {
                all.set("email_tpl_" + std::string(each.base) + "_cc", "desk@example.org");
                all.set("email_tpl_" + std::string(each.base) + "_bcc", "boss@example.org");
            }
        const auto stored = post.base.call("PUT", "/settings", all.dump(), post.admin);
        REQUIRE(stored.status == 200);
        CHECK(stored.data()["rejected_keys"].size() == 0);
        for (const auto& each : messaging::templates())
            if (messaging::is_for_one(each)) {
                const auto refused = post.base.call(
                    "PUT", "/settings",
                    Value::object({{"email_tpl_" + std::string(each.base) + "_bcc", "boss@example.org"}}).dump(),
                    post.admin);
                CHECK(refused.data()["rejected_keys"].size() == 1);
            }
        // The link that pays, of the waiting list's offer.
        const auto made = post.book("ada@example.org");
        const auto id = made.data()["booking_id"].integer();
        REQUIRE(post.base.assembly->hooks.drain());
        post.base.run("DELETE FROM svc_email_outbox");
        Value booking = post.base.get("/bookings/" + std::to_string(id), post.admin).data();
        REQUIRE(post.base.assembly->store->write([&](store::Transaction& tx) -> Result<void> {
            post.base.assembly->hooks.emit(tx, booking::waitlist_promoted, {id, post.trip, 1, "pending", booking});
            return {};
        }));
        const auto rows = post.texts(
            "SELECT to_email || '|' || cc || '|' || bcc FROM svc_email_outbox WHERE template_key = 'waitlist_offer'"
            " ORDER BY id");
        CHECK(rows == std::vector<std::string>{"ada@example.org||", "desk@example.org||", "boss@example.org||",
                                               "archive@example.org||"});
        const auto bodies = post.texts(
            "SELECT subject || body_html || body_text FROM svc_email_outbox WHERE template_key = 'waitlist_offer'"
            " ORDER BY id");
        REQUIRE(bodies.size() == 4);
        const auto at = bodies.front().find("booking_token=");
        REQUIRE(at != std::string::npos);
        const std::string token = bodies.front().substr(at + 14, 24);
        for (std::size_t i = 1; i < bodies.size(); ++i) {
            CHECK(bodies[i].find(token) == std::string::npos);
            CHECK(bodies[i].find("booking_token=") == std::string::npos);
            CHECK(bodies[i].find("/book/confirmation/") != std::string::npos);
            CHECK(bodies[i].find("copy of the e-mail to ada@example.org") != std::string::npos);
        }
        // E-mails about accounts have no copies at all.
        post.base.post("/auth/register", Value::object({{"first_name", "Eva"},
                                                        {"last_name", "Day"},
                                                        {"email", "eva@example.org"},
                                                        {"phone", "+44 20 1"},
                                                        {"password", TestBase::password},
                                                        {"confirm_password", TestBase::password}}));
        post.base.post("/auth/password/forgot", Value::object({{"email", "eva@example.org"}}));
        const auto account =
            post.texts("SELECT to_email || cc || bcc FROM svc_email_outbox WHERE event_key LIKE 'account.%'");
        REQUIRE_FALSE(account.empty());
        for (const std::string& recipients : account)
            CHECK(recipients == "eva@example.org");
    });
}
