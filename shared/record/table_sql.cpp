// Assembles a record's statements. All parts are constants of the declaration: no name and no value of a request.
#include <algorithm>
#include <stdexcept>

#include "shared/record/table.hpp"

namespace svc::record {
namespace {

std::string joined(const std::vector<std::string>& parts, std::string_view between) {
    std::string all;
    for (const std::string& part : parts)
        all += (all.empty() ? "" : std::string(between)) + part;
    return all;
}

}  // namespace

Table::Table(Layout layout, std::vector<Column> columns, Type type)
    : layout_(std::move(layout)), columns_(std::move(columns)), type_(std::move(type)) {
    check_declaration();
    assemble();
    assemble_lists();
    assemble_links();
}

void Table::check_declaration() const {
    const auto reject = [this](const std::string& sentence) {
        throw std::logic_error("Record " + layout_.table + ": " + sentence);
    };
    if (!has("id"))
        reject("it has no id.");
    for (const Column& column : columns_) {
        if (std::count_if(columns_.begin(), columns_.end(), [&](const Column& c) { return c.name == column.name; }) > 1)
            reject("two fields are called " + column.name + ".");
        if (column.is(Mark::sealed) && column.codec != &codec_for<std::string>())
            reject(column.name + " is sealed, so it must be a text.");
        if (column.is(Mark::sortable) && !column.is_selected())
            reject(column.name + " is sortable, so it must be a column.");
        if (column.is(Mark::sealed) && (column.is(Mark::searched) || column.is(Mark::sortable)))
            reject(column.name + " is sealed, so it cannot be searched or sorted by.");
    }
    if (!layout_.sealer.seal &&
        std::any_of(columns_.begin(), columns_.end(), [](const Column& column) { return column.is(Mark::sealed); }))
        reject("it has sealed fields and nothing to seal them with.");
    if (!layout_.place.empty() && !has(layout_.place))
        reject("it has no field " + layout_.place + " to reorder by.");
}

void Table::assemble() {
    std::vector<std::string> selected, names, values, sets;
    for (const Column& column : columns_) {
        if (column.is_selected()) {
            selected.push_back(column.stored.empty() ? column.expression : "r." + column.stored);
            column_types_ += column.codec->cell;
        }
        if (column.is_inserted()) {
            names.push_back(column.stored);
            values.push_back(":" + column.stored);
        }
        if (column.is_updated() && column.name != "row_version")
            sets.push_back(column.stored + " = :" + column.stored);
    }
    if (!layout_.search_column.empty()) {
        names.push_back(layout_.search_column);
        values.push_back(":" + layout_.search_column);
        sets.push_back(layout_.search_column + " = :" + layout_.search_column);
        search_texts_ = "SELECT id, " + layout_.search_column + " FROM " + layout_.table;
        fold_ = "UPDATE " + layout_.table + " SET " + layout_.search_column + " = :folded WHERE id = :id AND " +
                layout_.search_column + " = :before";
    }
    const bool versioned = has("row_version");
    const std::string next_version = versioned ? ", row_version = row_version + 1" : "";
    selected_ = "SELECT " + joined(selected, ", ");
    select_ = selected_ + " FROM " + layout_.table + " r" + (layout_.joins.empty() ? "" : " " + layout_.joins);
    find_ = select_ + " WHERE r.id = :id" + (layout_.where.empty() ? "" : " AND " + layout_.where);
    insert_new_ =
        "INSERT INTO " + layout_.table + " (" + joined(names, ", ") + ") VALUES (" + joined(values, ", ") + ")";
    insert_ = insert_new_ + " RETURNING id";
    update_ = "UPDATE " + layout_.table + " SET " + joined(sets, ", ") + next_version + " WHERE id = :id" +
              (versioned ? " AND row_version = :row_version" : "");
    remove_ = "DELETE FROM " + layout_.table + " WHERE id = :id";
    lock_ = "SELECT id FROM " + layout_.table + " WHERE id = :id FOR ";
    if (has("status"))
        by_status_ = "SELECT r.status, COUNT(*) FROM " + layout_.table + " r" +
                     (layout_.where.empty() ? "" : " WHERE " + layout_.where) + " GROUP BY r.status";
    if (!layout_.place.empty())
        place_ = "UPDATE " + layout_.table + " AS r SET " + find_column(layout_.place)->stored + " = :place" +
                 (has("updated_at") ? ", updated_at = :now" : "") + next_version + " WHERE r.id = :id" +
                 (layout_.where.empty() ? "" : " AND " + layout_.where);
}

void Table::assemble_lists() {
    const auto all = statuses();
    if (std::find(all.begin(), all.end(), layout_.hidden_status) != all.end())
        of_any_status_ = "r.status <> '" + layout_.hidden_status + "'";
    count_ = "SELECT COUNT(*) FROM " + layout_.table + " r" + (layout_.joins.empty() ? "" : " " + layout_.joins);
    if (layout_.tuning.tallied)
        by_status_ = "SELECT t.status, CAST(SUM(t.records) AS BIGINT) FROM svc_row_tallies t WHERE t.name = '" +
                     layout_.table + "' GROUP BY t.status";
    if (!layout_.tuning.grams.empty()) {
        found_sqlite_ = "SELECT rowid FROM " + layout_.tuning.grams + " WHERE " + layout_.tuning.grams +
                        " MATCH :phrase LIMIT :most";
        since_sqlite_ = "SELECT r.id FROM " + layout_.table + " r WHERE r.id > (SELECT COALESCE(MAX(id), 0) FROM " +
                        layout_.tuning.grams + "_docsize) AND r." + layout_.search_column +
                        " LIKE :search ESCAPE '\\' LIMIT :most";
        found_postgresql_ = "SELECT r.id FROM " + layout_.table + " r WHERE svc_grams_of(r." + layout_.search_column +
                            ") @> svc_grams_of(:words) AND r." + layout_.search_column +
                            " LIKE :search ESCAPE '\\' LIMIT :most";
    }
    std::vector<Sort> sorts;
    for (const Column& column : columns_)
        if (column.is(Mark::sortable))
            sorts.push_back({column.name, {column.stored.empty() ? column.expression : "r." + column.stored}});
    sorts.insert(sorts.end(), layout_.sorts.begin(), layout_.sorts.end());
    const bool sorted_by_change =
        std::any_of(sorts.begin(), sorts.end(), [](const Sort& each) { return each.key == "updated_at"; });
    const Column* const changed = find_column("updated_at");
    if (!sorts.empty() && changed && !changed->stored.empty() && !sorted_by_change)
        sorts.push_back({"updated_at", {"r.updated_at"}});
    if (sorts.empty())
        sorts.push_back({"id", {"r.id"}});
    const auto first =
        std::find_if(sorts.begin(), sorts.end(), [&](const Sort& each) { return each.key == layout_.default_sort; });
    if (first != sorts.end())
        std::rotate(sorts.begin(), first, first + 1);
    else if (!layout_.default_sort.empty())
        throw std::logic_error("Record " + layout_.table + ": its default sort key is no key.");
    orders_.emplace("r.id", std::move(sorts));
}

void Table::assemble_links() {
    const std::string sqlite = " IN (SELECT value FROM json_each(:ids))", postgresql = " = ANY(CAST(:ids AS BIGINT[]))";
    for (const Column& column : columns_) {
        if (!column.links)
            continue;
        const Links& links = *column.links;
        const std::string read =
            "SELECT " + links.owner + ", " + links.other + " FROM " + links.table + " WHERE " + links.owner;
        const std::string order = " ORDER BY " + links.owner + ", " + links.other;
        const std::string known = "SELECT id FROM " + links.exists_in + " WHERE id";
        links_.push_back({.column = &column,
                          .read_sqlite = read + sqlite + order,
                          .read_postgresql = read + postgresql + order,
                          .remove = "DELETE FROM " + links.table + " WHERE " + links.owner + " = :id",
                          .insert = "INSERT INTO " + links.table + " (" + links.owner + ", " + links.other +
                                    ") VALUES (:id, :other)",
                          .known_sqlite = links.exists_in.empty() ? "" : known + sqlite,
                          .known_postgresql = links.exists_in.empty() ? "" : known + postgresql});
    }
}

const Column* Table::find_column(std::string_view name) const {
    const auto place =
        std::find_if(columns_.begin(), columns_.end(), [&](const Column& column) { return column.name == name; });
    return place == columns_.end() ? nullptr : &*place;
}

std::vector<std::string> Table::sort_keys() const { return orders_->keys(); }

std::vector<std::string> Table::statuses() const {
    const Column* status = find_column("status");
    return status ? status->type.values : std::vector<std::string>();
}

std::vector<std::string> Table::list_columns() const {
    std::vector<std::string> names;
    for (const Column& column : columns_)
        if (column.is(Mark::in_lists))
            names.push_back(column.name);
    return names;
}

std::string Table::select(std::string_view clause) const { return select_ + " " + std::string(clause); }

std::string Table::select_with(std::string_view more, std::string_view from) const {
    return selected_ + ", " + std::string(more) + " " + std::string(from);
}

std::string Table::insert_statement(std::string_view conflict) const {
    return insert_new_ + " " + std::string(conflict) + " RETURNING id";
}

std::string Table::returning(std::string_view statement) const {
    std::string all;
    for (const Column& column : columns_)
        if (column.is_selected())
            all += (all.empty() ? " RETURNING " : ", ") + (column.stored.empty() ? column.expression : column.stored);
    return std::string(statement) + all;
}

std::string Table::plain_insert_statement(std::string_view conflict) const {
    return insert_new_ + " " + std::string(conflict);
}

IdStatement Table::select_of(std::string_view column, std::string_view tail) const {
    const std::string head = select_ + " WHERE " + std::string(column), end = " " + std::string(tail);
    return {head + " IN (SELECT value FROM json_each(:ids))" + end, head + " = ANY(CAST(:ids AS BIGINT[]))" + end};
}

std::string Table::where_of(const Query& query, store::Dialect dialect) const {
    std::string where;
    const auto add = [&](std::string_view condition) {
        if (!condition.empty())
            where.append(where.empty() ? " WHERE " : " AND ").append(condition);
    };
    add(layout_.where);
    if (!query.status.empty() && query.status != "all" && has("status"))
        add("r.status = :status");
    else
        add(of_any_status_);
    if (query.found)
        add(dialect == store::Dialect::sqlite ? "r.id IN (SELECT value FROM json_each(:found))"
                                              : "r.id = ANY(CAST(:found AS BIGINT[]))");
    else if (!query.search.empty() && !layout_.searched.empty())
        add(layout_.searched + " LIKE :search ESCAPE '\\'");
    else if (!query.search.empty() && !layout_.search_column.empty())
        add("r." + layout_.search_column + " LIKE :search ESCAPE '\\'");
    if (query.from)
        add("r.created_at >= :from");
    if (query.to)
        add("r.created_at < :to");
    if (std::any_of(query.filters.begin(), query.filters.end(),
                    [](const auto& filter) { return filter.first == "updated_since"; }))
        add("r.updated_at >= :updated_since");
    for (const Condition& each : layout_.conditions)
        for (const auto& filter : query.filters)
            if (filter.first == each.name)
                add(each.sql);
    return where;
}

std::string Table::list_statement(std::string_view key, bool ascending) const {
    return orders_->page({.sql = select_ + where_of({}, store::Dialect::sqlite)}, key, ascending);
}

std::string user_name_expression(std::string_view column) {
    return "(SELECT COALESCE(NULLIF(u.display_name, ''), u.login) FROM svc_users u WHERE u.id = r." +
           std::string(column) + ")";
}

}  // namespace svc::record
