// A statement of PostgreSQL by SOCI's static exchange: rows are fetched in bulk.
#pragma once

#include <deque>
#include <string_view>
#include <vector>

#include <soci/soci.h>

#include "base/platform/store/statement.hpp"

namespace svc::store {

// SOCI keeps pointers to the members, so it never moves.
class PostgresStatement final : public Statement {
  public:
    // `kinds` without NULLs: 'i' or 't' a bound value; `columns` as in Session::each, empty when no row is read.
    // Throws soci::soci_error.
    PostgresStatement(soci::session& session, const std::string& driver_text, std::string_view kinds,
                      std::string_view columns);

    void bind(std::size_t index, const Cell& value) override;
    bool execute() override;
    bool fetch() override;
    void hand_out(const std::function<void(const Row&)>& take) override;
    [[nodiscard]] std::int64_t affected() override { return handle_.get_affected_rows(); }
    [[nodiscard]] std::size_t column_count() override;
    void end() noexcept override {}  // the whole answer is fetched; nothing stays open

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
    class FetchedRow;

    std::deque<Value> values_;
    std::deque<Column> columns_;
    std::size_t batch_ = 2;  // rows fetched at once; follows what the statement last answered
    std::size_t seen_ = 0;
    std::size_t rows_ = 0;
    soci::statement handle_;  // last: it points into the members above
};

}  // namespace svc::store
