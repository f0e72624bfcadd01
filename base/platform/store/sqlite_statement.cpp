// Binds, steps and reads by SQLite's own interface.
#include "base/platform/store/sqlite_statement.hpp"

#include <cstring>
#include <stdexcept>

namespace svc::store {
namespace {

using namespace sqlite_api;

}  // namespace

SqliteStatement::SqliteStatement(soci::session& session, const std::string& driver_text, std::string_view columns)
    : handle_(session), columns_(columns), texts_(columns.size()) {
    if (columns.find_first_not_of("it") != std::string_view::npos)
        throw std::logic_error("a column's type is neither i nor t");
    handle_.alloc();
    handle_.prepare(driver_text);
    native_ = static_cast<soci::sqlite3_statement_backend*>(handle_.get_backend())->stmt_;
    if (!native_)
        throw std::logic_error("a statement is empty");
    const auto taken = std::strlen(sqlite3_sql(native_));
    if (driver_text.find_first_not_of(" \t\r\n", taken) != std::string::npos)
        throw std::logic_error("a text holds more than one statement");
    if (!columns_.empty() && column_count() != columns_.size())
        throw std::logic_error("a statement returns another number of columns than its caller declared");
}

void SqliteStatement::bind(std::size_t index, const Cell& value) {
    const int place = static_cast<int>(index) + 1;
    if (const auto* number = std::get_if<std::int64_t>(&value))
        return check(sqlite3_bind_int64(native_, place, *number));
    // Not copied: the caller's value lives until end().
    const auto& text = std::get<std::string>(value);
    check(sqlite3_bind_text64(native_, place, text.data(), text.size(), nullptr, SQLITE_UTF8));
}

bool SqliteStatement::execute() { return fetch(); }

bool SqliteStatement::fetch() {
    const int code = sqlite3_step(native_);
    if (code == SQLITE_ROW)
        return true;
    if (code != SQLITE_DONE)
        check(code);
    return false;
}

std::int64_t SqliteStatement::affected() { return sqlite3_changes(session()); }

std::size_t SqliteStatement::column_count() { return static_cast<std::size_t>(sqlite3_column_count(native_)); }

void SqliteStatement::end() noexcept { sqlite3_reset(native_); }

bool SqliteStatement::is_null(std::size_t column) const {
    if (column >= columns_.size())
        throw std::logic_error("no such column");
    return sqlite3_column_type(native_, static_cast<int>(column)) == SQLITE_NULL;
}

int SqliteStatement::at(std::size_t column, char type) const {
    if (column >= columns_.size())
        throw std::logic_error("no such column");
    if (columns_[column] != type)
        throw std::logic_error(type == 'i' ? "the column holds no integer" : "the column holds no text");
    return static_cast<int>(column);
}

// A value that is nothing may be NULL; asking for the type of each would cost as much as reading it.
std::int64_t SqliteStatement::integer(std::size_t column) const {
    const int place = at(column, 'i');
    const std::int64_t value = sqlite3_column_int64(native_, place);
    if (value == 0 && is_null(column))
        throw std::logic_error("the column holds no integer");
    return value;
}

const std::string& SqliteStatement::text(std::size_t column) const {
    const int place = at(column, 't');
    const auto* bytes = sqlite3_column_text(native_, place);
    if (!bytes) {
        if (is_null(column))
            throw std::logic_error("the column holds no text");
        throw std::bad_alloc();
    }
    return texts_[column].assign(reinterpret_cast<const char*>(bytes),
                                 static_cast<std::size_t>(sqlite3_column_bytes(native_, place)));
}

sqlite3* SqliteStatement::session() const { return sqlite3_db_handle(native_); }

void SqliteStatement::check(int code) const {
    if (code != SQLITE_OK)
        throw soci::sqlite3_soci_error(sqlite3_errmsg(session()), code);
}

}  // namespace svc::store
