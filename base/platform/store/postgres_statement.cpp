// Binds, runs and fetches by SOCI's static exchange.
#include "base/platform/store/statement.hpp"

#include <stdexcept>

namespace svc::store {
namespace {

constexpr std::size_t widest_batch = 64;

}  // namespace

Statement::Statement(soci::session& session, const std::string& driver_text, std::string_view bound,
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

void Statement::Column::resize(std::size_t size) {
    indicators.resize(size);
    if (integer)
        numbers.resize(size);
    else
        texts.resize(size);
}

void Statement::bind(std::size_t index, const Cell& value) {
    if (const auto* number = std::get_if<std::int64_t>(&value))
        values_[index].number = *number;
    else
        values_[index].text = std::get<std::string>(value);
}

bool Statement::execute() {
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

bool Statement::fetch() {
    if (rows_ < batch_)
        return false;
    const bool got = handle_.fetch();
    rows_ = got ? columns_.front().size() : 0;
    seen_ += rows_;
    return rows_ > 0;
}

const Statement::Column& Statement::at(std::size_t row, std::size_t column) const {
    if (column >= columns_.size() || row >= rows_)
        throw std::logic_error("no such column");
    return columns_[column];
}

bool Statement::is_null(std::size_t row, std::size_t column) const {
    return at(row, column).indicators[row] == soci::i_null;
}

std::int64_t Statement::integer(std::size_t row, std::size_t column) const {
    const Column& from = at(row, column);
    if (!from.integer || from.indicators[row] == soci::i_null)
        throw std::logic_error("the column holds no integer");
    return from.numbers[row];
}

const std::string& Statement::text(std::size_t row, std::size_t column) const {
    const Column& from = at(row, column);
    if (from.integer || from.indicators[row] == soci::i_null)
        throw std::logic_error("the column holds no text");
    return from.texts[row];
}

}  // namespace svc::store
