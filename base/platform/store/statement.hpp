// A prepared statement with the variables bound to it: static types only, rows fetched in bulk.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include <soci/soci.h>

#include "shared/store/store.hpp"

namespace svc::store {

// Belongs to one session and thread at a time. SOCI keeps pointers to the members, so it never moves.
class Statement {
  public:
    // `kinds` without NULLs: 'i' or 't' a bound value; `columns` as in Session::each, empty when no row is read.
    // Throws soci::soci_error.
    Statement(soci::session& session, const std::string& driver_text, std::string_view kinds, std::string_view columns);
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;

    void bind(std::size_t index, const Cell& value);

    // Runs it; answers whether rows are at hand. Throws soci::soci_error.
    bool execute();
    bool fetch();
    [[nodiscard]] std::size_t rows() const { return rows_; }
    [[nodiscard]] std::int64_t affected() { return handle_.get_affected_rows(); }

    [[nodiscard]] bool is_null(std::size_t row, std::size_t column) const;
    [[nodiscard]] std::int64_t integer(std::size_t row, std::size_t column) const;
    [[nodiscard]] const std::string& text(std::size_t row, std::size_t column) const;
    [[nodiscard]] std::size_t columns() const { return columns_.size(); }

    // The driver's own statement, for what SOCI does not offer.
    soci::details::statement_backend* native() { return handle_.get_backend(); }

    bool busy = false;        // its rows are being read
    std::uint64_t used = 0;   // the session's tick of its last use
    std::string kinds, into;  // what it was made for, NULLs included

  private:
    struct Value {
        long long number = 0;
        std::string text;
    };
    struct Column {
        bool integer = true;
        std::vector<long long> numbers;
        std::vector<std::string> texts;
        std::vector<soci::indicator> indicators;
        void resize(std::size_t size);
        [[nodiscard]] std::size_t size() const { return integer ? numbers.size() : texts.size(); }
    };
    const Column& at(std::size_t row, std::size_t column) const;

    std::deque<Value> values_;
    std::deque<Column> columns_;
    std::size_t batch_ = 2;  // rows fetched at once; follows what the statement last answered
    std::size_t seen_ = 0;
    std::size_t rows_ = 0;
    soci::statement handle_;  // last: it points into the members above
};

// Hands a fetched row out.
class FetchedRow final : public Row {
  public:
    FetchedRow(const Statement& statement, std::size_t row) : statement_(statement), row_(row) {}
    [[nodiscard]] std::size_t size() const override { return statement_.columns(); }
    [[nodiscard]] bool is_null(std::size_t column) const override { return statement_.is_null(row_, column); }
    [[nodiscard]] std::int64_t integer(std::size_t column) const override { return statement_.integer(row_, column); }
    [[nodiscard]] const std::string& text(std::size_t column) const override { return statement_.text(row_, column); }

  private:
    const Statement& statement_;
    std::size_t row_;
};

}  // namespace svc::store
