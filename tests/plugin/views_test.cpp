// The views that plugins read: each is as CAPABILITIES.md promises, also on a base of a later release.
#include <cstdlib>
#include <fstream>
#include <map>

#include <doctest/doctest.h>

#include "tests/support/databases.hpp"

namespace svc::tests {
namespace {

// View -> its columns, "id, title", of the rows | `svc_trip_v1` | release | id, title |.
std::map<std::string, std::string> promised_views() {
    std::map<std::string, std::string> rows;
    std::ifstream lines(SVC_SOURCE_DIR "/shared/plugin/CAPABILITIES.md");
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("| `svc_") || line.find("_v1` |") == std::string::npos)
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
    REQUIRE(views.size() == 5);
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

TEST_CASE("a base of a later release is later") {
    const char* newer = std::getenv("SVC_TEST_NEWER_BASE");
    if (!newer)
        return;
    each_database([&](Database& database) {
        CAPTURE(database.name());
        database.open_migrated()->read([&](store::Session& session) {
            const bool has_column =
                columns_of(session, database.dialect(), "svc_bookings").ends_with("of_next_release");
            CHECK(has_column == (newer == std::string_view("column")));
            CHECK(columns_of(session, database.dialect(), "svc_booking_v2").empty() == has_column);
        });
    });
}

}  // namespace
}  // namespace svc::tests
