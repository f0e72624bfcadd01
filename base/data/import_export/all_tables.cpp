// Reads tables and references of the catalog and sorts them.
#include "base/data/import_export/all_tables.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "shared/store/read_rows.hpp"

namespace svc::import_export {
namespace {

using store::Dialect;

// Schema steps, counters, the key's mark, and the progress of an import of everything: of this database alone.
constexpr std::string_view own_tables[] = {"svc_migrations", "svc_change_counters", "svc_key_mark", "svc_moving"};
// Indexes of words and letters: SQLite has them as virtual tables.
constexpr std::string_view search_tables[] = {"svc_booking_search", "svc_trip_search"};

const char* tables_statement(Dialect dialect) {
    return dialect == Dialect::sqlite
               ? "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name LIKE 'svc!_%'"
                 " ESCAPE '!' ORDER BY name"
               : "SELECT CAST(table_name AS TEXT) FROM information_schema.tables WHERE table_schema ="
                 " current_schema() AND table_type = 'BASE TABLE' AND table_name LIKE 'svc!_%' ESCAPE '!' ORDER BY 1";
}

// Table, column, and the table that it refers to.
const char* references_statement(Dialect dialect) {
    return dialect == Dialect::sqlite
               ? "SELECT m.name, f.\"from\", f.\"table\" FROM sqlite_master m, pragma_foreign_key_list(m.name) f WHERE"
                 " m.type = 'table'"
               : "SELECT CAST(t.relname AS TEXT), CAST(a.attname AS TEXT), CAST(r.relname AS TEXT) FROM pg_constraint c"
                 " JOIN pg_class t ON t.oid = c.conrelid JOIN pg_class r ON r.oid = c.confrelid JOIN pg_namespace n ON"
                 " n.oid = t.relnamespace JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = c.conkey[1] WHERE"
                 " c.contype = 'f' AND n.nspname = current_schema()";
}

struct Column {
    std::string name, refers_to;
};

bool is_among(std::span<const std::string_view> names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

const std::vector<std::string>& derived_tables() {
    static const std::vector<std::string> tables{"svc_booking_tallies", "svc_booking_count_changes", "svc_row_tallies",
                                                 "svc_trip_changes"};
    return tables;
}

std::vector<WholeTable> whole_tables(store::Session& session) {
    std::map<std::string, std::vector<Column>> references;
    for (const std::string& name : store::all_rows(session, tables_statement(session.dialect()), {},
                                                   [](const std::string& table) { return table; })) {
        const auto& derived = derived_tables();
        if (!is_among(own_tables, name) && !is_among(search_tables, name) &&
            std::find(derived.begin(), derived.end(), name) == derived.end())
            references[name];
    }
    store::each_row(session, references_statement(session.dialect()), {},
                    [&](const std::string& table, const std::string& column, const std::string& to) {
                        if (references.contains(table) && references.contains(to))
                            references[table].push_back({column, to});
                    });
    // Each round takes the tables that refer to nothing but what was taken; where a circle leaves none, the first of
    // those that are left.
    std::vector<WholeTable> sorted;
    std::set<std::string> taken;
    while (sorted.size() < references.size()) {
        const auto take = [&](const std::string& name) {
            WholeTable table{.name = name};
            for (const Column& column : references[name])
                if (column.refers_to == name)
                    table.own.push_back(column.name);
                else if (!taken.contains(column.refers_to))
                    table.later.push_back(column.name);
            taken.insert(name);
            sorted.push_back(std::move(table));
        };
        const std::size_t before = sorted.size();
        for (const auto& [name, columns] : references)
            if (!taken.contains(name) && std::all_of(columns.begin(), columns.end(), [&](const Column& column) {
                    return column.refers_to == name || taken.contains(column.refers_to);
                }))
                take(name);
        for (const auto& [name, columns] : references)
            if (sorted.size() == before && !taken.contains(name))
                take(name);
    }
    return sorted;
}

}  // namespace svc::import_export
