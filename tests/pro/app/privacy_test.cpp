// Pro's data of a person, in their export and after their erasure.
#include <set>

#include <doctest/doctest.h>

#include "tests/support/test_base.hpp"

extern "C" const svc_plugin* svc_plugin_entry(void);

using namespace svc;
using namespace svc::tests;
using json::Value;

namespace {

// The tables, Pro's too, with that text in a column, in any case of ASCII letters.
std::set<std::string> tables_with(TestBase& base, const std::string& text) {
    std::set<std::string> found;
    base.assembly->store->read([&](store::Session& session) {
        found.clear();
        const bool sqlite = session.dialect() == store::Dialect::sqlite;
        for (const auto& [table, column] : session.all<std::pair<std::string, std::string>>(
                 sqlite
                     ? "SELECT m.name, c.name FROM sqlite_master m, pragma_table_info(m.name) c WHERE m.type = 'table'"
                       " AND m.name LIKE 'svc_%' AND c.type = 'TEXT'"
                     : "SELECT table_name, column_name FROM information_schema.columns WHERE table_schema ="
                       " current_schema() AND table_name LIKE 'svc_%' AND table_name NOT LIKE 'svc_%_v_'"  // no views
                       " AND data_type = 'text'",
                 "tt", {}, [](const store::Row& row) { return std::pair(row.text(0), row.text(1)); }))
            if (session.number("SELECT COUNT(*) FROM " + table + " WHERE LOWER(" + column + ") LIKE :text",
                               {{"text", "%" + text + "%"}}) > 0)
                found.insert(table);
    });
    return found;
}

}  // namespace

TEST_CASE("scheduled payments are in a person's export and name nobody after the erasure, the module on or off") {
    each_database([](Database& database) {
        CAPTURE(database.name());
        TestBase base(database, &svc_plugin_entry);
        const std::string guest = "ada@example.org";
        base.given_license("agency");
        const auto trip = base.given_trip();
        base.given_departure(trip);
        const auto booking = base.given_booking(trip);
        // The module was never on: it has no tables.
        REQUIRE(base.assembly->privacy.exported(guest));
        CHECK(base.assembly->privacy.exported(guest)->operator[]("more")["scheduled_payments"].is_null());

        const auto turn = [&](bool on) {
            for (const char* slug : {"flexible_payments", "scheduled_payments"})
                REQUIRE(base.post("/modules/" + std::string(slug) + "/toggle", Value::object({{"enabled", on}}),
                                  base.user("administrator"))
                            .status == 200);
        };
        turn(true);
        base.run(
            "INSERT INTO svc_scheduled_payments (booking_id, plan_no, sequence_no, kind, payment_type, amount_minor,"
            " currency, planned_total_minor, scheduled_date, status, max_attempts, last_error, created_at, updated_at)"
            " SELECT id, 1, 1, 'charge', 'balance', 4200, 'USD', 4200, '2020-01-01', 'failed', 3,"
            " 'The card of Ada Lovelace was declined.', 0, 0 FROM svc_bookings");
        turn(false);
        const auto exported = base.assembly->privacy.exported(guest);
        REQUIRE(exported);
        REQUIRE((*exported)["more"]["scheduled_payments"].size() == 1);
        CHECK((*exported)["more"]["scheduled_payments"].items()[0]["booking_id"] == Value(booking.id));
        const auto of_another = base.assembly->privacy.exported("eva@example.org");
        CHECK_FALSE(of_another);

        const auto before = tables_with(base, "lovelace");
        CHECK(before.contains("svc_scheduled_payments"));
        CHECK(before.size() == 5);
        base.run("UPDATE svc_bookings SET travel_date = '2020-01-01', end_date = '2020-01-02', status = 'completed'");
        const auto erased = base.assembly->privacy.erase(guest);
        REQUIRE(erased);
        CHECK((*erased)["of_plugins"] == Value(1));
        CHECK(base.number(
                  "SELECT COUNT(*) FROM svc_scheduled_payments WHERE last_error = '' AND amount_minor = 4200") == 1);
        REQUIRE(base.assembly->hooks.drain());
        for (const std::string& table : tables_with(base, "lovelace"))
            CHECK(table == "svc_issued_documents");
    });
}
