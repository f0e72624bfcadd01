// Binds, runs and fetches by SOCI's static exchange.
#include "base/platform/store/postgres_statement.hpp"

#include <algorithm>
#include <stdexcept>

#include <libpq-fe.h>
#include <soci/postgresql/soci-postgresql.h>

namespace svc::store {
namespace {

constexpr std::size_t widest_batch = 64;

}  // namespace

// Hands a fetched row out.
class PostgresStatement::FetchedRow final : public Row {
  public:
    FetchedRow(const std::deque<Column>& columns, std::size_t row) : columns_(columns), row_(row) {}
    [[nodiscard]] std::size_t size() const override { return columns_.size(); }
    [[nodiscard]] bool is_null(std::size_t column) const override {
        return at(column).indicators[row_] == soci::i_null;
    }
    [[nodiscard]] std::int64_t integer(std::size_t column) const override {
        const Column& from = at(column);
        if (!from.integer || from.indicators[row_] == soci::i_null)
            throw std::logic_error("the column holds no integer");
        return from.numbers[row_];
    }
    [[nodiscard]] const std::string& text(std::size_t column) const override {
        const Column& from = at(column);
        if (from.integer || from.indicators[row_] == soci::i_null)
            throw std::logic_error("the column holds no text");
        return from.texts[row_];
    }

  private:
    [[nodiscard]] const Column& at(std::size_t column) const {
        if (column >= columns_.size())
            throw std::logic_error("no such column");
        return columns_[column];
    }
    const std::deque<Column>& columns_;
    std::size_t row_;
};

PostgresStatement::PostgresStatement(soci::session& session, const std::string& driver_text, std::string_view bound,
                                     std::string_view columns)
    : handle_(session) {
    for (const char kind : bound) {
        Value& value = values_.emplace_back();
        const auto name = "v" + std::to_string(values_.size());
        if (kind == 'i')
            handle_.exchange(soci::use(std::as_const(value.number), name));
        else
            handle_.exchange(soci::use(std::as_const(value.text), name));
    }
    for (const char kind : columns) {
        Column& column = columns_.emplace_back();
        column.integer = kind == 'i';
        if (!column.integer && kind != 't')
            throw std::logic_error("a column's type is neither i nor t");
        column.resize(batch_);
        if (column.integer)
            handle_.exchange(soci::into(column.numbers, column.indicators));
        else
            handle_.exchange(soci::into(column.texts, column.indicators));
    }
    handle_.alloc();
    handle_.prepare(driver_text);
    handle_.define_and_bind();
}

void PostgresStatement::Column::resize(std::size_t size) {
    indicators.resize(size);
    if (integer)
        numbers.resize(size);
    else
        texts.resize(size);
}

void PostgresStatement::bind(std::size_t index, const Cell& value) {
    if (const auto* number = std::get_if<std::int64_t>(&value))
        values_[index].number = *number;
    else
        values_[index].text = std::get<std::string>(value);
}

bool PostgresStatement::execute() {
    // A statement that answers one row pays for two places, one that answers a page gets it in one go.
    batch_ = std::clamp<std::size_t>(seen_ + 1, 2, widest_batch);
    seen_ = 0;
    for (auto& column : columns_)
        column.resize(batch_);
    const bool got = handle_.execute(true);
    rows_ = got && !columns_.empty() ? columns_.front().size() : 0;
    seen_ = rows_;
    return rows_ > 0;
}

bool PostgresStatement::fetch() {
    if (rows_ < batch_)
        return false;
    const bool got = handle_.fetch();
    rows_ = got ? columns_.front().size() : 0;
    seen_ += rows_;
    return rows_ > 0;
}

void PostgresStatement::hand_out(const std::function<void(const Row&)>& take) {
    for (std::size_t row = 0; row < rows_; ++row)
        take(FetchedRow(columns_, row));
}

std::size_t PostgresStatement::column_count() {
    const auto& result = static_cast<soci::postgresql_statement_backend*>(handle_.get_backend())->result_;
    return static_cast<std::size_t>(PQnfields(result.get_result()));
}

}  // namespace svc::store
