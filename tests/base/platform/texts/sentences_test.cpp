// Sentences in the language of their reader.
#include "base/platform/texts/sentences.hpp"

#include <doctest/doctest.h>

#include "base/platform/texts/texts.hpp"
#include "shared/core/date.hpp"
#include "shared/core/error_codes.hpp"
#include "shared/core/money.hpp"

using namespace svc;

TEST_CASE("a sentence is said in the language with its values, and in English where none is known") {
    const Sentence range = "This must be a number from {least} to {most}."_sentence.with("least", 1).with("most", 200);
    CHECK(texts::say("de", range) == "Das muss eine Zahl von 1 bis 200 sein.");
    CHECK(texts::say("de-AT", range) == "Das muss eine Zahl von 1 bis 200 sein.");
    CHECK(texts::say("en", range) == "This must be a number from 1 to 200.");
    CHECK(texts::say("tlh", range) == "This must be a number from 1 to 200.");
    CHECK(texts::say("de", Sentence::verbatim("This field is required.")) == "This field is required.");
}

TEST_CASE("amounts, decimals and days of a sentence are written as the language writes them") {
    const auto amount = [](std::string_view language) {
        return texts::say(language, "This gateway cannot take {amount}."_sentence.with(
                                        "amount", Money(123'456'750, Currency::usd())));
    };
    CHECK(amount("de") == "Dieser Zahlungsanbieter kann 1.234.567,50 USD nicht annehmen.");
    CHECK(amount("en") == "This gateway cannot take 1234567.50 USD.");
    const Sentence least = "This must be at least {least}."_sentence.with_decimal("least", "0.25");
    CHECK(texts::say("fr", least) == "Ce doit être au moins 0,25.");
    const Sentence day = "This must not be after {to}."_sentence.with("to", Date::parse("2026-12-11").value());
    CHECK(texts::say("de", day) == "Das darf nicht nach Fr., 11. Dezember 2026 liegen.");
    CHECK(texts::say("en", day) == "This must not be after 2026-12-11.");
}

TEST_CASE("a sentence within another one is translated, too") {
    CHECK(texts::say("de", "This {noun} does not exist."_sentence.with("noun", "destination"_sentence)) ==
          "Das gibt es nicht: Reiseziel.");
}

TEST_CASE("every error code has its sentence in German, Spanish and French") {
    for (const ErrorCode* code : errc::all)
        for (const char* language : {"de", "es", "fr"}) {
            CAPTURE(code->name);
            CHECK(texts::say(language, SentenceId{code->sentence}) != code->sentence);
        }
}

TEST_CASE("the header Accept-Language names the first language that sentences have") {
    CHECK(texts::language_asked_for("de") == "de");
    CHECK(texts::language_asked_for("de-CH, fr;q=0.9, en;q=0.8") == "de");
    CHECK(texts::language_asked_for("ja, fr;q=0.7, en;q=0.5") == "fr");
    CHECK(texts::language_asked_for("fr;q=0.4, es;q=0.6") == "es");
    CHECK(texts::language_asked_for("de;q=0, es;q=0.1") == "es");
    CHECK(texts::language_asked_for("en-GB, de;q=0.9") == "en");
    for (const char* none : {"", "*", "ja", ";;;,,", "de;q=x", "de;level=1"})
        CHECK(texts::language_asked_for(none) == "en");
    CHECK(texts::language_asked_for(std::string(100'000, ',') + "de") == "en");
}
