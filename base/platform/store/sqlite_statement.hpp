// A SQLite statement prepared by SOCI, bound and read in place, since SOCI would copy every value twice.
#pragma once

#include <string_view>
#include <vector>

#include <soci/soci.h>
#include <soci/sqlite3/soci-sqlite3.h>

#include "base/platform/store/statement.hpp"

namespace svc::store {

class SqliteStatement final : public Statement, private Row {
  public:
    // `columns` as in Session::each, empty when no row is read. Throws soci::soci_error, and std::logic_error when the
    // text is not one statement with that many columns.
    SqliteStatement(soci::session& session, const std::string& driver_text, std::string_view columns);

    void bind(std::size_t index, const Cell& value) override;
    bool execute() override;
    bool fetch() override;
    void hand_out(const std::function<void(const Row&)>& take) override { take(*this); }
    [[nodiscard]] std::int64_t affected() override;
    [[nodiscard]] std::size_t column_count() override;
    void end() noexcept override;

  private:
    [[nodiscard]] std::size_t size() const override { return columns_.size(); }
    [[nodiscard]] bool is_null(std::size_t column) const override;
    [[nodiscard]] std::int64_t integer(std::size_t column) const override;
    [[nodiscard]] const std::string& text(std::size_t column) const override;

    [[nodiscard]] sqlite_api::sqlite3* session() const;
    // Its number in SQLite, once it is known to be of this type and not NULL.
    [[nodiscard]] int at(std::size_t column, char type) const;
    void check(int code) const;

    soci::statement handle_;
    sqlite_api::sqlite3_stmt* native_ = nullptr;
    std::string columns_;
    mutable std::vector<std::string> texts_;  // of the current row, by column, once they were read
};

}  // namespace svc::store
