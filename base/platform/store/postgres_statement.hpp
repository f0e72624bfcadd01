// A prepared statement of PostgreSQL: its result is read in place.
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "base/platform/store/postgres_wire.hpp"
#include "base/platform/store/statement.hpp"

namespace svc::store {

class PostgresStatement final : public Statement, private Row {
  public:
    // `bound` is how many values it takes; `columns` as in Session::each, empty when no row is read.
    PostgresStatement(std::shared_ptr<PostgresWire> wire, const std::string& driver_text, std::size_t bound,
                      std::string_view columns);
    ~PostgresStatement() override;

    void bind(std::size_t index, const Cell& value) override;
    bool execute() override;
    bool fetch() override { return false; }  // the whole answer has come
    void hand_out(const std::function<void(const Row&)>& take) override;
    void postpone() override;
    [[nodiscard]] std::int64_t affected() override;
    [[nodiscard]] std::size_t column_count() override;
    void end() noexcept override { answer_.reset(); }
    [[nodiscard]] bool survives() const override { return true; }

  private:
    [[nodiscard]] std::size_t size() const override { return columns_.size(); }
    [[nodiscard]] bool is_null(std::size_t column) const override;
    [[nodiscard]] std::int64_t integer(std::size_t column) const override;
    [[nodiscard]] const std::string& text(std::size_t column) const override;

    // Its bytes, once it is known to be of this type and not NULL.
    [[nodiscard]] std::string_view at(std::size_t column, char type) const;

    const std::shared_ptr<PostgresWire> wire_;
    PostgresWire::Named named_;
    const std::string columns_;
    const bool one_plan_;  // see SVC_ONE_PLAN
    PostgresWire::Values values_;
    std::vector<std::array<char, 24>> numbers_;  // by place, as text
    PostgresWire::Answer answer_;
    int row_ = 0;
    mutable std::vector<std::string> texts_;  // of the current row, by column, once they were read
};

}  // namespace svc::store
