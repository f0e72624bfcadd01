// The views that plugins read: each is as CAPABILITIES.md promises, also on a base of a later release.
#include <cstdlib>
#include <fstream>
#include <map>
#include <regex>

#include <doctest/doctest.h>

#include "tests/support/databases.hpp"

namespace svc::tests {
namespace {

// View -> its columns, "id, title", of the rows | `svc_trip_v1` | release | id, title |, of every version.
std::map<std::string, std::string> promised_views() {
    std::map<std::string, std::string> rows;
    std::ifstream lines(SVC_SOURCE_DIR "/shared/plugin/CAPABILITIES.md");
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("| `svc_") || !std::regex_search(line, std::regex("^\\| `svc_[a-z_]+_v[0-9]+` \\|")))
            continue;
        const auto last = line.rfind(" |");
        const auto begin = line.rfind(" | ", last - 1) + 3;
        rows[line.substr(3, line.find('`', 3) - 3)] = line.substr(begin, last - begin);
    }
    return rows;
}

std::string columns_of(store::Session& session, store::Dialect dialect, const std::string& view) {
    std::string all;
    session.each(dialect == store::Dialect::sqlite
                     ? "SELECT name FROM pragma_table_info(:view) ORDER BY cid"
                     : "SELECT CAST(column_name AS TEXT) FROM information_schema.columns"
                       " WHERE table_schema = 'public' AND table_name = :view ORDER BY ordinal_position",
                 "t", {{"view", view}}, [&](const store::Row& row) { all += (all.empty() ? "" : ", ") + row.text(0); });
    return all;
}

TEST_CASE("each view that plugins read has the columns that CAPABILITIES.md lists") {
    const auto views = promised_views();
    REQUIRE(views.size() == 17);
    each_database([&](Database& database) {
        CAPTURE(database.name());
        database.open_migrated()->read([&](store::Session& session) {
            for (const auto& [view, columns] : views) {
                CAPTURE(view);
                CHECK(columns_of(session, database.dialect(), view) == columns);
            }
        });
    });
}

TEST_CASE("views of plugins show no sealed answer, no secret and no hash") {
    for (const auto& [view, columns] : promised_views()) {
        CAPTURE(view);
        for (const char* secret : {"token", "hash", "sealed", "password", "form_data", "contact_data", "emergency"})
            CHECK(columns.find(secret) == std::string::npos);
    }
    each_database([&](Database& database) {
        CAPTURE(database.name());
        const auto store = database.open_migrated();
        execute(*store, {"INSERT INTO svc_booking_sessions (token_hash, form_data, created_at, expires_at)"
                         " VALUES ('a', 'sealed form', 1, 2), ('b', '', 1, 2)"});
        store->read([&](store::Session& session) {
            CHECK(session.number("SELECT SUM(has_draft) * 10 + COUNT(*) FROM svc_checkout_v1", {}) == 12);
            CHECK(session.number("SELECT COUNT(*) FROM svc_traveler_v1 t JOIN svc_checkout_v1 c ON c.booking_id ="
                                 " t.booking_id JOIN svc_customer_v1 p ON p.user_id = c.user_id JOIN svc_enquiry_v1 e"
                                 " ON e.customer_id = p.id JOIN svc_departure_v1 d ON d.trip_id = e.trip_id",
                                 {}) == 0);
        });
    });
}

TEST_CASE("the base is later where the run asks for a later one, and else has neither its column nor its views") {
    const char* newer = std::getenv("SVC_TEST_NEWER_BASE");
    const std::string_view later = newer ? newer : "";
    each_database([&](Database& database) {
        CAPTURE(database.name());
        database.open_migrated()->read([&](store::Session& session) {
            const bool has_column =
                columns_of(session, database.dialect(), "svc_bookings").ends_with("of_next_release");
            CHECK(has_column == (later == "column"));
            CHECK(columns_of(session, database.dialect(), "svc_booking_v3").empty() == (later != "view"));
        });
    });
}

}  // namespace
}  // namespace svc::tests
