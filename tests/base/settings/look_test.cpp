// Amounts and days by the vectors that the admin's own code is held to as well (tests/web/vectors.mjs).
#include "base/settings/look.hpp"

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
