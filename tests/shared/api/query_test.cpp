// Reading queries and percent-encoding.
#include "shared/api/query.hpp"

#include <doctest/doctest.h>

#include "tests/support/random.hpp"

using namespace svc;

namespace {

std::string read(std::string_view raw) {
    const auto query = api::parse_query(raw);
    return query ? query->dump() : std::string(query.error().code().name);
}

}  // namespace

TEST_CASE("a query is an object of texts") {
    CHECK(read("") == "{}");
    CHECK(read("a=1&b=2") == R"({"a":"1","b":"2"})");
    CHECK(read("q=nile+cruise%2C%20egypt%2B") == R"({"q":"nile cruise, egypt+"})");
    CHECK(read("a&b=&=c&&d=x=y") == R"({"a":"","b":"","d":"x=y"})");
    CHECK(read("caf%C3%A9=%E6%97%A5") == "{\"caf\xC3\xA9\":\"\xE6\x97\xA5\"}");
}

TEST_CASE("a name that occurs twice or ends in brackets is an array") {
    CHECK(read("a=1&a=2&a=3") == R"({"a":["1","2","3"]})");
    CHECK(read("a[]=1") == R"({"a":["1"]})");
    CHECK(read("a%5B%5D=1&a=2") == R"({"a":["1","2"]})");
    CHECK(read("a=1&a[]=2") == R"({"a":["1","2"]})");
    CHECK(read("[]=1") == R"({"[]":"1"})");
}

TEST_CASE("a name with keys in brackets is an object, two deep at most") {
    CHECK(read("a[b]=1&a[c]=2&d=3") == R"({"a":{"b":"1","c":"2"},"d":"3"})");
    CHECK(read("a[b][min]=1&a[b][max]=2") == R"({"a":{"b":{"min":"1","max":"2"}}})");
    CHECK(read("a[b]=1&a[b]=2&a[c][]=3") == R"({"a":{"b":["1","2"],"c":["3"]}})");
    CHECK(read("a%5Bb%5D=1") == R"({"a":{"b":"1"}})");
    for (const auto* flat : {"[b]", "a[b", "a[b]c", "a[b][c][d]", "a[][b]", "a]b["}) {
        CAPTURE(flat);
        CHECK(read(std::string(flat) + "=1") == R"({")" + std::string(flat) + R"(":"1"})");
    }
    // A value takes none below it, and a name with members is no value any more.
    CHECK(read("a=1&a[b]=2") == R"({"a":"1"})");
    CHECK(read("a[b]=1&a[b][c]=2") == R"({"a":{"b":"1"}})");
}

TEST_CASE("broken escapes, NUL and invalid UTF-8 are refused") {
    for (const auto* raw :
         {"a=%", "a=%4", "a=%zz", "a=%00", "%00=1", "a=%FF", "a=%C3", "a=\xFF", "a=%ED%A0%80", "%=1"}) {
        CAPTURE(raw);
        CHECK(read(raw) == "invalid_request");
    }
}

TEST_CASE("a query of too many parameters is refused") {
    std::string raw = "a=1";
    for (int i = 0; i < 499; ++i)
        raw += "&a=1";
    CHECK(api::parse_query(raw));
    CHECK_FALSE(api::parse_query(raw + "&a=1"));
    CHECK(api::parse_query(raw + "&&&&"));
}

TEST_CASE("escapes are decoded once") {
    CHECK(api::percent_decoded("%2541", false) == "%41");
    CHECK(api::percent_decoded("a+b", false) == "a+b");
    CHECK(api::percent_decoded("a+b", true) == "a b");
    CHECK(api::percent_decoded("%2f", false) == "/");
}

TEST_CASE("every text survives its encoding") {
    test::Random random;
    CAPTURE(random.seed);
    for (int round = 0; round < 5'000; ++round) {
        std::string text, raw;
        for (auto count = random.between(1, 12); count > 0; --count) {
            const auto byte = static_cast<char>(random.between(1, 127));
            text += byte;
            static constexpr char hex[] = "0123456789ABCDEF";
            raw += '%';
            raw += hex[byte >> 4];
            raw += hex[byte & 15];
        }
        REQUIRE(api::percent_decoded(raw, random.between(0, 1) == 1) == text);
    }
}

TEST_CASE("a query written as a text is read as it was") {
    for (const auto* raw : {"", "a=1", "a=1&b=x+y&c[]=2&d=3&d=4", "a[b]=1&a[c][d]=2&a[c][e][]=3",
                            "a=%26%3D%23&b=", "caf%C3%A9=%C3%A9t%C3%A9&x=%5B%5D"}) {
        CAPTURE(raw);
        const auto query = api::parse_query(raw).value();
        CHECK(api::parse_query(api::query_text(query)).value() == query);
    }
    auto query = json::Value::object();
    api::add_parameter(query, "a", "1");
    api::add_parameter(query, "a", "2");
    api::add_parameter(query, "b[c]", "3");
    api::add_parameter(query, "", "4");
    CHECK(query == api::parse_query("a=1&a=2&b[c]=3").value());
}
