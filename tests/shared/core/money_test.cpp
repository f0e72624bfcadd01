// Money, currencies and rates.
#include "shared/core/money.hpp"

#include <limits>
#include <stdexcept>

#include <doctest/doctest.h>

#include "shared/core/currency_table.hpp"
#include "shared/core/exact_money.hpp"
#include "tests/support/random.hpp"

using namespace svc;

namespace {

__extension__ typedef __int128 Wide;

Currency currency(std::string_view code) { return Currency::parse(code).value(); }
Money money(std::string_view decimal, std::string_view code = "USD") {
    return Money::parse(decimal, currency(code)).value();
}

}  // namespace

TEST_CASE("a currency knows the decimals of its minor unit") {
    CHECK(currency("USD").exponent() == 2);
    CHECK(currency("JPY").exponent() == 0);
    CHECK(currency("KWD").exponent() == 3);
    CHECK(currency("CLF").exponent() == 4);
    CHECK(currency("EUR").code() == "EUR");
    CHECK(Currency::usd() == currency("USD"));
}

TEST_CASE("a currency is an exact upper-case code of the list") {
    for (const auto* code : {"", "usd", "US", "USDX", "XXX", "XAU", "ZZZ", "AAA", " USD", "US\0"})
        CHECK_FALSE(Currency::parse(code));
    CHECK(Currency::parse("XXX").error().code().name == "svc_validation_error");
    CHECK(Currency::parse("XXX").error().fields().empty());
}

TEST_CASE("every listed currency is found by its code, and the list is sorted") {
    std::string_view before;
    for (const auto& row : currency_table::rows) {
        const std::string_view code = row.code;
        CHECK(before < code);
        CHECK(currency(code).code() == code);
        CHECK(currency(code).exponent() == row.exponent);
        before = code;
    }
    CHECK(currency_table::count > 160);
}

TEST_CASE("an amount is read exactly and printed with the currency's decimals") {
    CHECK(money("199.99").minor() == 19'999);
    CHECK(money("199").decimal() == "199.00");
    CHECK(money("0.5").decimal() == "0.50");
    CHECK(money("-3").decimal() == "-3.00");
    CHECK(money("-0.01").minor() == -1);
    CHECK(money("37887", "JPY").decimal() == "37887");
    CHECK(money("83.616", "KWD").decimal() == "83.616");
    CHECK(money("1.2345", "CLF").minor() == 12'345);
    CHECK(money("999999999999999.99").minor() == 99'999'999'999'999'999);
    CHECK(Money(std::numeric_limits<std::int64_t>::min(), Currency::usd()).decimal() == "-92233720368547758.08");
}

TEST_CASE("decimals beyond the currency's are rounded half away from zero") {
    CHECK(money("0.005").minor() == 1);
    CHECK(money("-0.005").minor() == -1);
    CHECK(money("0.00499999999999999999999").minor() == 0);
    CHECK(money("2.5", "JPY").minor() == 3);
    CHECK(money("-2.5", "JPY").minor() == -3);
    CHECK(money("9.995").minor() == 1'000);
}

TEST_CASE("decimals beyond the currency's are refused of what people send, but for zeros") {
    for (const auto* text : {"0.005", "-0.005", "0.00499999999999999999999", "9.990000001"})
        CHECK_FALSE(parse_exact(text, Currency::usd()));
    CHECK_FALSE(parse_exact("2.5", currency("JPY")));
    CHECK_FALSE(parse_exact("0.0001", currency("KWD")));
    CHECK_FALSE(parse_exact("1e2", Currency::usd()));
    CHECK(parse_exact("9.9900000", Currency::usd()).value().minor() == 999);
    CHECK(parse_exact("9.9", Currency::usd()).value().minor() == 990);
    CHECK(parse_exact("2.000", currency("JPY")).value().minor() == 2);
    CHECK(parse_exact("-7", currency("JPY")).value().minor() == -7);
}

TEST_CASE("what is no plain decimal number is no amount") {
    for (const auto* text : {"", "-", ".5", "5.", "+5", "05", "00", "1e2", "1E2", "1,5", " 1", "1 ", "0x1", "--1",
                             "1.2.3", "NaN", "Infinity", "1.-5", "\xD9\xA1"})
        CHECK_FALSE(Money::parse(text, Currency::usd()));
}

TEST_CASE("an amount of more than 15 digits before the point, or beyond 64 bits, is refused") {
    CHECK_FALSE(Money::parse("1000000000000000", Currency::usd()));
    CHECK_FALSE(Money::parse("999999999999999.9999", currency("CLF")));
    CHECK_FALSE(Money::parse(std::string(100'000, '9'), Currency::usd()));
}

TEST_CASE("a share is rounded once, half away from zero") {
    CHECK(money("0.05").share(Rate{100'000}).minor() == 1);  // 0.5 cent
    CHECK(money("-0.05").share(Rate{100'000}).minor() == -1);
    CHECK(money("99.99").share(Rate{125'000}).decimal() == "12.50");
    CHECK(money("100").share(1, 3).decimal() == "33.33");
    CHECK(money("100").share(2, 3).decimal() == "66.67");
    CHECK(money("100").share(-1, 3).decimal() == "-33.33");
    CHECK(money("100").share(1, -3).decimal() == "-33.33");
    CHECK_THROWS_AS(static_cast<void>(money("100").share(1, 0)), std::logic_error);
}

TEST_CASE("currencies never mix") {
    CHECK_THROWS_AS(money("1") + money("1", "EUR"), std::logic_error);
    CHECK_THROWS_AS(money("1") - money("1", "EUR"), std::logic_error);
    CHECK_THROWS_AS(static_cast<void>(money("1") < money("1", "EUR")), std::logic_error);
    CHECK(money("1") != money("1", "EUR"));
}

TEST_CASE("a result outside 64 bits is an exception, never another amount") {
    const Money most{std::numeric_limits<std::int64_t>::max(), Currency::usd()};
    const Money least{std::numeric_limits<std::int64_t>::min(), Currency::usd()};
    CHECK_THROWS_AS(most + money("0.01"), std::overflow_error);
    CHECK_THROWS_AS(least - money("0.01"), std::overflow_error);
    CHECK_THROWS_AS(-least, std::overflow_error);
    CHECK_THROWS_AS(static_cast<void>(most.times(2)), std::overflow_error);
    CHECK_THROWS_AS(static_cast<void>(most.share(3, 2)), std::overflow_error);
    CHECK(most.share(2, 2) == most);
}

TEST_CASE("min and max compare amounts") {
    CHECK(min(money("1"), money("2")) == money("1"));
    CHECK(max(money("1"), money("2")) == money("2"));
}

TEST_CASE("spare units of a split go to the largest remainders, ties in order") {
    const auto thirds = money("100").split({1, 1, 1});
    CHECK(thirds == std::vector{money("33.34"), money("33.33"), money("33.33")});
    CHECK(money("10", "JPY").split({1, 2, 3}) == std::vector{money("2", "JPY"), money("3", "JPY"), money("5", "JPY")});
    CHECK(money("-100").split({1, 1, 1}) == std::vector{money("-33.34"), money("-33.33"), money("-33.33")});
    CHECK(money("0.03").split({0, 0}) == std::vector{money("0.02"), money("0.01")});
    CHECK(money("5").split({0, 7}) == std::vector{money("0"), money("5")});
    CHECK_THROWS_AS(money("5").split({}), std::logic_error);
    CHECK_THROWS_AS(money("5").split({1, -1}), std::logic_error);
}

TEST_CASE("the parts of a split add up to the whole, and none is a unit off its proportion") {
    test::Random random;
    CAPTURE(random.seed);
    for (int round = 0; round < 5'000; ++round) {
        const Money whole{random.between(-1'000'000'000'000, 1'000'000'000'000), Currency::usd()};
        std::vector<std::int64_t> weights(static_cast<std::size_t>(random.between(1, 12)));
        std::int64_t total = 0;
        for (auto& weight : weights)
            total += weight = random.between(0, 1'000'000);
        const auto parts = whole.split(weights);
        Money sum = Money::zero(Currency::usd());
        for (std::size_t i = 0; i < parts.size(); ++i) {
            sum += parts[i];
            if (total == 0)
                continue;
            const Wide off = Wide{parts[i].minor()} * total - Wide{whole.minor()} * weights[i];
            REQUIRE(off < total);
            REQUIRE(off > -Wide{total});
        }
        REQUIRE(sum == whole);
    }
}

TEST_CASE("a share is the integer nearest to the exact quotient") {
    test::Random random;
    CAPTURE(random.seed);
    for (int round = 0; round < 20'000; ++round) {
        const Money whole{random.between(-1'000'000'000'000, 1'000'000'000'000), Currency::usd()};
        const std::int64_t numerator = random.between(-1'000'000, 1'000'000),
                           denominator = random.between(1, 1'000'000);
        const Wide exact = Wide{whole.minor()} * numerator;  // over the denominator
        const Wide off = Wide{whole.share(numerator, denominator).minor()} * denominator - exact;
        REQUIRE(2 * (off < 0 ? -off : off) <= denominator);
        if (2 * (off < 0 ? -off : off) == denominator)
            REQUIRE((off > 0) == (exact > 0));  // away from zero
    }
}

TEST_CASE("every amount survives its decimal text in currencies of 0, 2, 3 and 4 decimals") {
    test::Random random;
    CAPTURE(random.seed);
    for (const auto* code : {"JPY", "USD", "KWD", "CLF"})
        for (int round = 0; round < 5'000; ++round) {
            const auto most = random.between(0, 1) ? 99'999'999'999'999 : 99'999;
            const Money amount{random.between(-most, most), currency(code)};
            REQUIRE(Money::parse(amount.decimal(), currency(code)).value() == amount);
        }
}

TEST_CASE("a rate is a percent number of at most four decimals") {
    CHECK(Rate::parse_percent("12.5").value().ppm == 125'000);
    CHECK(Rate::parse_percent("0.0001").value().ppm == 1);
    CHECK(Rate::parse_percent("100").value().percent() == "100");
    CHECK(Rate::parse_percent("-7.25").value().percent() == "-7.25");
    CHECK(Rate{0}.percent() == "0");
    CHECK(Rate{1}.percent() == "0.0001");
    for (const auto* text : {"", "1.00001", "1e1", "abc", "1000000000000000"})
        CHECK_FALSE(Rate::parse_percent(text));
}
