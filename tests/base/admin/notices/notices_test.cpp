// Notices, counters of what is new, and usage reports.
#include <doctest/doctest.h>

#include "shared/core/log.hpp"
#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;

namespace {

void each_desk(const std::function<void(TestBase&)>& body) {
    each_database([&](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        body(base);
    });
}

bool tells(TestBase& base, const Visitor& who, std::string_view key) {
    const auto list = base.get("/notices", who);
    REQUIRE(list.status == 200);
    for (const auto& notice : list.data().items())
        if (notice["id"].text() == key)
            return true;
    return false;
}

void fail_a_mail(TestBase& base, const char* at) {
    base.run(("INSERT INTO svc_email_outbox (template_key, event_key, to_email, subject, status, next_attempt_at,"
              " created_at, updated_at) VALUES ('t', 'e', 'a@example.org', 's', 'failed', 0, " +
              std::string(at) + ", " + at + ")")
                 .c_str());
}

}  // namespace

TEST_CASE(
    "a notice reports undeliverable mails to users who may resend them, each dismisses it alone, and the next failure "
    "brings it back") {
    each_desk([](TestBase& base) {
        const auto& owner = base.user("owner");
        const auto now = base.assembly->clock.now().micros();
        CHECK_FALSE(tells(base, owner, "undeliverable_mails"));
        fail_a_mail(base, std::to_string(now - 60'000'000).c_str());
        CHECK(tells(base, owner, "undeliverable_mails"));
        CHECK_FALSE(tells(base, base.user("guide"), "undeliverable_mails"));
        CHECK(base.call("POST", "/notices/undeliverable_mails/dismiss", {}, base.user("guide")).status == 404);
        CHECK(base.call("POST", "/notices/undeliverable_mails/dismiss", {}, owner).data()["dismissed"].boolean());
        CHECK_FALSE(tells(base, owner, "undeliverable_mails"));
        CHECK(tells(base, base.user("administrator"), "undeliverable_mails"));
        fail_a_mail(base, std::to_string(base.assembly->clock.now().micros() + 1'000'000).c_str());
        CHECK(tells(base, owner, "undeliverable_mails"));
        CHECK(base.call("POST", "/notices/no_such/dismiss", {}, owner).status == 404);
    });
}

TEST_CASE("corrected seat counts are a notice") {
    each_desk([](TestBase& base) {
        const auto trip = base.given_trip();
        base.given_departure(trip);
        base.given_booking(trip);
        base.run("UPDATE svc_departures SET booked_count = 5");
        base.assembly->jobs.prepare();
        std::string quiet;
        log::redirect(&quiet);
        CHECK(base.assembly->jobs.run_now("seat_audit"));
        base.get("/tools/logs", base.user("administrator"));  // what was logged is in the list by now
        log::redirect(nullptr);
        CHECK(tells(base, base.user("owner"), "seat_drift_repaired"));
    });
}

TEST_CASE("the links of notices are addresses of the admin that their reader may open") {
    each_desk([](TestBase& base) {
        const auto trip = base.given_trip();
        base.given_departure(trip);
        const auto booking = base.given_booking(trip);
        const std::string now = std::to_string(base.assembly->clock.now().micros()), id = std::to_string(booking.id);
        fail_a_mail(base, now.c_str());
        base.run(("INSERT INTO svc_domain_events (name, arguments, occurred_at, attempts) VALUES ('svc_x', '[]', " +
                  now + ", 5)")
                     .c_str());
        base.run(("INSERT INTO svc_payment_intents (booking_id, gateway, call_key, purpose, amount_minor, currency,"
                  " status, reconciliation, ask_at, expires_at, created_at, updated_at) VALUES (" +
                  id + ", 'stripe', 'k', 'checkout', 100, 'USD', 'processing', 'review', 0, " + now + ", " + now +
                  ", " + now + ")")
                     .c_str());
        std::size_t links = 0;
        for (const char* role : {"administrator", "owner", "manager", "front_desk"}) {
            CAPTURE(role);
            const auto notices = base.get("/notices", base.user(role));
            for (const auto& notice : notices.data().items())
                for (const auto& action : notice["actions"].items()) {
                    const std::string url = action["url"].text();
                    CAPTURE(url);
                    CHECK(url.starts_with("/admin/"));
                    if (url.starts_with("/admin/tools/"))
                        CHECK(base.get("/tools/jobs", base.user(role)).status == 200);
                    if (url.starts_with("/admin/settings"))
                        CHECK(base.get("/settings", base.user(role)).status == 200);
                    if (url.starts_with("/admin/bookings/"))
                        CHECK(url == "/admin/bookings/" + id);
                    ++links;
                }
        }
        CHECK(links >= 6);
    });
}

TEST_CASE("sections count what is newer than a user has seen, and 0 without the right to see it") {
    each_desk([](TestBase& base) {
        const auto trip = base.given_trip();
        base.given_departure(trip);
        base.given_booking(trip);
        const auto& owner = base.user("owner");
        CHECK(base.get("/admin/new-counts", owner).data()["bookings"].integer() == 1);
        CHECK(base.get("/admin/new-counts", base.holding({"svc_access_admin"})).data()["bookings"].integer() == 0);
        const auto seen = base.call("POST", "/admin/mark-seen", R"({"section":"bookings"})", owner);
        CHECK(seen.data()["count"].integer() == 0);
        CHECK(base.get("/admin/new-counts", owner).data()["bookings"].integer() == 0);
        CHECK(base.get("/admin/new-counts", base.user("administrator")).data()["bookings"].integer() == 1);
        base.given_booking(trip, 30, "Babbage");
        CHECK(base.get("/admin/new-counts", owner).data()["bookings"].integer() == 1);
        CHECK(base.call("POST", "/admin/mark-seen", R"({"section":"nothing"})", owner).field() == "section");
        CHECK(base.number("SELECT COUNT(*) FROM svc_domain_events WHERE name = 'svc_admin_mark_seen'") == 1);
    });
}

TEST_CASE("a week's usage report is sent once, whatever became of it, and again when it was rejected or forced") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        const auto& admin = base.user("administrator");
        const auto send = [&](const char* body) { return base.call("POST", "/usage-tracking/send", body, admin); };
        REQUIRE(base.call("POST", "/usage-tracking/settings", R"({"enabled":true})", admin).status == 200);
        base.assembly->notices.usage.send_to("https://127.0.0.1/usage");
        CHECK(send("{}").status == 502);
        CHECK(send("{}").status == 502);  // refused: tried again
        // As a crash between the sending and its note leaves it.
        base.run(("UPDATE svc_usage_state SET period = " +
                  std::to_string(base.assembly->clock.now().micros() / (std::int64_t{7} * 86'400'000'000)))
                     .c_str());
        const auto again = send("{}");
        CHECK(again.status == 200);
        CHECK_FALSE(again.data()["sent"].boolean());
        CHECK(send(R"({"force":true})").status == 502);
    });
}

TEST_CASE("a usage report that is sent again, after a crash or by force, has the key by which its receiver drops it") {
    each_desk([](TestBase& base) {
        std::vector<std::string> keys, bodies;
        bool is_down = true;
        Features none;
        Site site = with_hooks(base.assembly->site, base.assembly->hooks, none);
        site.fetch = [&](const outbound::FetchRequest& request) -> Result<outbound::FetchAnswer> {
            for (const auto& [name, value] : request.headers)
                if (name == "Idempotency-Key")
                    keys.push_back(value);
            bodies.push_back(request.body);
            return is_down ? Result<outbound::FetchAnswer>(errc::upstream_error)
                           : Result<outbound::FetchAnswer>(outbound::FetchAnswer{204, {}, {}});
        };
        notices::Usage usage(site);
        usage.send_to("https://usage.example.org/");
        REQUIRE(usage.enable(true, 0));
        CHECK_FALSE(usage.send(false));
        const std::string first = usage.report().dump();
        base.given_trip();  // counted by the next report, not by the repeated one
        CHECK(usage.report().dump() != first);
        is_down = false;
        CHECK(usage.send(false).value());
        CHECK_FALSE(usage.send(false).value());
        CHECK(bodies == std::vector<std::string>(2, first));
        CHECK(usage.send(true).value());
        REQUIRE(keys.size() == 3);
        CHECK(keys == std::vector<std::string>(3, keys.front()));
        CHECK(keys.front().starts_with(usage.status().instance_id + "-"));
        // A report that is forced while reports are off has a key of its week, and stores nothing.
        const std::string lasting_id = usage.status().instance_id;
        REQUIRE(usage.enable(false, 0));
        CHECK(usage.send(true).value());
        CHECK(usage.send(true).value());
        REQUIRE(keys.size() == 5);
        CHECK(keys[3] == keys[4]);
        CHECK(bodies[3] == bodies[4]);
        CHECK(json::parse(bodies[3])->text_or("instance_id") + "-" == keys[3].substr(0, keys[3].find('-') + 1));
        CHECK(keys[3].size() > 32);
        CHECK_FALSE(keys[3].starts_with(lasting_id));
        CHECK(base.number("SELECT COUNT(*) FROM svc_usage_state") == 0);
        CHECK(base.number("SELECT COUNT(*) FROM svc_usage_snapshots") == 0);
    });
}

TEST_CASE("usage reports are off, are shown word for word, are sent nowhere without an address, and leave nothing") {
    each_desk([](TestBase& base) {
        const auto& admin = base.user("administrator");
        const auto off = base.get("/usage-tracking/status", admin);
        CHECK_FALSE(off.data()["enabled"].boolean());
        CHECK(off.data()["instance_id"].text().empty());
        CHECK(base.call("POST", "/usage-tracking/send", "{}", admin).field() == "force");
        CHECK(base.call("POST", "/usage-tracking/send", R"({"force":true})", admin).status == 400);
        CHECK(base.call("POST", "/usage-tracking/settings", R"({"enabled":true})", admin).data()["enabled"].boolean());
        const auto id = base.get("/usage-tracking/status", admin).data()["instance_id"].text();
        CHECK(id.size() == 32);
        base.given_trip();
        const auto shown = json::parse(base.get("/usage-tracking/preview", admin).data()["json"].text());
        REQUIRE(shown);
        CHECK((*shown)["instance_id"].text() == id);
        CHECK((*shown)["week"].integer() > 2'900);
        CHECK((*shown)["orders_of_magnitude"]["trips"].integer() == 1);

        // An address that nobody answers at.
        base.assembly->notices.usage.send_to("https://127.0.0.1/usage");
        CHECK(base.call("POST", "/usage-tracking/send", "{}", admin).code() == "svc_upstream_error");
        CHECK(base.get("/usage-tracking/status", admin).data()["retry_count"].integer() == 1);
        CHECK(base.call("POST", "/usage-tracking/clear-cache", {}, admin).data()["cleared"].boolean());
        CHECK(base.get("/usage-tracking/status", admin).data()["retry_count"].integer() == 0);
        CHECK(base.call("POST", "/usage-tracking/delete-snapshots", {}, admin).data()["deleted"].integer() == 0);
        base.call("POST", "/usage-tracking/settings", R"({"enabled":false})", admin);
        CHECK(base.number("SELECT COUNT(*) FROM svc_usage_state") == 0);
        CHECK(base.get("/usage-tracking/status", base.user("guide")).status == 403);
    });
}
