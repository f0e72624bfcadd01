// Texts in several languages, their plurals, and what happens where one is missing or broken.
#include "base/platform/texts/texts.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include <doctest/doctest.h>

#include "base/platform/texts/catalogue.hpp"

using namespace svc;

namespace {

constexpr std::string_view german = R"(# A comment.
msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\n"

#: mail/booking_confirmed.html
msgid "Dear {customer_name},"
msgstr "Guten Tag, {customer_name},"

msgid "{count, plural, one {# traveler} other {# travelers}}"
msgstr ""
"{count, plural, one {# Reisende} "
"other {# Reisende zusammen}}"

#, fuzzy
msgid "Total"
msgstr "Falsch"

msgid "Broken {x}"
msgstr "Kaputt {x"

msgid "Untranslated"
msgstr ""

#~ msgid "Gone"
#~ msgstr "Weg"
)";
constexpr std::string_view arabic = R"(
msgid "{count, plural, one {# traveler} other {# travelers}}"
msgstr "{count, plural, two {two} few {few of #} many {many} other {other}}"
)";
constexpr std::array files{Embedded{"mail/de.po", german}, Embedded{"mail/ar.po", arabic},
                           Embedded{"site/fr.po", "msgid \"Book\"\nmsgstr \"Réserver\"\n"}};

}  // namespace

TEST_CASE("a text is translated to the language of the locale, with its arguments") {
    const texts::Texts all(files);
    CHECK(all.say("de", "mail", "Dear {customer_name},", {{"customer_name", "Ada <b>"}}) == "Guten Tag, Ada <b>,");
    CHECK(all.say("de-AT", "mail", "Dear {customer_name},", {{"customer_name", "Ada"}}) == "Guten Tag, Ada,");
    CHECK(all.say("de_AT", "mail", "Dear {customer_name},", {}) == "Guten Tag, ,");
    CHECK(all.language_of("de-AT", "mail") == "de");
    CHECK(all.language_of("pt-BR", "mail") == "en");
    CHECK(all.languages("mail") == std::vector<std::string>{"ar", "de", "en"});
}

TEST_CASE("plurals follow the language, and numbers may come as texts") {
    const texts::Texts all(files);
    const std::string_view text = "{count, plural, one {# traveler} other {# travelers}}";
    CHECK(all.say("en", "mail", text, {{"count", 1}}) == "1 traveler");
    CHECK(all.say("en", "mail", text, {{"count", "2"}}) == "2 travelers");
    CHECK(all.say("de", "mail", text, {{"count", 2}}) == "2 Reisende zusammen");
    CHECK(all.say("ar", "mail", text, {{"count", 2}}) == "two");
    CHECK(all.say("ar", "mail", text, {{"count", 11}}) == "many");
    CHECK(all.say("en", "mail", text, {{"count", 1234}}) == "1,234 travelers");
}

TEST_CASE("what has no usable translation is English") {
    const texts::Texts all(files);
    CHECK(all.say("de", "mail", "Total") == "Total");  // fuzzy
    CHECK(all.say("de", "mail", "Untranslated") == "Untranslated");
    CHECK(all.say("de", "mail", "Gone") == "Gone");
    CHECK(all.say("de", "mail", "Never seen {x}", {{"x", "here"}}) == "Never seen here");
    CHECK(all.say("de", "mail", "Broken {x}", {{"x", "1"}}) == "Broken 1");
    CHECK(all.say("de", "site", "Book") == "Book");  // another domain's
    CHECK(all.say("fr", "site", "Book") == "Réserver");
    CHECK(all.say("", "mail", "Book") == "Book");
    CHECK(all.say("de", "mail", "No text {") == "No text {");
}

TEST_CASE("the pseudo-locale shows what does not come from the catalogues") {
    const texts::Texts all(files);
    const std::string said =
        all.say("en-XA", "mail", "{count, plural, one {# traveler} other {# travelers}}", {{"count", 3}});
    CHECK(said.starts_with("[3 trávélérš"));
    CHECK(all.say("en-XA", "mail", "Dear {customer_name},", {{"customer_name", "Ada"}}).starts_with("[Déár Ada,"));
}

TEST_CASE("a catalogue that is no .po file is refused with its line") {
    CHECK_THROWS_WITH(texts::read_po("msgid \"a\nmsgstr \"b\"\n"), doctest::Contains("line 1"));
    CHECK(texts::read_po("").empty());
    CHECK(texts::read_po("msgid \"a\\\"\\n\"\nmsgstr \"b\\tc\"").at("a\"\n") == "b\tc");
}

TEST_CASE("the arguments of a text are known") {
    using Names = std::vector<std::string>;
    CHECK(texts::arguments_of("{a} {n, plural, other {{b} and {a}}}") == Names{"a", "n", "b"});
    CHECK(texts::arguments_of("It''s plain") == Names{});
    CHECK_FALSE(texts::arguments_of("{a"));
}

TEST_CASE("days are written with the months and weekdays of the language") {
    const Date date = Date::parse("2027-05-03").value();
    CHECK(texts::day("en", date, "l, j F Y") == "Monday, 3 May 2027");
    CHECK(texts::day("de-AT", date, "l, j. F Y") == "Montag, 3. Mai 2027");
    CHECK(texts::day("fr", date, "l j F Y") == "lundi 3 mai 2027");
    CHECK(texts::day("es", date, "j \\d\\e F") == "3 de mayo");
    CHECK(texts::day("de", date, "Y-m-d") == "2027-05-03");
    CHECK(texts::day("en", date, "jS M") == "3rd May");
    CHECK(texts::day("de", date, "jS") == "3");
    CHECK(texts::day("x-nonsense", date, "Y").size() == 4);
}

TEST_CASE("days in words are in the order of the language, and Arabic runs from right to left") {
    using texts::DayStyle;
    const Date date = Date::parse("2026-12-11").value();
    CHECK(texts::day_in_words("en", date, DayStyle::whole) == "Fri, 11 December 2026");
    CHECK(texts::day_in_words("en-XA", date, DayStyle::brief) == "Fri 11 Dec");
    CHECK(texts::day_in_words("de", date, DayStyle::whole) == "Fr., 11. Dezember 2026");
    CHECK(texts::day_in_words("es", date, DayStyle::month) == "diciembre de 2026");
    CHECK(texts::day_in_words("fr", date, DayStyle::brief) == "ven. 11 déc.");
    CHECK(texts::day_in_words("x-nonsense", date, DayStyle::month).size() >= 4);
    CHECK(texts::is_right_to_left("ar"));
    CHECK(texts::is_right_to_left("he-IL"));
    CHECK_FALSE(texts::is_right_to_left("de"));
    CHECK_FALSE(texts::is_right_to_left("en-XA"));
}

TEST_CASE("catalogues of a folder add a language, change single words, and are reported where they cannot be used") {
    const auto folder = std::filesystem::temp_directory_path() / ("svc-texts-" + std::to_string(getpid()));
    std::filesystem::create_directories(folder / "mail");
    std::filesystem::create_directories(folder / "site");
    const auto write = [&](const char* name, std::string_view text) { std::ofstream(folder / name) << text; };
    write("mail/de.po", "msgid \"Untranslated\"\nmsgstr \"Doch\"\n");
    write("mail/nl.po", "msgid \"Total\"\nmsgstr \"Totaal\"\n\nmsgid \"Broken {x}\"\nmsgstr \"Kapot {x\"\n");
    write("mail/en.po", "msgid \"Total\"\nmsgstr \"Sum\"\n");
    write("site/pt-BR.po", "msgid \"Book\"\nmsgstr Reservar\n");
    write("site/..x.po", "");
    texts::Texts all(files);
    auto faults = all.add(folder);
    std::sort(faults.begin(), faults.end());
    REQUIRE(faults.size() == 3);
    CHECK(faults[0] == std::pair<std::string, std::string>{"mail/nl.po", "This is no MessageFormat: Kapot {x"});
    CHECK(faults[1].first == "site/..x.po");
    CHECK(faults[2].first == "site/pt-BR.po");
    CHECK(all.say("de", "mail", "Untranslated") == "Doch");
    CHECK(all.say("de", "mail", "Dear {customer_name},", {{"customer_name", "Ada"}}) == "Guten Tag, Ada,");
    CHECK(all.say("nl", "mail", "Total") == "Totaal");
    CHECK(all.say("nl", "mail", "Broken {x}", {{"x", "it"}}) == "Broken it");
    CHECK(all.say("en", "mail", "Total") == "Sum");
    CHECK(all.languages("mail") == std::vector<std::string>{"ar", "de", "en", "nl"});
    CHECK(all.add(folder / "nowhere").empty());
    std::filesystem::remove_all(folder);
}
