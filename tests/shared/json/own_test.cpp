// Reading the program's own JSON: every shape as the checked reader reads it, a part of it, and broken texts.
#include "shared/json/own.hpp"

#include <array>

#include <doctest/doctest.h>

#include "tests/support/random.hpp"

using namespace svc;
using json::Value;

namespace {

constexpr std::array<std::string_view, 2> wanted{"id", "title"};

std::string partly(std::string_view text) {
    const auto value = json::parse_own(text, wanted);
    return value ? value->dump() : "refused: " + value.error().cause();
}

bool refused(std::string_view text) {
    return !json::parse_own(text) && json::parse_own(text).error().code().name == "svc_internal_error";
}

// Texts with all that needs an escape, long and short, so that marks fall on every place of a block.
Value random_value(svc::test::Random& random, int depth) {
    static constexpr std::array<std::string_view, 10> pieces{
        "a", "\"", "\\", "\n", "\xC3\xA9", "\xF0\x9F\x98\x80", "{[", "]},:", "0123456789ab", "\x01"};
    const auto text = [&] {
        std::string made;
        for (auto left = random.between(0, 11); left > 0; --left)
            made += random.one_of(pieces);
        return made;
    };
    switch (random.between(0, depth > 4 ? 4 : 6)) {
        case 0:
            return {};
        case 1:
            return random.between(0, 1) == 0;
        case 2:
            return Value(random.between(-500'000, 500'000));
        case 3:
        case 4:
            return Value(text());
        case 5: {
            Value list = Value::array();
            for (auto left = random.between(0, 5); left > 0; --left)
                list.push(random_value(random, depth + 1));
            return list;
        }
        default: {
            Value object = Value::object();
            for (auto left = random.between(0, 5); left > 0; --left)
                object.set(text(), random_value(random, depth + 1));
            return object;
        }
    }
}

}  // namespace

TEST_CASE("the program's own JSON is read as the checked reader reads it") {
    for (const auto* text :
         {"null", "true", "false", "0", "-1", "12.50", "1E+2", "\"\"", "\"a\"", "[]", "{}", " \t\r\n[ 1 , 2 ] \n",
          R"({"a":[1,{"b":null}],"c":"d"})", R"("\u00e9\ud83d\ude00\/\b\f\n\r\t\"\\")", R"({"\u0061\"":{}})",
          "123456789012345678901234567890.1234567890"}) {
        CAPTURE(text);
        REQUIRE(json::parse_own(text));
        CHECK(json::parse_own(text).value() == json::parse(text).value());
    }
    CHECK(json::parse_own(R"("\ud83d")").value().text() == "\xEF\xBF\xBD");
    CHECK(json::parse_own(R"("\ud83d\u0061")").value().text() == "\xEF\xBF\xBD\x61");
    svc::test::Random random;
    CAPTURE(random.seed);
    for (int round = 0; round < 2000; ++round) {
        const std::string text = random_value(random, 0).dump();
        CAPTURE(text);
        REQUIRE(json::parse_own(text));
        CHECK(json::parse_own(text).value() == json::parse(text).value());
    }
}

TEST_CASE("an answer of this program is read however long it is") {
    std::string text = "[";
    for (int i = 0; i < 20'000; ++i)
        text += "1,";
    text += "\"" + std::string(200'000, 'x') + "\"]";
    REQUIRE(!json::parse(text));
    const auto value = json::parse_own(text);
    REQUIRE(value);
    CHECK(value->size() == 20'001);
    CHECK((*value)[20'000].text().size() == 200'000);
}

TEST_CASE("of an object the wanted members alone are read") {
    CHECK(partly(R"({"x":[{"id":2}],"id":{"x":1},"title":[{"x":1,"id":2}]})") ==
          R"({"id":{"x":1},"title":[{"x":1,"id":2}]})");
    CHECK(partly(R"({"id":1,"x":[{"id":"}]\"{"},"\\"],"title":"a","y":{"title":{}}})") == R"({"id":1,"title":"a"})");
    CHECK(partly(R"({"x":"\\","\u0069d":3, "y" : true , "z":null})") == R"({"id":3})");
    CHECK(partly("{}") == "{}");
    // Other values are read whole.
    for (const auto* text : {R"([{"x":1}])", R"([1,"x",[{"x":1}],null])", "7"}) {
        CAPTURE(text);
        CHECK(partly(text) == text);
    }
    // As the whole text with the other members left out.
    svc::test::Random random;
    CAPTURE(random.seed);
    for (int round = 0; round < 2000; ++round) {
        const Value id = random_value(random, 2), title = random_value(random, 2);
        Value row = Value::object({{"more", random_value(random, 2)}, {"id", id}});
        row.set("text", random_value(random, 2)).set("title", title).set("last", random_value(random, 2));
        CHECK(partly(row.dump()) == Value::object({{"id", id}, {"title", title}}).dump());
    }
}

TEST_CASE("a broken text is refused, wherever it ends") {
    for (const auto* text :
         {"",        " ",        "{",         "[",     "\"",        "\"\\",  R"("\u12)", R"("\x")",    "{\"a\"",
          "{\"a\":", "{\"a\":1", "{\"a\":1,", "{1:2}", "{\"a\" 1}", "[1 2]", "[1,]",     "{,}",        "nul",
          "tru",     "falsy",    "x",         "[]x",   "1 2",       "]",     "}",        R"({"a":1]})"}) {
        CAPTURE(text);
        CHECK(refused(text));
    }
    const std::string whole = R"({"x":{"y":["\"]}"],"z":"\\"},"id":[true,null],"title":"a\u00e9","m":0})";
    REQUIRE(partly(whole).starts_with('{'));
    for (std::size_t size = 0; size < whole.size(); ++size) {
        const std::string cut = whole.substr(0, size);  // a copy, so that a sanitizer sees reads beyond it
        CAPTURE(cut);
        CHECK(refused(cut));
        CHECK(partly(cut).starts_with("refused: unreadable at byte"));
    }
    CHECK(json::parse_own(std::string(100, '[') + std::string(100, ']')));
    CHECK(refused(std::string(101, '[') + std::string(101, ']')));
    CHECK(refused(std::string(1'000'000, '[')));
}
