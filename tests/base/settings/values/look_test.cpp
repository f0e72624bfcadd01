// Amounts and days by the vectors that the admin's own code is held to as well (tests/web/kit).
#include "base/settings/values/look.hpp"

#include <fstream>
#include <sstream>

#include <doctest/doctest.h>

using namespace svc;

TEST_CASE("amounts and days are written as the vectors that server and browser share") {
    std::ifstream file(SVC_SOURCE_DIR "/tests/web/vectors.json");
    std::ostringstream text;
    text << file.rdbuf();
    const auto parsed = json::parse(text.str());
    REQUIRE(parsed);
    const json::Value vectors = *parsed;
    REQUIRE(vectors["money"].size() > 5);
    for (const json::Value& one : vectors["money"].items()) {
        settings::Look look;
        look.currency_behind = one.text_or("position") == "right";
        look.decimal_separator = one.text_or("decimal");
        look.thousand_separator = one.text_or("thousand");
        const auto money = Money::parse(one.text_or("amount"), Currency::parse(one.text_or("currency")).value());
        REQUIRE(money);
        CHECK(look.amount(*money) == one.text_or("shown"));
    }
    for (const json::Value& one : vectors["days"].items()) {
        settings::Look look;
        look.date_format = one.text_or("format");
        CHECK(look.day(one.text_or("day")) == one.text_or("shown"));
    }
}

TEST_CASE("without a date_format days are in words, and a stored one is used as it is") {
    const Date day = *Date::parse("2026-12-11");
    settings::Look look;
    CHECK(settings::day_in("en", look, day) == "Fri, 11 December 2026");
    CHECK(settings::day_in("de", look, day) == "Fr., 11. Dezember 2026");
    CHECK(look.day(day) == "2026-12-11");
    look.date_format = "Y-m-d";
    CHECK(settings::day_in("en", look, day) == "2026-12-11");
    CHECK(settings::day_in("de", look, day) == "2026-12-11");
}

TEST_CASE("whole amounts may be written without decimals; no other amount loses a cent") {
    settings::Look look;
    look.whole_without_decimals = true;
    const auto shown = [&](const char* amount, const char* code) {
        const Currency currency = Currency::parse(code).value();
        return look.amount(Money::parse(amount, currency).value());
    };
    CHECK(shown("72.00", "USD") == "USD 72");
    CHECK(shown("72.50", "USD") == "USD 72.50");
    CHECK(shown("-1200.00", "EUR") == "EUR -1,200");
    CHECK(shown("0.00", "USD") == "USD 0");
    CHECK(shown("1200", "JPY") == "JPY 1,200");
    CHECK(shown("1.010", "KWD") == "KWD 1.010");
    look.decimal_separator = ",";
    look.thousand_separator = ".";
    look.currency_behind = true;
    CHECK(shown("1000.00", "EUR") == "1.000 EUR");
    CHECK(shown("1000.05", "EUR") == "1.000,05 EUR");
}
