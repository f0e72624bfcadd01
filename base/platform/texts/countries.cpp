// Names and their order are those of the Unicode CLDR, as ICU has them.
#include "base/platform/texts/countries.hpp"

#include <algorithm>
#include <map>
#include <mutex>

#include <unicode/coll.h>
#include <unicode/locid.h>

#include "shared/core/country.hpp"

namespace svc::texts {
namespace {

Countries named(const icu::Locale& language) {
    UErrorCode status = U_ZERO_ERROR;
    const std::unique_ptr<icu::Collator> order(icu::Collator::createInstance(language, status));
    std::vector<std::pair<icu::UnicodeString, std::string>> wide;
    for (const char* const* code = icu::Locale::getISOCountries(); *code; ++code) {
        if (country_code(*code) != *code)
            continue;
        icu::UnicodeString name;
        icu::Locale("", *code).getDisplayCountry(language, name);
        wide.emplace_back(std::move(name), *code);
    }
    std::sort(wide.begin(), wide.end(), [&](const auto& one, const auto& other) {
        return order ? order->compare(one.first, other.first) == icu::Collator::LESS : one.first < other.first;
    });
    Countries all;
    for (const auto& [name, code] : wide) {
        std::string text;
        all.emplace_back(name.toUTF8String(text), code);
    }
    return all;
}

}  // namespace

std::shared_ptr<const Countries> countries(std::string_view locale) {
    constexpr std::size_t most = 64;  // languages of one installation
    static std::mutex guard;
    static std::map<std::string, std::shared_ptr<const Countries>, std::less<>> cache;
    const std::lock_guard lock(guard);
    if (const auto found = cache.find(locale); found != cache.end())
        return found->second;
    if (cache.size() >= most)
        cache.clear();
    const std::string name(locale);
    const icu::Locale language = icu::Locale::createFromName(name.c_str());
    return cache.emplace(name, std::make_shared<const Countries>(named(language))).first->second;
}

std::string country_name(std::string_view written, std::string_view locale) {
    const std::string code = country_code(written);
    if (!code.empty())
        for (const auto& [name, each] : *countries(locale))
            if (each == code)
                return name;
    return std::string(written);
}

}  // namespace svc::texts
