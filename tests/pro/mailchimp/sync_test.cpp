// Who becomes a contact and who does not, what they are tagged with, and what comes of failures.
#include "tests/pro/mailchimp/audience.hpp"

using namespace svc;
using namespace svc::tests;

TEST_CASE("mailchimp: nobody is subscribed without a recorded opt-in") {
    each_connected([](Connected& site) {
        site.book("ada@example.org", true);
        site.book("bob@example.org", false);
        site.customer("cyd@example.org", false);
        site.customer("dan@example.org", true);
        // One that an older program stored without the time of the consent.
        const auto eve = site.customer("eve@example.org", false);
        site.base.run(("UPDATE svc_customers SET newsletter_optin = 1 WHERE id = " + std::to_string(eve)).c_str());
        site.work();
        REQUIRE(site.base.post("/mailchimp/sync-all", Value::object(), site.admin()).status == 200);
        site.work();
        CHECK(site.audience.status("ada@example.org") == "subscribed");
        CHECK(site.audience.status("dan@example.org") == "subscribed");
        CHECK(site.audience.members() == 2);
        CHECK(site.audience.member("ada@example.org")->merge_fields.dump() == R"({"FNAME":"Ada","LNAME":"Lovelace"})");
        const Value status = site.status();
        CHECK(status["customers"].integer() == 5);
        CHECK(status["opted_in"].integer() == 2);
        CHECK(status["subscribed"].integer() == 2);
        CHECK(status["waiting"].integer() == 0);
        CHECK(status["problem"].is_null());
        const auto reasons = site.log();
        CHECK(std::count(reasons.begin(), reasons.end(), "no_opt_in") == 1);  // of the booking
    });
}

TEST_CASE("mailchimp: the tick of a booking is kept in a new customer record, and a stranger's changes no record") {
    each_connected([](Connected& site) {
        site.book("ada@example.org", true);
        const Value ada = site.read("/customers/" + std::to_string(site.id_of("ada@example.org")));
        CHECK(ada["newsletter_optin"].boolean());
        CHECK(ada["newsletter_optin_at"].is_string());
        site.book("bob@example.org", false);
        site.book("bob@example.org", true);  // a guest who knows Bob's address
        CHECK_FALSE(site.agrees(site.id_of("bob@example.org")));
        site.work();
        CHECK(site.audience.status("bob@example.org") == "none");
    });
}

TEST_CASE("mailchimp: contacts are addressed by the MD5 of the address in lower case, and change by an upsert") {
    each_connected([](Connected& site) {
        const auto id = site.customer("Ada@Example.org", true);
        site.work();
        const auto asked = site.audience.asked();
        REQUIRE(!asked.empty());
        CHECK(asked.front().method == "PUT");
        CHECK(asked.front().path.find("/members/1b79ddb2cf19f66c5ac4a0db8ba1e1b7") == std::string::npos);
        CHECK(asked.front().path.find("/members/" + pro::mailchimp::member_hash("ada@example.org")) !=
              std::string::npos);
        CHECK(pro::mailchimp::member_hash("Urist.McVankab@freddiesjokes.com") == "62eeb292278cc15f5817cb78f7790b08");
        CHECK(asked.front().body["status_if_new"].text() == "subscribed");
        CHECK(asked.front().body.find("status") == nullptr);
        site.audience.forget_asked();
        REQUIRE(site.put("/customers/" + std::to_string(id), R"({"first_name":"Augusta"})").status == 200);
        site.work();
        CHECK(site.audience.member("ada@example.org")->merge_fields["FNAME"].text() == "Augusta");
        site.audience.forget_asked();
        REQUIRE(site.put("/customers/" + std::to_string(id), R"({"notes":"calls in the morning"})").status == 200);
        site.work();
        CHECK(site.audience.asked().empty());  // nothing that Mailchimp shows has changed
    });
}

TEST_CASE("mailchimp: with double opt-in contacts are asked to confirm") {
    each_connected([](Connected& site) {
        site.set(R"({"double_optin":true})");
        site.book("ada@example.org", true);
        site.work();
        CHECK(site.audience.status("ada@example.org") == "pending");
        CHECK(site.status()["pending"].integer() == 1);
        REQUIRE(site.report("subscribe", "ada%40example.org").status == 200);
        site.work();
        CHECK(site.status()["subscribed"].integer() == 1);
    });
}

TEST_CASE("mailchimp: whoever did not agree is a transactional contact, and only if the setting says so") {
    each_connected([](Connected& site) {
        site.book("bob@example.org", false);
        site.work();
        CHECK(site.audience.members() == 0);
        site.set(R"({"sync_transactional":true})");
        site.customer("cyd@example.org", false);  // who never booked
        site.book("dan@example.org", false);
        REQUIRE(site.base.post("/mailchimp/sync-all", Value::object(), site.admin()).status == 200);
        site.work();
        CHECK(site.audience.status("bob@example.org") == "transactional");
        CHECK(site.audience.status("dan@example.org") == "transactional");
        CHECK(site.audience.status("cyd@example.org") == "none");
        CHECK(site.status()["transactional"].integer() == 2);
        site.agree(site.id_of("bob@example.org"), true);
        site.work();
        CHECK(site.audience.status("bob@example.org") == "subscribed");
    });
}

TEST_CASE("mailchimp: settings say whether a booking or a payment adds a contact") {
    each_connected([](Connected& site) {
        site.set(R"({"sync_on_booking":false,"sync_on_payment":true})");
        const auto booking = site.book("ada@example.org", true);
        site.work();
        CHECK(site.audience.members() == 0);
        const auto paid = site.base.post(
            "/payments",
            Value::object({{"booking_id", booking}, {"amount", 1}, {"gateway", "cash"}, {"status", "completed"}}),
            site.admin());
        CAPTURE(paid.text);
        REQUIRE(paid.status == 201);
        site.work();
        CHECK(site.audience.status("ada@example.org") == "subscribed");
    });
}

TEST_CASE("mailchimp: tags name trip and state of bookings and are removed with a cancellation") {
    each_connected([](Connected& site) {
        site.set(R"({"default_tags":"Travelers, VIP , VIP"})");
        const auto booking = site.book("ada@example.org", true);
        site.work();
        CHECK(site.audience.tags("ada@example.org") == "Booking pending, Nile cruise, Travelers, VIP");
        site.set_status(booking, "confirmed");
        site.work();
        CHECK(site.audience.tags("ada@example.org") == "Booking confirmed, Nile cruise, Travelers, VIP");
        site.set_status(booking, "cancelled");
        site.work();
        CHECK(site.audience.tags("ada@example.org") == "Travelers, VIP");
        CHECK(site.audience.status("ada@example.org") == "subscribed");
        site.set(R"({"add_tags":false})");
        site.book("bob@example.org", true);
        site.work();
        CHECK(site.audience.tags("bob@example.org") == "Travelers, VIP");
    });
}

TEST_CASE("mailchimp: a consent that is withdrawn here ends there, and a later one begins again") {
    each_connected([](Connected& site) {
        const auto id = site.customer("ada@example.org", true);
        site.work();
        site.agree(id, false);
        site.work();
        CHECK(site.audience.status("ada@example.org") == "unsubscribed");
        CHECK(site.status()["unsubscribed_there"].integer() == 0);
        site.agree(id, true);
        site.work();
        CHECK(site.audience.status("ada@example.org") == "pending");  // Mailchimp asks them
    });
}

TEST_CASE("mailchimp: a withdrawal that Mailchimp refuses is tried again, also after it refused a change") {
    each_connected([](Connected& site) {
        const auto id = site.customer("ada@example.org", true);
        site.work();
        site.audience.answer("ada@example.org", 400, R"({"title":"Invalid Resource","status":400,"detail":"no"})");
        REQUIRE(site.put("/customers/" + std::to_string(id), R"({"first_name":"Augusta"})").status == 200);
        site.work();
        CHECK(site.log().front() == "rejected");
        site.agree(id, false);
        site.work();
        CHECK(site.log("action").front() == "unsubscribe");
        CHECK(site.log("status").front() == "failed");
        site.audience.answer_as_usual();
        CHECK(site.audience.status("ada@example.org") == "subscribed");
        site.base.run("UPDATE svc_mailchimp_state SET looked_at = NULL");
        site.work();
        CHECK(site.audience.status("ada@example.org") == "unsubscribed");
    });
}

TEST_CASE("mailchimp: a contact in compliance state is told and never tried again") {
    each_connected([](Connected& site) {
        site.audience.answer(
            "ada@example.org", 400,
            R"({"title":"Member In Compliance State","status":400,"detail":"ada@example.org was cleaned"})");
        const auto id = site.customer("ada@example.org", true);
        site.work();
        CHECK(site.log().front() == "compliance");
        CHECK(site.log("detail").front() == "ada@example.org was cleaned");
        site.audience.forget_asked();
        REQUIRE(site.put("/customers/" + std::to_string(id), R"({"first_name":"Augusta"})").status == 200);
        site.agree(id, false);
        site.agree(id, true);
        REQUIRE(site.base.post("/mailchimp/sync-all", Value::object(), site.admin()).status == 200);
        site.work();
        CHECK(site.audience.asked().empty());
        CHECK(site.status()["refused"].integer() == 1);
        CHECK(site.status()["problem"].is_null());
    });
}

TEST_CASE("mailchimp: a contact that exists is changed where Mailchimp says so") {
    each_connected([](Connected& site) {
        site.audience.put("ada@example.org", "subscribed");
        site.audience.answer_once("ada@example.org", 400,
                                  R"({"title":"Member Exists","status":400,"detail":"Use PUT to insert or update"})");
        site.customer("ada@example.org", true);
        site.work();
        CHECK(site.audience.count("PATCH") == 1);
        CHECK(site.audience.member("ada@example.org")->merge_fields["FNAME"].text() == "Ada");
        CHECK(site.status()["subscribed"].integer() == 1);
    });
}

TEST_CASE("mailchimp: a withdrawal while the module was off is caught up") {
    each_connected([](Connected& site) {
        const auto id = site.customer("ada@example.org", true);
        site.work();
        site.turn(false);
        site.agree(id, false);
        site.turn(true);
        site.base.run("UPDATE svc_mailchimp_state SET looked_at = NULL");
        site.work();
        CHECK(site.audience.status("ada@example.org") == "unsubscribed");
    });
}

TEST_CASE("mailchimp: another address of a customer replaces the contact, and a customer that is deleted has none") {
    each_connected([](Connected& site) {
        const auto id = site.customer("ada@example.org", true);
        site.work();
        REQUIRE(site.put("/customers/" + std::to_string(id), R"({"email":"augusta@example.org"})").status == 200);
        site.work();
        CHECK(site.audience.status("ada@example.org") == "archived");
        CHECK(site.audience.status("augusta@example.org") == "subscribed");
        REQUIRE(site.base.call("DELETE", "/customers/" + std::to_string(id), "", site.admin()).status == 200);
        site.base.run("UPDATE svc_mailchimp_state SET looked_at = NULL");
        site.work();
        CHECK(site.audience.status("augusta@example.org") == "archived");
    });
}

TEST_CASE("mailchimp: an earlier address that Mailchimp does not remove is unsubscribed") {
    each_connected([](Connected& site) {
        const auto id = site.customer("ada@example.org", true);
        site.work();
        REQUIRE(site.put("/customers/" + std::to_string(id), R"({"email":"augusta@example.org"})").status == 200);
        site.audience.answer_once("ada@example.org", 405, R"({"title":"Method Not Allowed","status":405})");
        site.work();
        CHECK(site.audience.status("ada@example.org") == "unsubscribed");
        CHECK(site.audience.status("augusta@example.org") == "subscribed");
    });
}

TEST_CASE("mailchimp: a contact that exists there keeps its status, and one by purchases becomes a subscriber") {
    each_connected([](Connected& site) {
        site.audience.put("ada@example.org", "unsubscribed");
        site.audience.put("bob@example.org", "cleaned");
        site.audience.put("cyd@example.org", "transactional");
        site.audience.put("dan@example.org", "archived");
        const auto ada = site.customer("ada@example.org", true), bob = site.customer("bob@example.org", true);
        site.customer("cyd@example.org", true);
        const auto dan = site.customer("dan@example.org", true);
        site.work();
        CHECK(site.audience.status("ada@example.org") == "unsubscribed");
        CHECK(site.audience.status("bob@example.org") == "cleaned");
        CHECK(site.audience.status("cyd@example.org") == "subscribed");
        CHECK(site.audience.status("dan@example.org") == "archived");
        CHECK_FALSE(site.agrees(ada));  // what they said there counts here
        CHECK_FALSE(site.agrees(bob));
        CHECK(site.agrees(dan));  // the archive is the operator's
        CHECK(site.status()["unsubscribed_there"].integer() == 3);
    });
}

TEST_CASE("mailchimp: a full run goes on after a crash, counts what it did, and sends nothing twice in vain") {
    each_connected([](Connected& site) {
        site.turn(false);
        for (int i = 0; i < 30; ++i)
            site.customer("guest" + std::to_string(i) + "@example.org", i % 3 != 0);
        site.turn(true);
        REQUIRE(site.base.post("/mailchimp/sync-all", Value::object(), site.admin()).data()["total"].integer() == 20);
        site.audience.answer("guest4@example.org", 400,
                             R"({"title":"Invalid Resource","status":400,"detail":"looks fake or invalid"})");
        CHECK(site.status()["run"]["running"].boolean());
        // The process died after it had claimed rows.
        site.audience.answer("", 503, "down");
        site.work();
        site.audience.answer_as_usual();
        site.audience.answer("guest4@example.org", 400,
                             R"({"title":"Invalid Resource","status":400,"detail":"looks fake or invalid"})");
        CHECK(site.status()["problem"].text() == "unavailable");
        CHECK(site.audience.members() == 0);
        site.rested();
        site.work();
        const Value run = site.status()["run"];
        CHECK_FALSE(run["running"].boolean());
        CHECK(run["synced"].integer() == 19);
        CHECK(run["failed"].integer() == 1);
        CHECK(run["ended_at"].is_string());
        CHECK(site.audience.members() == 19);
        CHECK(site.status()["problem"].is_null());
        CHECK(site.status()["refused"].integer() == 1);
        const auto details = site.log("detail");
        CHECK(std::count(details.begin(), details.end(), "looks fake or invalid") == 1);
    });
}

TEST_CASE("mailchimp: 429, failures, garbage and another contact's data put contacts off, and nothing is lost") {
    each_connected([](Connected& site) {
        const auto fails_as = [&](const char* problem, bool rests_all = true) {
            CAPTURE(problem);
            site.work();
            const Value status = site.status();
            CHECK(site.log().front() == problem);
            CHECK(status["problem"] == (rests_all ? Value(problem) : Value()));
            CHECK(status["waiting"].integer() == 1);
            CHECK(status["resume_at"].is_string() == rests_all);
            CHECK(site.audience.members() == 0);
            site.audience.forget_asked();
            site.work();
            CHECK(site.audience.asked().empty());  // it rests
            site.rested();
            site.base.run("UPDATE svc_mailchimp_state SET problem = '', failures = 0");
        };
        site.customer("ada@example.org", true);
        site.audience.answer("", 429, R"({"title":"Too Many Requests","status":429,"detail":"simultaneous"})",
                             "Retry-After: 7200\r\n");
        fails_as("throttled");
        site.audience.answer("", 500, R"({"title":"Internal Server Error","status":500})");
        fails_as("unavailable", false);  // it may be this contact alone
        site.audience.answer("", 200, "<html>A portal</html>");
        fails_as("garbled", false);
        site.audience.answer("", 200,
                             R"({"email_address":"eve@example.org","status":"subscribed","list_id":"a1b2c3d4e5"})");
        fails_as("garbled", false);
        site.audience.answer("", 200, R"({"email_address":"ada@example.org","status":"subscribed","list_id":"other"})");
        fails_as("garbled", false);
        site.audience.answer("", 200, R"({"email_address":"ada@example.org","status":7,"list_id":"a1b2c3d4e5"})");
        fails_as("garbled", false);
        site.audience.answer("", 401,
                             R"({"title":"API Key Invalid","status":401,"detail":"Your API key may be invalid"})");
        fails_as("key");
        site.audience.answer("", 404, R"({"title":"Resource Not Found","status":404,"detail":"not found"})");
        fails_as("list");
        site.audience.answer_as_usual();
        site.work();
        CHECK(site.audience.status("ada@example.org") == "subscribed");
        CHECK(site.status()["problem"].is_null());
    });
}

TEST_CASE("mailchimp: one contact that is always answered 500 waits alone; several in a row put all off") {
    each_connected([](Connected& site) {
        site.audience.answer("bad@example.org", 500, R"({"title":"Internal Server Error","status":500})");
        site.customer("bad@example.org", true);
        for (const char* email : {"ada@example.org", "bob@example.org", "cyd@example.org"})
            site.customer(email, true);
        site.work();
        CHECK(site.audience.members() == 3);
        CHECK(site.status()["problem"].is_null());
        CHECK(site.status()["waiting"].integer() == 1);
        const auto waits = site.base.number("SELECT next_attempt_at FROM svc_mailchimp_queue");
        site.audience.forget_asked();
        site.work();
        CHECK(site.audience.asked().empty());
        site.rested();
        site.work();  // its rests grow
        CHECK(site.base.number("SELECT next_attempt_at FROM svc_mailchimp_queue") > waits + 30'000'000);
        CHECK(site.base.number("SELECT attempts FROM svc_mailchimp_queue") == 2);

        site.audience.answer("", 500, R"({"title":"Internal Server Error","status":500})");
        for (const char* email : {"dan@example.org", "eve@example.org", "fay@example.org", "gil@example.org"})
            site.customer(email, true);
        site.rested();
        site.audience.forget_asked();
        site.work();
        CHECK(site.audience.asked().size() == 3);
        CHECK(site.status()["problem"].text() == "unavailable");
        CHECK(site.status()["resume_at"].is_string());
        site.audience.answer_as_usual();
        site.rested();
        site.work();
        CHECK(site.audience.members() == 8);
        CHECK(site.status()["problem"].is_null());
    });
}

TEST_CASE("mailchimp: a withdrawal ends the newsletter of an audience that was chosen before, too") {
    each_connected([](Connected& site) {
        site.set(R"({"list_id":")" + former_list + R"("})");
        const auto ada = site.customer("ada@example.org", true);
        site.customer("bob@example.org", true);
        site.work();
        site.set(R"({"list_id":")" + mailchimp_list + R"("})");
        site.audience.forget_asked();
        site.work();
        CHECK(site.audience.asked().empty());  // who still agrees is left where they are
        site.agree(ada, false);
        site.work();
        REQUIRE(site.audience.count("PATCH") == 1);
        CHECK(site.audience.asked().front().path.starts_with("/3.0/lists/" + former_list));
        CHECK(site.audience.status("ada@example.org") == "unsubscribed");
        // Whoever leaves that audience by its own link has withdrawn here.
        REQUIRE(site.report("unsubscribe", "bob%40example.org", former_list).status == 200);
        site.work();
        CHECK_FALSE(site.agrees(site.id_of("bob@example.org")));
    });
}

TEST_CASE("mailchimp: contacts whose withdrawal Mailchimp refuses are looked at behind the others") {
    each_connected([](Connected& site) {
        const auto ada = site.customer("ada@example.org", true), bob = site.customer("bob@example.org", true);
        site.work();
        site.turn(false);
        site.agree(ada, false);
        site.agree(bob, false);
        site.turn(true);
        site.audience.answer("ada@example.org", 400, R"({"title":"Invalid Resource","status":400,"detail":"no"})");
        for (int looks = 0; looks < 2; ++looks) {
            site.base.run("UPDATE svc_mailchimp_state SET looked_at = NULL");
            REQUIRE(site.base.assembly->store->write([&](store::Transaction& tx) -> Result<void> {
                pro::mailchimp::Runs::queue_strays(tx, mailchimp_list, 1, SystemClock().now());
                return {};
            }));
            site.work();
        }
        CHECK(site.audience.status("bob@example.org") == "unsubscribed");
    });
}

TEST_CASE("mailchimp: the rests grow, are bounded, and are never shorter than Mailchimp asks") {
    using pro::mailchimp::Outcome;
    using std::chrono::seconds;
    CHECK(pro::mailchimp::rest_after(Outcome::throttled, 1, {}) == seconds(30));
    CHECK(pro::mailchimp::rest_after(Outcome::unavailable, 3, {}) == seconds(120));
    CHECK(pro::mailchimp::rest_after(Outcome::unavailable, 60, {}) == seconds(3600));
    CHECK(pro::mailchimp::rest_after(Outcome::throttled, 1, seconds(600)) == seconds(600));
    CHECK(pro::mailchimp::rest_after(Outcome::throttled, 9, seconds(1)) == seconds(3600));
    CHECK(pro::mailchimp::rest_after(Outcome::key, 1, {}) == seconds(3600));
}

TEST_CASE("mailchimp: nothing happens while it is off, and nothing of a partner is called by a booking") {
    each_connected([](Connected& site) {
        site.audience.hang(true);
        site.book("ada@example.org", true);  // within the test's time
        site.set_status(site.book("bob@example.org", true), "cancelled");
        CHECK(site.audience.asked().empty());
        CHECK(site.status()["waiting"].integer() == 2);
        site.audience.hang(false);
        site.turn(false);
        site.work();
        CHECK(site.audience.asked().empty());
        CHECK(site.base.get("/mailchimp/settings", site.admin()).status == 404);
        site.book("cyd@example.org", true);
        site.turn(true);
        site.work();
        CHECK(site.audience.members() == 2);
    });
}
