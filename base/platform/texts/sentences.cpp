// Values of sentences as a language writes them, and the languages of a header.
#include "base/platform/texts/sentences.hpp"

#include <unicode/dcfmtsym.h>
#include <unicode/decimfmt.h>
#include <unicode/locid.h>

#include "base/platform/texts/texts.hpp"
#include "shared/core/ascii.hpp"
#include "shared/core/date.hpp"

namespace svc::texts {
namespace {

// "1234.50" with the separators of the language, "1.234,50"; the decimals stay as many as they are.
std::string number_in(std::string_view locale, const std::string& number) {
    UErrorCode status = U_ZERO_ERROR;
    const icu::DecimalFormatSymbols symbols(icu::Locale(std::string(locale).c_str()), status);
    if (U_FAILURE(status))
        return number;
    const auto sign_of = [&](icu::DecimalFormatSymbols::ENumberFormatSymbol which) {
        std::string sign;
        return symbols.getConstSymbol(which).toUTF8String(sign);
    };
    const std::string point = sign_of(icu::DecimalFormatSymbols::kDecimalSeparatorSymbol);
    const std::string group = sign_of(icu::DecimalFormatSymbols::kGroupingSeparatorSymbol);
    const auto dot = std::min(number.find('.'), number.size());
    const std::size_t first = number.starts_with('-') ? 1 : 0;
    std::string out = number.substr(0, first);
    for (std::size_t i = first; i < dot; ++i) {
        if (i > first && (dot - i) % 3 == 0 && dot - first > 4)
            out += group;
        out += number[i];
    }
    return dot == number.size() ? out : out + point + number.substr(dot + 1);
}

std::string value_in(std::string_view locale, const Sentence::Value& value) {
    using Kind = Sentence::Kind;
    switch (value.kind) {
        case Kind::list: {
            std::string list;
            for (const Sentence& part : value.parts)
                list += (list.empty() ? "" : ", ") + say(locale, part);
            return list;
        }
        case Kind::date: {
            const auto day = Date::parse(value.text);
            return day ? day_in_words(locale, *day, DayStyle::whole) : value.text;
        }
        case Kind::decimal:
            return number_in(locale, value.text);
        case Kind::money: {
            const auto space = std::min(value.text.find(' '), value.text.size());
            return number_in(locale, value.text.substr(0, space)) + value.text.substr(space);
        }
        case Kind::number:
        case Kind::text:
            break;
    }
    return value.text;
}

// "en;q=0.8" as "en" and 800; 0 for a language that is not wanted.
std::pair<std::string_view, int> language_and_weight(std::string_view part) {
    const auto semicolon = part.find(';');
    const std::string_view language = ascii::trimmed(part.substr(0, semicolon));
    if (semicolon == std::string_view::npos)
        return {language, 1000};
    std::string_view weight = ascii::trimmed(part.substr(semicolon + 1));
    if (!weight.starts_with("q=") && !weight.starts_with("Q="))
        return {language, 0};
    weight.remove_prefix(2);
    int thousandths = 0, unit = 1000;
    for (const char one : weight) {
        if (one == '.')
            continue;
        if (one < '0' || one > '9' || unit == 0)
            return {language, 0};
        thousandths += (one - '0') * unit;
        unit /= 10;
    }
    return {language, std::min(thousandths, 1000)};
}

}  // namespace

std::string say(std::string_view locale, const Sentence& sentence) {
    if (!sentence.is_known())
        return sentence.key();
    if (locale.empty() || locale == "en")
        return sentence.english();
    return bundled().say(locale, sentences_domain, sentence.key(), [&](std::string_view place) {
        const Sentence::Value* value = sentence.value(place);
        return value ? value_in(locale, *value) : std::string();
    });
}

std::string language_asked_for(std::string_view accept_language) {
    constexpr std::size_t longest = 200;  // of a header; the rest is of no use
    std::string best = "en";
    int best_weight = 0;
    accept_language = accept_language.substr(0, longest);
    while (!accept_language.empty()) {
        const auto comma = std::min(accept_language.find(','), accept_language.size());
        const auto [language, weight] = language_and_weight(accept_language.substr(0, comma));
        accept_language.remove_prefix(std::min(comma + 1, accept_language.size()));
        if (weight <= best_weight || language.empty() || language == "*")
            continue;
        const std::string found(language == "en-XA" ? language : bundled().language_of(language, sentences_domain));
        const bool is_english = language.size() >= 2 && (language[0] == 'e' || language[0] == 'E') &&
                                (language[1] == 'n' || language[1] == 'N');
        if (found == "en" && !is_english)
            continue;  // a language without texts: the next one
        best = found;
        best_weight = weight;
    }
    return best;
}

}  // namespace svc::texts
