// Reading JSON from outside: what is accepted, and everything that is not.
#include <doctest/doctest.h>

#include "shared/json/value.hpp"
#include "tests/support/random.hpp"

using namespace svc;
using json::Value;

namespace {

bool refused(std::string_view text, const json::Limits& limits = {}) {
    const auto value = json::parse(text, limits);
    return !value && value.error().code().name == "svc_invalid_json" && value.error().code().status == 400 &&
           !value.error().cause().empty();
}

std::string again(std::string_view text) {
    const auto value = json::parse(text);
    return value ? value->dump() : "refused: " + value.error().cause();
}

std::string nested(std::size_t depth, bool closed) {
    return std::string(depth, '[') + (closed ? std::string(depth, ']') : std::string());
}

}  // namespace

TEST_CASE("every kind of value comes back as it was written") {
    for (const auto* text : {"null", "true", "false", "0", "-1", "12.50", "-0.001", "1e2", "1E+2", "2.9", "\"\"",
                             "\"a\"", "[]", "{}", R"({"a":[1,{"b":null}],"c":"d"})", "9007199254740993",
                             "18446744073709551616", "123456789012345678901234567890.12345678901234567890"}) {
        CAPTURE(text);
        CHECK(again(text) == text);
    }
    CHECK(again(" \t\r\n[ 1 , 2 ] \n") == "[1,2]");
    CHECK(again(R"("\u00e9\ud83d\ude00\/\b\f")") == "\"\xC3\xA9\xF0\x9F\x98\x80/\\u0008\\u000c\"");
}

TEST_CASE("a number is never converted on the way") {
    CHECK(json::parse("9223372036854775807").value().integer() == INT64_MAX);
    CHECK(json::parse("-9223372036854775808").value().integer() == INT64_MIN);
    CHECK(json::parse("-1").value().integer() == -1);
    CHECK_THROWS_AS(static_cast<void>(json::parse("9223372036854775808").value().integer()), std::logic_error);
    CHECK_THROWS_AS(static_cast<void>(json::parse("2.9").value().integer()), std::logic_error);
    CHECK(json::parse("true").value().kind() == json::Kind::boolean);
    CHECK(json::parse("0.1").value().number_text() == "0.1");
}

TEST_CASE("a fault is named by line, column and reason") {
    const auto fault = [](std::string_view text) { return json::parse(text).error(); };
    const auto comma = fault("{\n  \"a\": 1\n  \"b\": 2\n}");
    CHECK(comma.message() ==
          "The body is not valid JSON: line 3, column 3: missing a comma or '}' after an object member.");
    CHECK(comma.data() == std::vector<std::pair<std::string, std::string>>{{"line", "3"}, {"column", "3"}});
    CHECK(fault("[\"\xC3\xA9\xC3\xA9\", x]").message() ==
          "The body is not valid JSON: line 1, column 8: invalid value.");
    CHECK(fault("{\"a\":1,\"a\":2}").message().english().find("a member's name occurs twice") != std::string::npos);
    CHECK(fault("").message().english().find("line 1, column 1") != std::string::npos);
}

TEST_CASE("a byte order mark before the text is no fault, anywhere else it is") {
    CHECK(json::parse("\xEF\xBB\xBF{\"a\":1}").value()["a"].integer() == 1);
    CHECK(refused("\xEF\xBB\xBF\xEF\xBB\xBF{}"));
    CHECK(refused("{}\xEF\xBB\xBF"));
}

TEST_CASE("what is not one JSON text is refused") {
    for (const auto* text :
         {"",         " ",         "{",     "[",        "]",        "[1,]",    "{\"a\":1,}", "{\"a\"}", "{a:1}",
          "'a'",      "01",        "+1",    "1.",       ".5",       "-",       "1e",         "0x10",    "NaN",
          "Infinity", "-Infinity", "nul",   "True",     "\"a",      "\"\\x\"", "\"\\u12\"",  "[1] x",   "1 2",
          "{}{}",     "// a\n1",   "/**/1", "\"a\nb\"", "\"a\tb\"", "[1}"}) {
        CAPTURE(text);
        CHECK(refused(text));
    }
}

TEST_CASE("NUL is rejected anywhere") {
    CHECK(refused(std::string_view("{}\0", 3)));
    CHECK(refused(std::string_view("{}\0{", 4)));
    CHECK(refused(std::string_view("\"a\0b\"", 5)));
    CHECK(refused(R"("a\u0000b")"));
    CHECK(refused(R"({"a\u0000":1})"));
    CHECK(refused(std::string_view("\0", 1)));
}

TEST_CASE("a member's text that is too long or holds NUL is refused by its name") {
    const std::string long_text = '"' + std::string(64 * 1024 + 1, 'a') + '"';
    const std::vector<std::pair<std::string, std::string>> bodies{
        {R"({"summary":"a","title":)" + long_text + "}", "title"},
        {R"({"faqs":[{"question":"a"},{"question":)" + long_text + "}]}", "faqs.1.question"},
        {R"({"contact":{"first_name":"a\u0000b"}})", "contact.first_name"}};
    for (const auto& [body, field] : bodies) {
        const auto value = json::parse(body);
        REQUIRE_FALSE(value);
        CHECK(value.error().code().name == "svc_validation_error");
        REQUIRE(value.error().fields().size() == 1);
        CHECK(value.error().fields()[0].field == field);
    }
    CHECK(json::parse(R"({"title":")" + std::string(64 * 1024, 'a') + "\"}"));
}

TEST_CASE("a number beyond all ranges is refused by its name") {
    const std::pair<const char*, const char*> bodies[] = {
        {R"({"price":1e400})", "price"}, {R"({"days":[{"hours":1},{"hours":-1e999}]})", "days.1.hours"}};
    for (const auto& [body, field] : bodies) {
        CAPTURE(body);
        const auto value = json::parse(body);
        REQUIRE_FALSE(value);
        CHECK(value.error().code().name == "svc_validation_error");
        REQUIRE(value.error().fields().size() == 1);
        CHECK(value.error().fields()[0].field == field);
    }
    CHECK(json::parse("1e400").error().code().name == "svc_invalid_json");
}

TEST_CASE("invalid UTF-8 and halves of surrogate pairs are refused") {
    for (const auto* text : {"\"\xFF\"", "\"\xC3\"", "\"\xC0\x80\"", "\"\xED\xA0\x80\"", "\"\xF4\x90\x80\x80\"",
                             "{\"\x80\":1}", R"("\ud800")", R"("\udc00")", R"("\ud800\u0041")", R"("\udc00\ud800")",
                             R"({"\ud800":1})", R"("\ud83d\ude0")"}) {
        CAPTURE(text);
        CHECK(refused(text));
    }
}

TEST_CASE("a member's name that occurs twice is refused, in objects of any size") {
    CHECK(refused(R"({"a":1,"a":1})"));
    CHECK(refused(R"({"a":1,"\u0061":2})"));
    CHECK(refused(R"([{"x":{"b":1,"c":2,"b":3}}])"));
    CHECK(again(R"({"a":{"a":1}})") == R"({"a":{"a":1}})");
    Value large;
    for (int i = 0; i < 500; ++i)
        large.set("m" + std::to_string(i), i);
    std::string text = large.dump();
    CHECK(json::parse(text).value() == large);
    text.back() = ',';
    CHECK(refused(text + R"("m250":0})"));
}

TEST_CASE("nesting is limited, and no depth harms") {
    CHECK(json::parse(nested(32, true)));
    CHECK(refused(nested(33, true)));
    for (const std::size_t depth : {std::size_t{100'000}, std::size_t{1'000'000}}) {
        CHECK(refused(nested(depth, true)));
        CHECK(refused(nested(depth, false)));
    }
    std::string objects;
    for (int i = 0; i < 100'000; ++i)
        objects += "{\"a\":";
    CHECK(refused(objects));
}

TEST_CASE("the number of elements and the length of texts are limited") {
    std::string text = "[";
    for (int i = 0; i < 9'998; ++i)
        text += "0,";
    CHECK(json::parse(text + "0]"));
    CHECK(refused(text + "0,0]"));
    CHECK(json::parse("\"" + std::string(64 * 1024, 'a') + "\""));
    CHECK(refused("\"" + std::string(64 * 1024 + 1, 'a') + "\""));
    CHECK(refused("{\"" + std::string(64 * 1024 + 1, 'a') + "\":1}"));
    CHECK(refused(std::string(64 * 1024 + 1, '1')));
    CHECK(refused("[1,2]", {.depth = 32, .elements = 2, .text = 10}));
    CHECK(refused("\"abc\"", {.depth = 32, .elements = 2, .text = 2}));
}

TEST_CASE("the cause of a rejection has the place") {
    CHECK(json::parse("[1,x]").error().cause().find("byte 3") != std::string::npos);
    CHECK(json::parse(R"({"a":1,"a":2})").error().cause().find("twice") != std::string::npos);
}

TEST_CASE("mutated texts never crash the reader, and what it accepts comes back equal") {
    static constexpr std::string_view seeds[] = {
        R"({"trip_id":12,"travelers":[{"first_name":"Ada","age":36}],"amount":199.99,"ok":true,"none":null})",
        R"([[],{},[[1,-2.5e10,"\u00e9\ud83d\ude00"]],{"a":{"b":{"c":[0]}}}])", "\"caf\xC3\xA9 \xF0\x9F\x98\x80\\n\""};
    static constexpr std::string_view pieces[] = {"[",    "]",    "{",    "}", ",",        ":",         "\"",   "\\",
                                                  "\\u",  "d800", "0",    "-", ".",        "e",         "null", "true",
                                                  "\xC3", "\xFF", "\x01", " ", "\"a\":1,", "9999999999"};
    test::Random random;
    CAPTURE(random.seed);
    int accepted = 0;
    for (int round = 0; round < 50'000; ++round) {
        std::string text{random.one_of(seeds)};
        for (auto count = random.between(1, 4); count > 0; --count) {
            const auto at = static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(text.size())));
            switch (random.between(0, 3)) {
                case 0:
                    text.insert(at, random.one_of(pieces));
                    break;
                case 1:
                    text.erase(at, static_cast<std::size_t>(random.between(1, 6)));
                    break;
                case 2:
                    text.resize(at);
                    break;
                default:
                    if (at < text.size())
                        text[at] = static_cast<char>(random.between(0, 255));
            }
        }
        const auto value = json::parse(text);
        if (!value)
            continue;
        ++accepted;
        CAPTURE(text);
        const auto second = json::parse(value->dump());
        REQUIRE(second);
        REQUIRE(*second == *value);
    }
    CHECK(accepted > 100);
}

TEST_CASE("a value is judged as its text: nesting, elements, lengths, NUL, Unicode, names that occur twice") {
    const json::Limits few{.depth = 3, .elements = 6, .text = 4};
    for (const auto* text :
         {"1", "[]", "[[[]]]", "[[[[]]]]", "[1,2,3,4,5]", "[1,2,3,4,5,6]", R"({"a":"1234"})", R"({"a":"12345"})",
          R"({"a":{"b":["12345"]}})", R"({"a":"1\u00002"})", R"({"a\u0000":1})", R"({"abcde":1})", R"("12345")",
          R"(["1\u00002"])", "12345", R"({"a":12345})", R"({"a":{"b":{"c":{}}}})"}) {
        CAPTURE(text);
        const auto read = json::parse(text, few);
        const auto value = json::parse(text, {.depth = 9, .elements = 99, .text = 99});
        if (!value)
            continue;  // NUL, which no limit admits
        const auto checked = json::check(*value, few);
        CHECK(static_cast<bool>(checked) == static_cast<bool>(read));
        if (!read && !checked) {
            CHECK(checked.error().code().name == read.error().code().name);
            REQUIRE(checked.error().fields().size() == read.error().fields().size());
            if (!read.error().fields().empty())
                CHECK(checked.error().fields()[0].field == read.error().fields()[0].field);
        }
    }
    CHECK(!json::check(Value::object({{"a", "\xFF"}})));
    CHECK(!json::check(Value::object({{"a\xFF", 1}})));
    CHECK(json::check(Value::object({{"a", std::string("1\0", 2)}})).error().fields()[0].field == "a");
    CHECK(!json::check(Value(json::Object{{"a", 1}, {"a", 2}})));
    CHECK(json::check(Value::object({{"a", "\xC3\xA9"}})));
}
