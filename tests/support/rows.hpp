// Rows of the real schema for tests that care about a few of their columns.
#pragma once

#include <map>
#include <string>

#include "tests/support/databases.hpp"

namespace svc::tests {

// `values`: SQL literals by column. Another column that must not be null and has no default is 0 or an empty text.
inline void insert_row(store::Store& store, const std::string& table, std::map<std::string, std::string> values) {
    store.read([&](store::Session& session) {
        session.each(session.dialect() == store::Dialect::sqlite
                         ? "SELECT name, type FROM pragma_table_info(:table) WHERE \"notnull\" = 1"
                           " AND dflt_value IS NULL AND pk = 0"
                         : "SELECT CAST(column_name AS TEXT), CAST(upper(data_type) AS TEXT)"
                           " FROM information_schema.columns WHERE table_schema = current_schema()"
                           " AND table_name = :table AND is_nullable = 'NO' AND column_default IS NULL"
                           " AND is_identity = 'NO'",
                     "tt", {{"table", table}},
                     [&](const store::Row& row) { values.emplace(row.text(0), row.text(1) == "TEXT" ? "''" : "0"); });
    });
    std::string columns, literals;
    for (const auto& [column, literal] : values) {
        columns += (columns.empty() ? "" : ", ") + column;
        literals += (literals.empty() ? "" : ", ") + literal;
    }
    execute(store, {("INSERT INTO " + table + " (" + columns + ") VALUES (" + literals + ")").c_str()});
}

}  // namespace svc::tests
