// What somebody reads who has the database and no key.
#pragma once

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "shared/store/store.hpp"
#include "tests/support/databases.hpp"

namespace svc::tests {

// All that lies at rest: the bytes of SQLite's files, every row of every table of PostgreSQL.
inline std::string at_rest(Database& database, store::Store& store) {
    std::string all;
    if (database.dialect() == store::Dialect::sqlite) {
        const std::string path = database.url().substr(std::string("sqlite:").size());
        for (const char* end : {"", "-wal", "-journal"})
            if (std::ifstream file(path + end, std::ios::binary); file)
                all.append(std::istreambuf_iterator<char>(file), {});
        return all;
    }
    store.read([&](store::Session& session) {
        const auto tables = session.all<std::string>(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = current_schema()"
            " AND table_type = 'BASE TABLE'",
            "t", {}, [](const store::Row& row) { return row.text(0); });
        REQUIRE(tables.size() > 20);
        for (const std::string& table : tables)
            session.each("SELECT CAST(x AS TEXT) FROM " + table + " x", "t", {},
                         [&](const store::Row& row) { all += row.text(0) + "\n"; });
    });
    return all;
}

}  // namespace svc::tests
