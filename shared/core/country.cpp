// Names and codes are those of the Unicode CLDR, as ICU has them.
#include "shared/core/country.hpp"

#include <map>

#include <unicode/locid.h>
#include <unicode/unistr.h>

#include "shared/core/text.hpp"

namespace svc {
namespace {

// Common names that the tables lack.
constexpr std::pair<std::string_view, const char*> also_named[] = {
    {"usa", "US"},
    {"u.s.a.", "US"},
    {"u.s.", "US"},
    {"united states of america", "US"},
    {"america", "US"},
    {"uk", "GB"},
    {"u.k.", "GB"},
    {"great britain", "GB"},
    {"england", "GB"},
    {"scotland", "GB"},
    {"wales", "GB"},
    {"northern ireland", "GB"},
    {"turkey", "TR"},
    {"türkiye", "TR"},
    {"holland", "NL"},
    {"the netherlands", "NL"},
    {"czech republic", "CZ"},
    {"burma", "MM"},
    {"myanmar", "MM"},
    {"swaziland", "SZ"},
    {"hong kong", "HK"},
    {"macau", "MO"},
    {"macao", "MO"},
    {"ivory coast", "CI"},
    {"cape verde", "CV"},
    {"east timor", "TL"},
    {"macedonia", "MK"},
    {"uae", "AE"},
    {"south korea", "KR"},
    {"republic of korea", "KR"},
    {"russian federation", "RU"},
    {"viet nam", "VN"},
};

// Without case, with "and" written out.
std::string key_of(std::string_view name) {
    std::string key = text::folded(text::clean(name));
    for (auto at = key.find('&'); at != std::string::npos; at = key.find('&', at))
        key.replace(at, 1, "and");
    return key;
}

std::string english_name(const icu::Locale& place) {
    std::string name;
    icu::UnicodeString shown;
    place.getDisplayCountry(icu::Locale::getEnglish(), shown).toUTF8String(name);
    return name;
}

std::map<std::string, std::string> known() {
    std::map<std::string, std::string> codes;
    for (const char* const* code = icu::Locale::getISOCountries(); *code; ++code) {
        const icu::Locale place("", *code);
        codes.emplace(key_of(english_name(place)), *code);
        codes.emplace(key_of(*code), *code);
        codes.emplace(key_of(place.getISO3Country()), *code);
    }
    for (const auto& [name, code] : also_named)
        codes.emplace(key_of(name), code);
    for (const char* const language : {"de", "es", "fr", "it", "nl", "pt"})  // an English name wins
        for (const char* const* code = icu::Locale::getISOCountries(); *code; ++code) {
            std::string name;
            icu::UnicodeString shown;
            icu::Locale("", *code).getDisplayCountry(icu::Locale(language), shown).toUTF8String(name);
            codes.emplace(key_of(name), *code);
        }
    return codes;
}

}  // namespace

std::string country_code(std::string_view written) {
    static const auto codes = known();
    const std::string key = key_of(written);
    const auto found = key.empty() ? codes.end() : codes.find(key);
    return found == codes.end() ? std::string() : found->second;
}

std::string country_as_code(std::string_view written) {
    std::string code = country_code(written);
    return code.empty() ? std::string(written) : code;
}

std::string country_name(std::string_view code) {
    const std::string known_code = code.size() == 2 ? country_code(code) : std::string();
    return known_code.empty() ? std::string(code) : english_name(icu::Locale("", known_code.c_str()));
}

}  // namespace svc
