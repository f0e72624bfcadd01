// Exact arithmetic on amounts and rates; the intermediate products have 128 bits.
#include "shared/core/money.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <numeric>
#include <optional>
#include <stdexcept>

#include "shared/core/currency_table.hpp"
#include "shared/core/decimal.hpp"
#include "shared/core/exact_money.hpp"

namespace svc {
namespace {

__extension__ typedef __int128 Wide;

std::int64_t narrowed(Wide value) {
    if (value > std::numeric_limits<std::int64_t>::max() || value < std::numeric_limits<std::int64_t>::min())
        throw std::overflow_error("an amount of money left 64 bits");
    return static_cast<std::int64_t>(value);
}

Wide magnitude(Wide value) { return value < 0 ? -value : value; }

// The quotient rounded half away from zero.
Wide divided(Wide dividend, Wide divisor) {
    if (divisor == 0)
        throw std::logic_error("a share of nothing");
    const bool negative = (dividend < 0) != (divisor < 0);
    const Wide whole = magnitude(divisor);
    Wide quotient = magnitude(dividend) / whole;
    const Wide rest = magnitude(dividend) % whole;
    if (rest >= whole - rest)
        ++quotient;
    return negative ? -quotient : quotient;
}

// The decimal times ten to the power of `places`, rounded half away from zero; nothing beyond 64 bits.
std::optional<std::int64_t> scaled(const Decimal& decimal, int places) {
    if (decimal.whole.size() > Decimal::most_whole_digits)
        return std::nullopt;
    Wide value = 0;
    for (const char digit : decimal.whole)
        value = value * 10 + (digit - '0');
    const auto digits = static_cast<std::size_t>(places);
    for (std::size_t i = 0; i < digits; ++i)
        value = value * 10 + (i < decimal.fraction.size() ? decimal.fraction[i] - '0' : 0);
    if (decimal.fraction.size() > digits && decimal.fraction[digits] >= '5')
        ++value;
    if (value > std::numeric_limits<std::int64_t>::max())
        return std::nullopt;
    return static_cast<std::int64_t>(decimal.negative ? -value : value);
}

std::string printed(std::int64_t value, int places) {
    std::array<char, 32> text{};  // the sign, 20 digits, the point
    char* const first = text.data() + (value < 0 ? 1 : 0);
    text.front() = '-';
    char* end = std::to_chars(first, text.end(), static_cast<std::uint64_t>(magnitude(value))).ptr;
    if (places == 0)
        return {text.data(), end};
    // Adds a digit before the point.
    if (const auto missing = places + 1 - (end - first); missing > 0) {
        std::copy_backward(first, end, end + missing);
        std::fill_n(first, missing, '0');
        end += missing;
    }
    char* const point = end - places;
    std::copy_backward(point, end, end + 1);
    *point = '.';
    return {text.data(), end + 1};
}

void same(Currency a, Currency b) {
    if (a != b)
        throw std::logic_error("two currencies in one calculation");
}

}  // namespace

Result<Currency> Currency::parse(std::string_view code) {
    const auto* row = std::lower_bound(
        std::begin(currency_table::rows), std::end(currency_table::rows), code,
        [](const currency_table::Row& r, std::string_view sought) { return std::string_view(r.code) < sought; });
    if (row == std::end(currency_table::rows) || std::string_view(row->code) != code)
        return Error{errc::validation_error, "Enter a currency code of ISO 4217."_sentence};
    return Currency{static_cast<std::uint16_t>(row - std::begin(currency_table::rows))};
}

Currency Currency::usd() {
    static const Currency dollars = parse("USD").value();
    return dollars;
}

std::string_view Currency::code() const { return currency_table::rows[row_].code; }
int Currency::exponent() const { return currency_table::rows[row_].exponent; }

Result<Rate> Rate::parse_percent(std::string_view decimal) {
    constexpr int places = 4;
    const auto parts = Decimal::parse(decimal);
    if (!parts || parts->fraction.size() > places)
        return Error{errc::validation_error, "Enter a percentage with at most 4 decimals."_sentence};
    const auto ppm = scaled(*parts, places);
    if (!ppm)
        return Error{errc::validation_error, "This percentage is too large."_sentence};
    return Rate{*ppm};
}

std::string Rate::percent() const {
    std::string text = printed(ppm, 4);
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.')
        text.pop_back();
    return text;
}

Result<Money> Money::parse(std::string_view decimal, Currency currency) {
    const auto parts = Decimal::parse(decimal);
    if (!parts)
        return Error{errc::validation_error, "Enter an amount of money."_sentence};
    const auto minor = scaled(*parts, currency.exponent());
    if (!minor)
        return Error{errc::validation_error, "This amount is too large."_sentence};
    return Money{*minor, currency};
}

Result<Money> parse_exact(std::string_view decimal, Currency currency) {
    const auto parts = Decimal::parse(decimal);
    const auto places = static_cast<std::size_t>(currency.exponent());
    if (!parts || parts->fraction.find_first_not_of('0', places) == std::string_view::npos)
        return Money::parse(decimal, currency);
    const std::string code(currency.code());
    return Error{
        errc::validation_error,
        places == 0
            ? "An amount in {code} has no decimals."_sentence.with("code", code)
            : "An amount in {code} has at most {places} decimals."_sentence.with("code", code).with("places", places)};
}

std::string Money::decimal() const { return printed(minor_, currency_.exponent()); }

Money Money::times(std::int64_t count) const { return {narrowed(Wide{minor_} * count), currency_}; }

Money Money::share(Rate rate) const { return share(rate.ppm, 1'000'000); }

Money Money::share(std::int64_t numerator, std::int64_t denominator) const {
    return {narrowed(divided(Wide{minor_} * numerator, denominator)), currency_};
}

std::vector<Money> Money::split(const std::vector<std::int64_t>& weights) const {
    if (weights.empty())
        throw std::logic_error("an amount split over nobody");
    Wide total = 0;
    for (const auto weight : weights) {
        if (weight < 0)
            throw std::logic_error("an amount split by a negative weight");
        total += weight;
    }
    const bool equal = total == 0;
    if (equal)
        total = static_cast<Wide>(weights.size());

    // Magnitudes are split, so that a refund mirrors its payment part by part.
    const Wide whole = magnitude(minor_);
    std::vector<Wide> parts, remainders;
    Wide spare = whole;
    for (const auto weight : weights) {
        const Wide product = whole * (equal ? 1 : weight);
        parts.push_back(product / total);
        remainders.push_back(product % total);
        spare -= parts.back();
    }
    std::vector<std::size_t> order(weights.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return remainders[a] > remainders[b]; });
    for (std::size_t i = 0; i < static_cast<std::size_t>(spare); ++i)
        ++parts[order[i]];

    std::vector<Money> result;
    result.reserve(parts.size());
    for (const Wide part : parts)
        result.emplace_back(narrowed(is_negative() ? -part : part), currency_);
    return result;
}

Money operator+(Money a, Money b) {
    same(a.currency_, b.currency_);
    return {narrowed(Wide{a.minor_} + b.minor_), a.currency_};
}

Money operator-(Money a, Money b) {
    same(a.currency_, b.currency_);
    return {narrowed(Wide{a.minor_} - b.minor_), a.currency_};
}

Money operator-(Money a) { return {narrowed(-Wide{a.minor_}), a.currency_}; }

std::strong_ordering operator<=>(Money a, Money b) {
    same(a.currency_, b.currency_);
    return a.minor_ <=> b.minor_;
}

Money min(Money a, Money b) { return b < a ? b : a; }
Money max(Money a, Money b) { return a < b ? b : a; }

}  // namespace svc
