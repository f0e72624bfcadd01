// Building, reading and writing JSON values.
#include "shared/json/value.hpp"

#include <limits>
#include <stdexcept>

#include <doctest/doctest.h>

using namespace svc;
using json::Value;

TEST_CASE("money, rates, dates and times are written in their wire form") {
    const auto dollars = Money::parse("199.9", Currency::usd()).value();
    const auto yen = Money::parse("37887", Currency::parse("JPY").value()).value();
    const auto value = Value::object({{"amount", dollars},
                                      {"yen", yen},
                                      {"rate", Rate{125'000}},
                                      {"date", Date::from(2026, 6, 10)},
                                      {"time", ClockTime::from_minutes(545)},
                                      {"at", Instant::from_micros(0)},
                                      {"none", std::optional<int>{}},
                                      {"some", std::optional<std::int64_t>{7}}});
    CHECK(value.dump() == R"({"amount":199.90,"yen":37887,"rate":12.5,"date":"2026-06-10","time":"09:05",)"
                          R"("at":"1970-01-01T00:00:00Z","none":null,"some":7})");
}

TEST_CASE("integers of 64 bits are written and read exactly") {
    for (const auto number : {std::numeric_limits<std::int64_t>::min(), std::int64_t{-1}, std::int64_t{0},
                              std::numeric_limits<std::int64_t>::max()})
        CHECK(Value{number}.integer() == number);
    CHECK(Value{std::numeric_limits<std::uint64_t>::max()}.dump() == "18446744073709551615");
    CHECK_THROWS_AS(static_cast<void>(Value{std::numeric_limits<std::uint64_t>::max()}.integer()), std::logic_error);
}

TEST_CASE("a number with a fraction or an exponent is no integer") {
    for (const auto* text : {"2.9", "2.0", "1e2", "-0.1"})
        CHECK_THROWS_AS(static_cast<void>(Value{json::Number{text}}.integer()), std::logic_error);
}

TEST_CASE("asking for another kind than it is throws") {
    const Value number{1};
    CHECK_THROWS_AS(static_cast<void>(number.boolean()), std::logic_error);
    CHECK_THROWS_AS(static_cast<void>(number.text()), std::logic_error);
    CHECK_THROWS_AS(static_cast<void>(number.items()), std::logic_error);
    CHECK_THROWS_AS(static_cast<void>(number.members()), std::logic_error);
    CHECK_THROWS_AS(static_cast<void>(Value{true}.integer()), std::logic_error);
    CHECK_THROWS_AS(static_cast<void>(Value{"1"}.number_text()), std::logic_error);
    CHECK_THROWS_AS(Value{"x"}.set("a", 1), std::logic_error);
    CHECK_THROWS_AS(Value{"x"}.push(1), std::logic_error);
}

TEST_CASE("lookups chain through what is absent") {
    const auto value = Value::object({{"a", Value::array({1, Value::object({{"b", "c"}})})}});
    CHECK(value["a"][1]["b"].text() == "c");
    CHECK(value["x"]["y"][3].is_null());
    CHECK(value["a"][2].is_null());
    CHECK(value.find("x") == nullptr);
    CHECK(Value{1}.find("x") == nullptr);
    CHECK(value["a"].size() == 2);
    CHECK(Value{1}.size() == 0);
}

TEST_CASE("reads that tolerate absence take null for absent and no other kind") {
    const auto value = Value::object({{"n", 5}, {"t", "x"}, {"b", true}, {"z", nullptr}});
    CHECK(value.maybe_integer("n") == 5);
    CHECK_FALSE(value.maybe_integer("z"));
    CHECK_FALSE(value.maybe_integer("absent"));
    CHECK(value.maybe_text("t") == "x");
    CHECK(value.maybe_boolean("b") == true);
    CHECK(value.text_or("t", "other") == "x");
    CHECK(value.text_or("z", "other") == "other");
    CHECK_THROWS_AS(static_cast<void>(value.maybe_integer("t")), std::logic_error);
}

TEST_CASE("a member set twice is held once, in its first place") {
    Value value;
    value.set("a", 1).set("b", 2).set("a", 3);
    CHECK(value.dump() == R"({"a":3,"b":2})");
    CHECK(value.erase("a"));
    CHECK_FALSE(value.erase("a"));
    CHECK(value.dump() == R"({"b":2})");
    CHECK(Value::object({{"x", 1}, {"x", 2}}).dump() == R"({"x":2})");
    Value list;
    list.push(1).push("two").push(nullptr);
    CHECK(list.dump() == R"([1,"two",null])");
}

TEST_CASE("empty containers and odd texts are written as JSON") {
    CHECK(Value::array().dump() == "[]");
    CHECK(Value::object().dump() == "{}");
    CHECK(Value{}.dump() == "null");
    CHECK(Value{false}.dump() == "false");
    CHECK(Value::object({{"a\"b", "c\nd\xFF"}}).dump() == "{\"a\\\"b\":\"c\\nd\xEF\xBF\xBD\"}");
}
