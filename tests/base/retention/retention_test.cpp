// How long personal data is kept: as the settings say, and for ever where they say nothing.
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
        base.post("/customers", json::Value::object({{"first_name", "Cato"}, {"email", "cato@example.org"}}), admin);
        base.assembly->hooks.drain();
        base.run("UPDATE svc_customers SET created_at = 1, updated_at = 1");
        base.run(
            "UPDATE svc_bookings SET created_at = 1, travel_date = '2001-01-01', end_date = '2001-01-02', status ="
            " 'completed' WHERE contact_email = 'ada@example.org'");
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
