// Binds and reads by libpq, values as text.
#include "base/platform/store/postgres_statement.hpp"

#include <charconv>
#include <stdexcept>

#include "shared/store/one_plan.hpp"

namespace svc::store {

PostgresStatement::PostgresStatement(std::shared_ptr<PostgresWire> wire, const std::string& driver_text,
                                     std::size_t bound, std::string_view columns)
    : wire_(std::move(wire)),
      named_(wire_->named(driver_text)),
      columns_(columns),
      one_plan_(driver_text.starts_with(one_plan)),
      values_(bound),
      numbers_(bound),
      texts_(columns.size()) {
    if (columns.find_first_not_of("it") != std::string_view::npos)
        throw std::logic_error("a column's type is neither i nor t");
}

PostgresStatement::~PostgresStatement() { wire_->forget(named_); }

void PostgresStatement::bind(std::size_t index, const Cell& value) {
    if (const auto* number = std::get_if<std::int64_t>(&value)) {
        auto& digits = numbers_[index];
        *std::to_chars(digits.data(), digits.data() + digits.size() - 1, *number).ptr = '\0';
        values_[index] = digits.data();
    } else {
        values_[index] = std::get<std::string>(value).c_str();  // not copied: the caller's value lives until end()
    }
}

bool PostgresStatement::execute() {
    if (one_plan_)
        wire_->use_generic_plan();
    answer_ = wire_->ask(named_, values_);
    return PQntuples(answer_.get()) > 0;
}

void PostgresStatement::postpone() { wire_->postpone(named_, values_); }

void PostgresStatement::hand_out(const std::function<void(const Row&)>& take) {
    const int rows = PQntuples(answer_.get());
    for (row_ = 0; row_ < rows; ++row_)
        take(*this);
}

std::int64_t PostgresStatement::affected() {
    const std::string_view count = PQcmdTuples(answer_.get());
    std::int64_t rows = 0;
    std::from_chars(count.data(), count.data() + count.size(), rows);
    return rows;
}

std::size_t PostgresStatement::column_count() { return static_cast<std::size_t>(PQnfields(answer_.get())); }

bool PostgresStatement::is_null(std::size_t column) const {
    if (column >= columns_.size())
        throw std::logic_error("no such column");
    return PQgetisnull(answer_.get(), row_, static_cast<int>(column)) == 1;
}

std::string_view PostgresStatement::at(std::size_t column, char type) const {
    if (is_null(column) || columns_[column] != type)
        throw std::logic_error(type == 'i' ? "the column holds no integer" : "the column holds no text");
    const int place = static_cast<int>(column);
    return {PQgetvalue(answer_.get(), row_, place), static_cast<std::size_t>(PQgetlength(answer_.get(), row_, place))};
}

std::int64_t PostgresStatement::integer(std::size_t column) const {
    const std::string_view digits = at(column, 'i');
    std::int64_t value = 0;
    const auto [end, failed] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (failed != std::errc{} || end != digits.data() + digits.size())
        throw std::logic_error("the column holds no integer");
    return value;
}

const std::string& PostgresStatement::text(std::size_t column) const {
    const std::string_view bytes = at(column, 't');
    return texts_[column].assign(bytes);
}

}  // namespace svc::store
