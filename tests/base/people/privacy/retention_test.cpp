// How long personal data is kept: as the settings say, and for ever where they say nothing.
#include <set>

#include <doctest/doctest.h>

#include "tests/support/test_base.hpp"

using namespace svc;
using namespace svc::tests;

TEST_CASE(
    "customers whose last travel is long ago are erased by the setting, others and their invoices' amounts stay") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        base.leaves_what_holds = false;
        const auto trip = base.given_trip();
        base.given_departure(trip);
        base.given_booking(trip);
        const auto& admin = base.user("administrator");
        // Another address of hers, whose record staff have merged into hers.
        const auto session =
            base.post("/booking/session", json::Value::object({{"trip_id", trip}, {"travel_date", base.day(30)}}));
        base.post("/booking/create",
                  filled_in(json::Value::object(
                      {{"session_id", session.data().text_or("session_id")}, {"contact_email", "ada.l@example.org"}})));
        REQUIRE(base.post("/customers/merge",
                          json::Value::object(
                              {{"source_id", base.number("SELECT id FROM svc_customers WHERE email LIKE 'ada.l@%'")},
                               {"target_id", base.number("SELECT id FROM svc_customers WHERE email LIKE 'ada@%'")}}),
                          admin)
                    .status == 200);
        base.post("/customers", json::Value::object({{"first_name", "Cato"}, {"email", "cato@example.org"}}), admin);
        base.assembly->hooks.drain();
        base.run("UPDATE svc_customers SET created_at = 1, updated_at = 1");
        base.run(
            "UPDATE svc_bookings SET created_at = 1, travel_date = '2001-01-01', end_date = '2001-01-02', status ="
            " 'completed' WHERE contact_email LIKE 'ada%'");
        base.run("UPDATE svc_departures SET start_date = '2001-01-01', end_date = '2001-01-02'");
        base.assembly->jobs.prepare();
        const auto run = [&] { return base.assembly->jobs.run_now("housekeeping").value(); };
        CHECK(run()["customers"].integer() == 0);  // nothing is erased unless somebody says so
        REQUIRE(
            base.call("PUT", "/settings", R"({"customer_retention_months":24,"enquiry_retention_months":12})", admin)
                .status == 200);
        base.post("/customers", json::Value::object({{"first_name", "Dora"}, {"email", "dora@example.org"}}), admin);
        base.post("/enquiries",
                  json::Value::object(
                      {{"customer_name", "Zoe"}, {"customer_email", "zoe@example.org"}, {"message", "When?"}}));
        base.assembly->hooks.drain();
        const auto total = base.number("SELECT SUM(total_minor) FROM svc_bookings");
        const auto done = run();
        CHECK(done["customers"].integer() == 2);
        CHECK(done["enquiries"].integer() == 0);
        CHECK(base.number("SELECT COUNT(*) FROM svc_customers WHERE email = 'dora@example.org'") == 1);
        CHECK(base.number("SELECT COUNT(*) FROM svc_customers WHERE email LIKE 'ada@%' OR email LIKE 'cato@%'") == 0);
        CHECK(base.number("SELECT COUNT(*) FROM svc_bookings WHERE contact_email <> ''") == 0);
        CHECK(base.number("SELECT SUM(total_minor) FROM svc_bookings") == total);
        base.run("UPDATE svc_enquiries SET updated_at = 1");
        CHECK(run()["enquiries"].integer() == 1);
    });
}

TEST_CASE("one job clears what is kept for a time, part by part, and what is young stays") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        TestBase base(database);
        const auto& admin = base.user("administrator");
        base.assembly->jobs.prepare();
        base.run("DELETE FROM svc_email_outbox");
        const auto now = base.assembly->clock.now().micros();
        const auto days_ago = [&](int days) { return std::to_string(now - days * std::int64_t{86'400'000'000}); };
        const auto insert = [&](int days) {
            const std::string at = days_ago(days);
            base.run(("INSERT INTO svc_email_outbox (template_key, event_key, to_email, subject, status,"
                      " next_attempt_at, created_at, updated_at) VALUES ('t', 'e" +
                      std::to_string(days) + "', 'a@example.org', 's', 'sent', 0, " + at + ", " + at + ")")
                         .c_str());
            base.run(("INSERT INTO svc_logs (level, type, event, message, context, search, created_at) VALUES ('info',"
                      " 'system', 'e', 'm', '{}', '', " +
                      at + ")")
                         .c_str());
        };
        insert(400);
        insert(100);
        insert(10);
        // The parts that docs/operating.md lists: a new one has to be told of there.
        const auto done = base.assembly->jobs.run_now("housekeeping").value();
        std::set<std::string> parts;
        for (const auto& [name, count] : done.members())
            parts.insert(name);
        CAPTURE(done.dump());
        CHECK(parts == std::set<std::string>{"checkout_sessions", "customers", "email_bodies", "emails", "enquiries",
                                             "enquiry_clients", "events", "form_files", "job_days", "logs",
                                             "review_clients", "tasks", "unused_form_files"});
        CHECK(done["emails"].integer() == 1);
        CHECK(base.number("SELECT COUNT(*) FROM svc_email_outbox") == 2);
        CHECK(base.number("SELECT COUNT(*) FROM svc_logs WHERE message = 'm'") == 1);
        REQUIRE(base.call("PUT", "/settings", R"({"email_retention_days":30,"log_retention_days":7})", admin).status ==
                200);
        CHECK(base.assembly->jobs.run_now("housekeeping").value()["emails"].integer() == 1);
        CHECK(base.number("SELECT COUNT(*) FROM svc_email_outbox") == 1);
        CHECK(base.number("SELECT COUNT(*) FROM svc_logs WHERE message = 'm'") == 0);
        // Sessions end by the setting session_timeout, and their rows go with the job of credentials.
        base.cookie("owner", true);
        CHECK(base.number("SELECT COUNT(*) FROM svc_sessions") == 1);
        base.run(("UPDATE svc_sessions SET idle_until = " + days_ago(1)).c_str());
        REQUIRE(base.assembly->jobs.run_now("credentials_cleanup"));
        CHECK(base.number("SELECT COUNT(*) FROM svc_sessions") == 0);
    });
}
