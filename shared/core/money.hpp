// Amounts of money: integer minor units with their currency; no binary float touches them (docs/rules.md, Money).
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "shared/core/result.hpp"

namespace svc {

// A currency of ISO 4217. A value is always a listed one.
class Currency {
  public:
    // The exact, upper-case three-letter code; else an error without a field.
    static Result<Currency> parse(std::string_view code);
    static Currency usd();

    [[nodiscard]] std::string_view code() const;
    [[nodiscard]] int exponent() const;  // decimals of the minor unit: USD 2, JPY 0, KWD 3

    friend bool operator==(Currency, Currency) = default;

  private:
    explicit constexpr Currency(std::uint16_t row) : row_(row) {}
    std::uint16_t row_;
};

// A rate in parts per million: 1 % is 10 000. On the wire a percent number with at most 4 decimals.
struct Rate {
    std::int64_t ppm = 0;
    static Result<Rate> parse_percent(std::string_view decimal);
    [[nodiscard]] std::string percent() const;  // "12.5", no trailing zeros
    friend auto operator<=>(Rate, Rate) = default;
};

// Arithmetic is exact; a result outside 64 bits throws std::overflow_error, which no accepted input reaches
// (parse refuses more than 15 digits before the point). Mixing currencies throws std::logic_error.
class Money {
  public:
    constexpr Money(std::int64_t minor, Currency currency) : minor_(minor), currency_(currency) {}
    static Money zero(Currency currency) { return {0, currency}; }
    // Decimal text as in JSON ("199.99", "-3", "1e2" is refused); more decimals than the currency has are
    // rounded half away from zero.
    static Result<Money> parse(std::string_view decimal, Currency currency);

    [[nodiscard]] std::int64_t minor() const { return minor_; }
    [[nodiscard]] Currency currency() const { return currency_; }
    [[nodiscard]] std::string decimal() const;  // "199.99", "37887", "83.616": the currency's decimals, exact
    [[nodiscard]] bool is_zero() const { return minor_ == 0; }
    [[nodiscard]] bool is_negative() const { return minor_ < 0; }

    [[nodiscard]] Money times(std::int64_t count) const;
    // r(this x rate): half away from zero to the minor unit.
    [[nodiscard]] Money share(Rate rate) const;
    // r(this x numerator / denominator), intermediate product in 128 bits; the denominator is not 0.
    [[nodiscard]] Money share(std::int64_t numerator, std::int64_t denominator) const;
    // Parts in proportion to the weights, adding up to this exactly: floors, then spare units to the largest
    // remainders, ties in order. Weights that are all zero count as equal; none or a negative one throws
    // std::logic_error. A negative amount is split as its opposite.
    [[nodiscard]] std::vector<Money> split(const std::vector<std::int64_t>& weights) const;

    friend Money operator+(Money a, Money b);
    friend Money operator-(Money a, Money b);
    friend Money operator-(Money a);
    Money& operator+=(Money other) { return *this = *this + other; }
    Money& operator-=(Money other) { return *this = *this - other; }
    friend bool operator==(Money, Money) = default;
    friend std::strong_ordering operator<=>(Money a, Money b);

  private:
    std::int64_t minor_;
    Currency currency_;
};

Money min(Money a, Money b);
Money max(Money a, Money b);

}  // namespace svc
