// Walks the rows of declared columns by their ids.
#include "shared/store/sealed_columns.hpp"

#include "shared/store/typed.hpp"

namespace svc::store {
namespace {

constexpr std::int64_t most_rows = 20;  // of a transaction: a text may be a document

struct SealedRow {
    std::int64_t id = 0;
    std::string text, bound_to;
};

Result<std::int64_t> renew_rows(Transaction& tx, const std::vector<SealedRow>& rows, const std::string& update,
                                const Renewed& renewed) {
    std::int64_t count = 0;
    for (const SealedRow& row : rows)
        if (const auto text = renewed(row.text, row.bound_to))
            count += tx.run(update, {{"text", *text}, {"id", row.id}, {"before", row.text}});
    return count;
}

}  // namespace

Result<std::int64_t> renew_sealed(Store& store, const SealedColumn& column, const Renewed& renewed) {
    const std::string select = "SELECT id, " + column.column + ", " + column.bound_to + " FROM " + column.table +
                               " WHERE id > :last AND " + column.column + " <> ''" +
                               (column.condition.empty() ? "" : " AND " + column.condition) +
                               " ORDER BY id LIMIT :most";
    const std::string update = "UPDATE " + column.table + " SET " + column.column + " = :text WHERE id = :id AND " +
                               column.column + " = :before";
    std::int64_t count = 0, last = 0;
    for (bool more = true; more;) {
        const auto rows = store.reading<std::vector<SealedRow>>([&](Session& session) {
            return structs<SealedRow, std::int64_t, std::string, std::string>(session, select,
                                                                              {{"last", last}, {"most", most_rows}});
        });
        more = static_cast<std::int64_t>(rows.size()) == most_rows;
        if (rows.empty())
            break;
        last = rows.back().id;
        SVC_ASSIGN_OR_RETURN(const std::int64_t changed,
                             store.transact<std::int64_t>([&](Transaction& tx) -> Result<std::int64_t> {
                                 return renew_rows(tx, rows, update, renewed);
                             }));
        count += changed;
    }
    return count;
}

std::string column_beginning_with(Session& session, const std::vector<std::string>& beginnings,
                                  const std::set<std::string>& left_out) {
    const auto columns = tuples<std::string, std::string>(
        session,
        session.dialect() == Dialect::sqlite
            ? "SELECT t.name, c.name FROM sqlite_master t JOIN pragma_table_info(t.name) c WHERE t.type = 'table'"
              " AND t.name LIKE 'svc%' AND c.type = 'TEXT' ORDER BY 1, 2"
            : "SELECT CAST(c.table_name AS TEXT), CAST(c.column_name AS TEXT) FROM information_schema.columns c"
              " JOIN pg_tables t ON t.tablename = c.table_name AND t.schemaname = c.table_schema WHERE"
              " c.table_schema = current_schema() AND c.table_name LIKE 'svc%' AND c.data_type = 'text' ORDER BY 1, 2",
        {});
    for (const auto& [table, column] : columns) {
        if (left_out.contains(table))
            continue;
        const std::string count = "SELECT COUNT(*) FROM (SELECT 1 AS one FROM \"" + table + "\" WHERE \"" + column +
                                  "\" LIKE :beginning LIMIT 1) found";
        for (const std::string& beginning : beginnings)
            if (session.number(count, {{"beginning", beginning + "%"}}) > 0)
                return table + "." + column;
    }
    return {};
}

}  // namespace svc::store
