// Texts made clean, and their JSON quoting.
#include "shared/core/text.hpp"

#include <doctest/doctest.h>

using namespace svc;

namespace {

std::string quoted(std::string_view given) {
    std::string out;
    text::quote_json(out, given);
    return out;
}

}  // namespace

TEST_CASE("a line is trimmed of any script's white space, and of control characters") {
    CHECK(text::clean("  Nile cruise  ") == "Nile cruise");
    CHECK(text::clean("") == "");
    CHECK(text::clean("   ") == "");
    CHECK(text::clean("\xC2\xA0\xE3\x80\x80"
                      "Ada\xE2\x80\x89") == "Ada");  // no-break, ideographic and thin blanks
    CHECK(text::clean("two\nlines\tand\r\nmore") == "two lines and  more");
    CHECK(text::clean(std::string_view("a\0b\x1B[31m\x7F", 9)) == "ab[31m");
    CHECK(text::clean("\xC2\x85x\xE2\x80\xA8") == "x");
}

TEST_CASE("texts that look alike are stored alike") {
    CHECK(text::clean("Cafe\xCC\x81") == "Caf\xC3\xA9");
    CHECK(text::composed("A\xCC\x8Angstro\xCC\x88m") == "\xC3\x85ngstr\xC3\xB6m");
    CHECK(text::composed("\xEF\xAC\x81") == "\xEF\xAC\x81");  // a ligature is another letter, not another spelling
}

TEST_CASE("several lines keep their breaks and tabs, and lose other control characters and white space at the ends") {
    CHECK(text::clean_lines("  one\r\ntwo\rthree\n\n\tfour \n ") == "one\ntwo\nthree\n\n\tfour");
    CHECK(text::clean_lines(std::string_view("a\0b\x1B[31m", 8)) == "ab[31m");
    CHECK(text::clean_lines("a\xE2\x80\xA8z") == "a\nz");
    CHECK(text::clean_lines("Cafe\xCC\x81") == "Caf\xC3\xA9");
    CHECK(text::clean_lines(" \n ") == "");
}

TEST_CASE("a slug is made of a title's letters and digits, in lower case, with hyphens between them") {
    CHECK(text::slug_of("Nile Cruise: 4 days!", 200) == "nile-cruise-4-days");
    CHECK(text::slug_of("--a__b--", 200) == "a-b");
    CHECK(text::slug_of("\xC3\x89tretat", 200) == "\xC3\xA9tretat");
    CHECK(text::slug_of("E\xCC\x81tretat", 200) == "\xC3\xA9tretat");
    CHECK(text::slug_of("\xE0\xA4\xB9\xE0\xA4\xBF\xE0\xA4\xAE", 200) == "\xE0\xA4\xB9\xE0\xA4\xBF\xE0\xA4\xAE");
    CHECK(text::slug_of("?! ", 200) == "");
    CHECK(text::slug_of("ab cd", 4) == "ab-c");
    CHECK(text::slug_of("ab cd", 3) == "ab");
    CHECK(text::is_slug(text::slug_of("Tokyo \xE6\x9D\xB1\xE4\xBA\xAC 2026", 200)));
}

TEST_CASE("the length of a text is told in code points") {
    CHECK(text::length("") == 0);
    CHECK(text::length("abc") == 3);
    CHECK(text::length("\xF0\x9F\x98\x80\xC3\xA9") == 2);
    CHECK(text::first("\xC3\xA9\xC3\xA8", 1) == "\xC3\xA9");
    CHECK(text::first("ab", 5) == "ab");
}

TEST_CASE("ill-formed UTF-8 is seen and replaced") {
    for (const auto* bad : {"\xFF", "\xC3", "\xC0\x80", "\xED\xA0\x80", "\xF4\x90\x80\x80", "a\x80z"}) {
        CHECK_FALSE(text::is_utf8(bad));
        CHECK(text::is_utf8(text::made_utf8(bad)));
        CHECK(text::is_utf8(text::clean(bad)));
        CHECK(text::is_utf8(quoted(bad)));
    }
    CHECK(text::made_utf8("a\x80z") == "a\xEF\xBF\xBDz");
    CHECK(text::is_utf8("\xF0\x9F\x98\x80"));
}

TEST_CASE("one byte decides, wherever it is among ASCII") {
    for (std::size_t size = 1; size <= 40; ++size)
        for (std::size_t at = 0; at < size; ++at) {
            std::string text(size, 'a');
            CHECK(text::is_utf8(text));
            text[at] = '\x80';
            CHECK_FALSE(text::is_utf8(text));
            text.replace(at, 1, "\xC3\xA9");
            CHECK(text::is_utf8(text));
            text.resize(at + 1);
            CHECK_FALSE(text::is_utf8(text));
        }
}

TEST_CASE("a slug has letters and digits of any script, hyphens and underscores") {
    for (const auto* good : {"nile-cruise", "trek_2", "\xE6\x97\xA5\xE6\x9C\xAC", "\xE0\xA4\xB9\xE0\xA4\xBF", "K2"})
        CHECK(text::is_slug(good));
    for (const auto* bad : {"", "a b", "a/b", "a.b", "\xFF", "a\nb", "a%20", "\xE2\x80\xAE"})
        CHECK_FALSE(text::is_slug(bad));
}

TEST_CASE("a JSON string holds any text") {
    CHECK(quoted("") == R"("")");
    CHECK(quoted("a\"b\\c") == R"("a\"b\\c")");
    CHECK(quoted("\n\r\t") == R"("\n\r\t")");
    CHECK(quoted(std::string_view("\0\x1F", 2)) == R"("\u0000\u001f")");
    CHECK(quoted("\xF0\x9F\x98\x80\xE2\x80\xA8") == "\"\xF0\x9F\x98\x80\xE2\x80\xA8\"");
    CHECK(quoted("x\xFFy\xC3") == "\"x\xEF\xBF\xBDy\xEF\xBF\xBD\"");
}

TEST_CASE("characters that turn the direction of writing are removed from what is typed on one line") {
    CHECK(svc::text::clean("Nile \u202Eesiurc\u202C \u2066x\u2069\u200F") == "Nile esiurc x");
}
