// Sentences: a text of the code with its values, in English.
#include "shared/core/sentence.hpp"

#include <doctest/doctest.h>

#include "shared/core/date.hpp"
#include "shared/core/money.hpp"
#include "shared/core/result.hpp"
#include "shared/json/sentence.hpp"

using namespace svc;

TEST_CASE("the places of a sentence get their values, whatever kind these have") {
    const Sentence sentence = "From {least} to {most} on {day} for {price}, {rate} %, {name}."_sentence.with("least", 2)
                                  .with("most", std::int64_t{5})
                                  .with("day", Date::parse("2026-12-11").value())
                                  .with("price", Money(1250, Currency::usd()))
                                  .with_decimal("rate", "0.5")
                                  .with("name", "{least}");
    CHECK(sentence.english() == "From 2 to 5 on 2026-12-11 for 12.50 USD, 0.5 %, {least}.");
    CHECK(Sentence("A {missing} place."_sentence).english() == "A  place.");
    CHECK(Sentence::verbatim("Anybody's {words}, as they are.").english() == "Anybody's {words}, as they are.");
}

TEST_CASE("a plural has the form of its number") {
    const auto days = [](int count) {
        return "{count, plural, =0 {No day} one {# day} other {# days}} left."_sentence.with("count", count).english();
    };
    CHECK(days(0) == "No day left.");
    CHECK(days(1) == "1 day left.");
    CHECK(days(7) == "7 days left.");
}

TEST_CASE("braces between apostrophes are text, and an apostrophe alone is one") {
    CHECK(Sentence("The trip's '{{'tag'}}'."_sentence).english() == "The trip's {{tag}}.");
}

TEST_CASE("a sentence and a list of them are values of another one") {
    const Sentence inner = "at most {most}."_sentence.with("most", 3);
    CHECK("{label}: {rule}"_sentence.with("label", "Child").with("rule", inner) == "Child: at most 3.");
    CHECK("One of: {names}."_sentence.with("names", verbatim_list({"a", "b"})) == "One of: a, b.");
}

TEST_CASE("a sentence crosses as JSON with its values, and words alone as a text") {
    const Sentence sentence = "{label}: {rule}, {count}"_sentence.with("label", "Child")
                                  .with("rule", "at most {most}."_sentence.with("most", 3))
                                  .with("count", 4);
    const json::Value sent = json::to_json(sentence);
    CHECK(sent["id"].text() == "{label}: {rule}, {count}");
    const Sentence read = json::sentence_from(json::parse(sent.dump()).value());
    CHECK(read.is_known());
    CHECK(read == "Child: at most 3., 4");
    CHECK(json::to_json(read) == sent);
    CHECK(json::to_json(Sentence::verbatim("Mine.")).text() == "Mine.");
    CHECK_FALSE(json::sentence_from(json::Value("Mine.")).is_known());
    for (const char* odd : {"null", "[]", "5", R"({"id":5})", R"({"values":{}})"})
        CHECK(json::sentence_from(json::parse(odd).value()).empty());
    const auto odd_value = [](const char* value) {
        return json::sentence_from(json::Value::object(
            {{"id", "{a}."}, {"values", json::Value::object({{"a", json::parse(value).value()}})}}));
    };
    CHECK(odd_value(R"({"kind":5,"text":"x"})") == "x.");
    for (const char* odd : {"null", "7", R"("x")", R"({"kind":[],"text":{}})", R"({"kind":"list","parts":5})"})
        CHECK(odd_value(odd) == ".");
}

TEST_CASE("an error says its code's sentence in English, and a field its own") {
    const Error error =
        Error{errc::trip_not_found}.at("trip_id", "This must be at least {least}."_sentence.with("least", 1));
    CHECK(error.message() == errc::trip_not_found.sentence);
    CHECK(error.message().is_known());
    CHECK(error.fields().front().sentence == "This must be at least 1.");
}
