// Reads the catalog and assembles statements of its names, which are constants of our schema.
#include "shared/record/raw_table.hpp"

#include <algorithm>
#include <stdexcept>

#include "shared/store/later.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::record {
namespace {

using json::Value;
using store::Dialect;

std::vector<RawColumn> catalog_of(store::Session& session, const std::string& table) {
    const char* const sqlite =
        "SELECT name, CASE WHEN type LIKE '%INT%' THEN 'i' ELSE 't' END, \"notnull\", pk FROM pragma_table_info(:table)"
        " ORDER BY cid";
    const char* const postgresql =
        "SELECT c.column_name, CASE WHEN c.data_type IN ('bigint', 'integer', 'smallint') THEN 'i' ELSE 't' END,"
        " CASE WHEN c.is_nullable = 'NO' THEN 1 ELSE 0 END, COALESCE((SELECT k.ordinal_position FROM"
        " information_schema.key_column_usage k JOIN information_schema.table_constraints t ON t.constraint_name ="
        " k.constraint_name AND t.table_schema = k.table_schema AND t.table_name = k.table_name WHERE"
        " t.constraint_type = 'PRIMARY KEY' AND k.table_name = c.table_name AND k.table_schema = c.table_schema AND"
        " k.column_name = c.column_name), 0) FROM information_schema.columns c WHERE c.table_name = :table AND"
        " c.table_schema = current_schema() ORDER BY c.ordinal_position";
    return store::all_rows(
        session, session.dialect() == Dialect::sqlite ? sqlite : postgresql, {{"table", table}},
        [](const std::string& name, const std::string& cell, std::int64_t required, std::int64_t key) {
            return RawColumn{name, cell.front(), required == 0 && key == 0, key > 0};
        });
}

std::string joined(const std::vector<std::string>& names, std::string_view before, std::string_view between) {
    std::string text;
    for (const std::string& name : names)
        text.append(text.empty() ? "" : between).append(before).append(name);
    return text;
}

}  // namespace

RawTable::RawTable(store::Session& session, std::string name, const std::vector<std::string>& left_out,
                   const std::string& condition)
    : name_(std::move(name)) {
    for (RawColumn& column : catalog_of(session, name_)) {
        if (column.is_key)
            key_.push_back(column.name);
        has_id_ = has_id_ || (column.name == "id" && column.is_key);
        if (std::find(left_out.begin(), left_out.end(), column.name) == left_out.end())
            columns_.push_back(std::move(column));
    }
    if (columns_.empty() || key_.empty())
        throw std::logic_error("The table " + name_ + " does not exist or has no primary key.");
    std::vector<std::string> names;
    for (const RawColumn& column : columns_) {
        names.push_back(column.name);
        cells_ += column.cell;
    }
    selected_ = "SELECT " + joined(names, "", ", ") + " FROM " + name_;
    const std::string only = condition.empty() ? "" : " WHERE " + condition,
                      more = condition.empty() ? "" : condition + " AND ";
    const std::string order = " ORDER BY " + joined(key_, "", ", ") + " LIMIT :most";
    first_page_ = selected_ + only + order;
    next_page_ =
        selected_ + " WHERE " + more + "(" + joined(key_, "", ", ") + ") > (" + joined(key_, ":", ", ") + ")" + order;
    count_ = "SELECT COUNT(*) FROM " + name_ + only;
    put_ = "INSERT INTO " + name_ + " (" + joined(names, "", ", ") + ") VALUES (" + joined(names, ":", ", ") + ")";
}

const RawColumn* RawTable::find(std::string_view column) const {
    const auto found =
        std::find_if(columns_.begin(), columns_.end(), [&](const RawColumn& each) { return each.name == column; });
    return found == columns_.end() ? nullptr : &*found;
}

Value RawTable::key_of(const Value& row) const {
    auto key = Value::object();
    for (const std::string& column : key_)
        key.set(column, row[column]);
    return key;
}

Value RawTable::read(const store::Row& row) const {
    auto object = Value::object();
    for (std::size_t i = 0; i < columns_.size(); ++i)
        object.set(columns_[i].name, row.is_null(i)            ? Value()
                                     : columns_[i].cell == 'i' ? Value(row.integer(i))
                                                               : Value(row.text(i)));
    return object;
}

store::Params RawTable::params_of(const Value& row) const {
    store::Params params;
    for (const RawColumn& column : columns_) {
        const Value* value = row.find(column.name);
        if (!value || value->is_null())
            params.emplace_back(column.name, nullptr);
        else if (column.cell == 'i')
            params.emplace_back(column.name, value->integer());
        else
            params.emplace_back(column.name, value->text());
    }
    return params;
}

std::vector<Value> RawTable::page(store::Session& session, const Value& after, std::int64_t most) const {
    std::vector<Value> rows;
    auto params = after.is_null() ? store::Params{} : params_of(after);
    params.emplace_back("most", most);
    session.each(after.is_null() ? first_page_ : next_page_, cells_, params,
                 [&](const store::Row& row) { rows.push_back(read(row)); });
    return rows;
}

std::int64_t RawTable::count(store::Session& session) const { return session.number(count_, {}); }

std::optional<Value> RawTable::find_by(store::Session& session, const std::vector<std::string>& columns,
                                       const Value& row) const {
    std::string sql = selected_ + " WHERE ";
    for (std::size_t i = 0; i < columns.size(); ++i) {
        sql += i == 0 ? "" : " AND ";
        const Value* value = row.find(columns[i]);
        sql += columns[i] + (!value || value->is_null() ? " IS NULL" : " = :" + columns[i]);
    }
    sql += " ORDER BY " + joined(key_, "", ", ") + " LIMIT 1";
    std::optional<Value> found;
    session.each(sql, cells_, params_of(row), [&](const store::Row& each) { found = read(each); });
    return found;
}

bool RawTable::has_row(store::Session& session, std::int64_t id) const {
    return session.number("SELECT COUNT(*) FROM " + name_ + " WHERE id = :id", {{"id", id}}) > 0;
}

Sentence RawTable::fault_of(const Value& row) const {
    if (!row.is_object())
        return "This is no record."_sentence;
    for (const RawColumn& column : columns_) {
        const Value* value = row.find(column.name);
        if (!value)
            continue;
        if (value->is_null()) {
            if (!column.nullable)
                return "{column} is missing."_sentence.with("column", column.name);
        } else if (column.cell == 'i') {
            const auto* text = value->is_number() ? &value->number_text() : nullptr;
            if (!text || text->find_first_not_of("-0123456789") != std::string::npos || text->size() > 18)
                return "{column} must be a whole number."_sentence.with("column", column.name);
        } else if (!value->is_string() || value->text().find('\0') != std::string::npos) {
            return "{column} must be a text."_sentence.with("column", column.name);
        }
    }
    return {};
}

std::int64_t RawTable::insert(store::Transaction& tx, const Value& row) const {
    std::vector<std::string> names;
    for (const RawColumn& column : columns_)
        if (row.find(column.name))
            names.push_back(column.name);
    const std::string sql =
        "INSERT INTO " + name_ + " (" + joined(names, "", ", ") + ") VALUES (" + joined(names, ":", ", ") + ")";
    if (has_id_)
        return tx.insert(sql + " RETURNING id", params_of(row));
    tx.run(sql, params_of(row));
    return 0;
}

void RawTable::update(store::Transaction& tx, std::int64_t id, const Value& row) const {
    std::string sets;
    for (const RawColumn& column : columns_)
        if (column.name != "id" && row.find(column.name))
            sets += (sets.empty() ? "" : ", ") + column.name + " = :" + column.name;
    auto params = params_of(row);
    std::erase_if(params, [](const store::Param& param) { return param.name == "id"; });
    params.emplace_back("id", id);
    tx.run("UPDATE " + name_ + " SET " + sets + " WHERE id = :id", params);
}

std::int64_t RawTable::remove_by(store::Transaction& tx, const std::string& column, std::int64_t value) const {
    return tx.run("DELETE FROM " + name_ + " WHERE " + column + " = :value", {{"value", value}});
}

std::int64_t RawTable::highest_id(store::Session& session) const {
    return session.number("SELECT MAX(id) FROM " + name_, {});
}

void RawTable::reserve_ids(store::Transaction& tx, std::int64_t highest) const {
    if (tx.dialect() == Dialect::sqlite || !has_id_ || highest < 1)
        return;  // SQLite has one writer, and continues after the highest id by itself
    static_cast<void>(
        tx.number("SELECT setval(pg_get_serial_sequence(:table, 'id'), GREATEST(CAST(:highest AS BIGINT),"
                  " nextval(pg_get_serial_sequence(:table, 'id'))))",
                  {{"table", name_}, {"highest", highest}}));
}

void RawTable::put(store::Transaction& tx, const Value& row) const { store::run_later(tx, put_, params_of(row)); }

void RawTable::clear(store::Transaction& tx, const std::vector<std::string>& blanked) const {
    for (const std::string& column : blanked)
        tx.run("UPDATE " + name_ + " SET " + column + " = NULL", {});
    tx.run("DELETE FROM " + name_, {});
}

std::int64_t RawTable::last_id(store::Session& session) const {
    if (!has_id_)
        return 0;
    if (session.dialect() == Dialect::sqlite)
        return session.number("SELECT seq FROM sqlite_sequence WHERE name = :table", {{"table", name_}});
    return session.number("SELECT pg_sequence_last_value(CAST(pg_get_serial_sequence(:table, 'id') AS regclass))",
                          {{"table", name_}});
}

void RawTable::go_on_after(store::Transaction& tx, std::int64_t last) const {
    if (!has_id_ || last < 1)
        return;
    const store::Params params{{"table", name_}, {"last", last}};
    if (tx.dialect() == Dialect::postgresql)
        static_cast<void>(
            tx.number("SELECT setval(pg_get_serial_sequence(:table, 'id'), CAST(:last AS BIGINT))", params));
    else if (tx.run("UPDATE sqlite_sequence SET seq = :last WHERE name = :table", params) == 0)
        tx.run("INSERT INTO sqlite_sequence (name, seq) VALUES (:table, :last)", params);
}

}  // namespace svc::record
