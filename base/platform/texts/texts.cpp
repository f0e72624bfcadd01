// Texts by ICU's MessageFormat.
#include "base/platform/texts/texts.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <mutex>
#include <sstream>
#include <stdexcept>

#include <unicode/datefmt.h>
#include <unicode/dtfmtsym.h>
#include <unicode/messagepattern.h>
#include <unicode/msgfmt.h>
#include <unicode/timezone.h>
#include <unicode/uchar.h>
#include <unicode/uloc.h>

#include "base/platform/texts/catalogue.hpp"
#include "base/platform/texts/isolated.hpp"
#include "shared/core/by_text.hpp"
#include "shared/core/date_format.hpp"

namespace svc::embedded {
std::span<const Embedded> catalogues();  // base/i18n
}

namespace svc::texts {
namespace {

constexpr std::string_view pseudo_locale = "en-XA";

// An argument that a text names.
struct NamedArgument {
    std::string name;
    icu::UnicodeString wide_name;
    bool is_number = false;
};

// A text ready to be filled in. Of one thread: ICU's formats make parts of themselves when they are first needed.
struct Compiled {
    std::unique_ptr<icu::MessageFormat> format;  // null: the text is no MessageFormat
    std::vector<NamedArgument> arguments;
};

std::vector<NamedArgument> arguments_in(const icu::MessagePattern& pattern) {
    std::vector<NamedArgument> arguments;
    for (std::int32_t i = 0; i + 1 < pattern.countParts(); ++i) {
        const auto& part = pattern.getPart(i);
        if (part.getType() != UMSGPAT_PART_TYPE_ARG_START)
            continue;
        const auto kind = part.getArgType();
        bool is_number = kind == UMSGPAT_ARG_TYPE_PLURAL || kind == UMSGPAT_ARG_TYPE_SELECTORDINAL;
        if (kind == UMSGPAT_ARG_TYPE_SIMPLE && i + 2 < pattern.countParts())
            is_number = pattern.getSubstring(pattern.getPart(i + 2)) == UNICODE_STRING_SIMPLE("number");
        // The pattern returns a view of its own text.
        const icu::UnicodeString name = pattern.getSubstring(pattern.getPart(i + 1));
        NamedArgument one{.name = {}, .wide_name = {name.getBuffer(), name.length()}, .is_number = is_number};
        one.wide_name.toUTF8String(one.name);
        const auto known = std::find_if(arguments.begin(), arguments.end(),
                                        [&](const NamedArgument& each) { return each.name == one.name; });
        if (known == arguments.end())
            arguments.push_back(std::move(one));
        else
            known->is_number |= is_number;
    }
    return arguments;
}

icu::UnicodeString wide(std::string_view text) {
    return icu::UnicodeString::fromUTF8({text.data(), static_cast<std::int32_t>(text.size())});
}

Compiled compile_text(std::string_view language, std::string_view text) {
    UErrorCode status = U_ZERO_ERROR;
    UParseError where;
    const icu::UnicodeString pattern = wide(text);
    Compiled compiled;
    const icu::MessagePattern parts(pattern, &where, status);
    if (U_FAILURE(status))
        return compiled;
    compiled.arguments = arguments_in(parts);
    const icu::Locale locale(std::string(language).c_str());
    auto format = std::make_unique<icu::MessageFormat>(pattern, locale, where, status);
    if (U_SUCCESS(status))
        compiled.format = std::move(format);
    return compiled;
}

// Few texts are filled in again and again; reading one costs ten times as much as filling it in.
std::shared_ptr<const Compiled> compiled_text(std::string_view language, std::string_view text) {
    constexpr std::size_t most_kept = 2'000;
    thread_local ByText<std::shared_ptr<const Compiled>> all;
    thread_local std::string key;
    key.assign(language).append(1, '\0').append(text);
    if (const auto known = all.find(key); known != all.end())
        return known->second;
    if (all.size() >= most_kept)
        all.clear();
    return all.emplace(key, std::make_shared<const Compiled>(compile_text(language, text))).first->second;
}

std::int64_t whole_number(const std::string& text) {
    std::int64_t number = 0;
    const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), number);
    return fault == std::errc{} ? number : 0;
}

// Nothing when the text is no MessageFormat.
std::optional<std::string> filled_in(std::string_view language, std::string_view text, const Texts::Find& find) {
    if (text.find_first_of("{}'") == std::string_view::npos)
        return std::string(text);
    const auto compiled = compiled_text(language, text);  // while `find` may ask for other texts
    if (!compiled->format)
        return std::nullopt;
    std::vector<icu::UnicodeString> names;
    std::vector<icu::Formattable> values;
    names.reserve(compiled->arguments.size());
    values.reserve(compiled->arguments.size());
    for (const NamedArgument& each : compiled->arguments) {
        const std::string value = find ? find(each.name) : std::string();
        names.push_back(each.wide_name);
        values.push_back(each.is_number ? icu::Formattable(whole_number(value)) : icu::Formattable(wide(value)));
    }
    UErrorCode status = U_ZERO_ERROR;
    icu::UnicodeString result;
    compiled->format->format(names.data(), values.data(), static_cast<std::int32_t>(names.size()), result, status);
    if (U_FAILURE(status))
        return std::nullopt;
    std::string out;
    return result.toUTF8String(out);
}

// Text is outside braces and, within a plural, inside an even number of them.
std::string accented(std::string_view english) {
    static constexpr std::string_view plain = "aeiouAEIOUncs";
    static constexpr const char* accents[] = {"á", "é", "í", "ó", "ú", "Á", "É", "Í", "Ó", "Ú", "ñ", "ç", "š"};
    std::string out = "[";
    int depth = 0;
    std::size_t letters = 0;
    for (const char c : english) {
        depth += c == '{' ? 1 : c == '}' ? -1 : 0;
        const auto at = depth % 2 == 0 ? plain.find(c) : std::string_view::npos;
        if (at == std::string_view::npos)
            out += c;
        else
            out += accents[at];
        ++letters;
    }
    for (std::size_t more = letters / 3; more > 0; --more)
        out += "·";
    return out + "]";
}

}  // namespace

// Reads its file when a text of that language is first used: most sites have one or two.
struct Texts::Catalogue {
    std::string language;
    std::string_view file;
    mutable std::once_flag reading;
    mutable ByText<std::string> translations;  // by their originals

    const ByText<std::string>& texts() const {
        std::call_once(reading, [this] { translations = read_po(file); });
        return translations;
    }

    // Prefers these texts to its own. Not while another thread uses it.
    void replace_by(ByText<std::string> others) {
        texts();
        others.merge(translations);
        translations = std::move(others);
    }
};

Texts::Texts(std::span<const Embedded> catalogues) {
    for (const Embedded& file : catalogues) {
        const auto slash = file.name.find('/'), end = file.name.rfind(".po");
        if (slash == std::string_view::npos || end == std::string_view::npos || end < slash)
            continue;
        auto catalogue = std::make_unique<Catalogue>();
        catalogue->language = file.name.substr(slash + 1, end - slash - 1);
        catalogue->file = file.text;
        catalogues_[std::string(file.name.substr(0, end))] = std::move(catalogue);
    }
}

Texts::~Texts() = default;

const Texts::Catalogue* Texts::catalogue_of(std::string_view locale, std::string_view domain) const {
    std::string name(domain);
    name += '/';
    const std::size_t prefix = name.size();
    for (std::string_view tried = locale; !tried.empty();) {
        name.resize(prefix);
        name += tried;
        std::replace(name.begin() + static_cast<std::ptrdiff_t>(prefix), name.end(), '_', '-');
        if (const auto known = catalogues_.find(name); known != catalogues_.end())
            return known->second.get();
        const auto shorter = tried.find_last_of("-_");
        tried = shorter == std::string_view::npos ? std::string_view() : tried.substr(0, shorter);
    }
    return nullptr;
}

std::string_view Texts::language_of(std::string_view locale, std::string_view domain) const {
    const Catalogue* found = catalogue_of(locale, domain);
    return found ? found->language : std::string_view("en");
}

bool Texts::knows(std::string_view domain, std::string_view english) const {
    const Catalogue* bundled = catalogue_of("de", domain);
    return bundled && bundled->texts().find(english) != bundled->texts().end();
}

std::vector<std::string> Texts::languages(std::string_view domain) const {
    std::vector<std::string> all{"en"};
    for (const auto& [name, catalogue] : catalogues_)
        if (name.size() > domain.size() && name.starts_with(domain) && name[domain.size()] == '/')
            all.push_back(catalogue->language);
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

namespace {

// "de", "pt-BR", "zh-Hant-TW".
bool is_language(std::string_view name) {
    const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    return name.size() >= 2 && name.size() <= 20 && is_letter(name[0]) && is_letter(name[1]) &&
           std::all_of(name.begin(), name.end(),
                       [&](char c) { return is_letter(c) || (c >= '0' && c <= '9') || c == '-'; });
}

}  // namespace

std::vector<std::pair<std::string, std::string>> Texts::add(const std::filesystem::path& folder) {
    std::vector<std::pair<std::string, std::string>> faults;
    for (const std::string_view domain : {"mail", "site", "document", "error"}) {
        std::error_code none;
        for (const auto& file : std::filesystem::directory_iterator(folder / domain, none)) {
            const std::string name = std::string(domain) + "/" + file.path().filename().string();
            const std::string language = file.path().stem().string();
            try {
                if (file.path().extension() != ".po" || !is_language(language))
                    throw std::runtime_error("The name must be a language and .po, for example pt-BR.po.");
                auto texts = read_po(text_of_catalogue(file.path()));
                for (const auto& [english, translation] : texts)
                    if (const auto placeholders = arguments_of(translation); !placeholders)
                        faults.emplace_back(name, "This is no MessageFormat: " + translation);
                auto& catalogue = catalogues_[std::string(domain) + "/" + language];
                if (!catalogue)
                    catalogue = std::make_unique<Catalogue>();
                catalogue->language = language;
                catalogue->replace_by(std::move(texts));
            } catch (const std::exception& failure) {
                faults.emplace_back(name, failure.what());
            }
        }
    }
    return faults;
}

std::string Texts::say(std::string_view locale, std::string_view domain, std::string_view english,
                       const Find& find) const {
    if (locale == pseudo_locale)
        if (auto result = filled_in("en", accented(english), find))
            return std::move(*result);
    if (const Catalogue* catalogue = catalogue_of(locale, domain))
        if (const auto known = catalogue->texts().find(english); known != catalogue->texts().end())
            if (auto result = filled_in(catalogue->language, known->second, find))
                return std::move(*result);
    auto result = filled_in("en", english, find);
    return result ? std::move(*result) : std::string(english);
}

std::string Texts::say(std::string_view locale, std::string_view domain, std::string_view english,
                       std::initializer_list<Argument> arguments) const {
    return say(locale, domain, english, [&](std::string_view name) {
        for (const Argument& each : arguments)
            if (each.name == name)
                return each.value;
        return std::string();
    });
}

static Texts& of_process() {
    static Texts texts(embedded::catalogues());
    return texts;
}

const Texts& bundled() { return of_process(); }

std::vector<std::pair<std::string, std::string>> add_catalogues(const std::filesystem::path& folder) {
    return of_process().add(folder);
}

std::string day(std::string_view locale, Date date, std::string_view format) {
    if (locale.empty() || locale.starts_with("en"))
        return formatted(date, format);
    UErrorCode status = U_ZERO_ERROR;
    const icu::DateFormatSymbols symbols(icu::Locale::createCanonical(std::string(locale).c_str()), status);
    if (U_FAILURE(status))
        return formatted(date, format);
    const auto named = [&](const icu::UnicodeString* names, std::int32_t count, std::size_t index) {
        std::string name;
        return index < static_cast<std::size_t>(count) ? names[index].toUTF8String(name) : name;
    };
    using Symbols = icu::DateFormatSymbols;
    std::string text;
    for (std::size_t i = 0; i < format.size(); ++i) {
        const char letter = format[i];
        const auto width = letter == 'F' || letter == 'l' ? Symbols::WIDE : Symbols::ABBREVIATED;
        std::int32_t count = 0;
        if (letter == '\\' && i + 1 < format.size())
            text += format[++i];
        else if (letter == 'F' || letter == 'M') {
            const auto* names = symbols.getMonths(count, Symbols::FORMAT, width);
            text += named(names, count, date.month() - 1);
        } else if (letter == 'l' || letter == 'D') {
            const auto* names = symbols.getWeekdays(count, Symbols::FORMAT, width);
            text += named(names, count, date.weekday() + 1);
        } else if (letter != 'S')
            text += formatted(date, format.substr(i, 1));
    }
    return text;
}

std::string day_in_words(std::string_view locale, Date date, DayStyle style) {
    if (locale.empty() || locale.starts_with("en"))  // the day before the month, as no one English country has it alone
        return formatted(date, style == DayStyle::whole ? "D, j F Y" : style == DayStyle::brief ? "D j M" : "F Y");
    // Making a format takes a millisecond; one thread's alone.
    thread_local std::map<std::string, std::unique_ptr<icu::DateFormat>, std::less<>> formats[3];
    auto& of_style = formats[static_cast<std::size_t>(style)];
    auto found = of_style.find(locale);
    if (found == of_style.end()) {
        UErrorCode status = U_ZERO_ERROR;
        const char* fields = style == DayStyle::whole ? "yMMMMEd" : style == DayStyle::brief ? "MMMEd" : "yMMMM";
        std::unique_ptr<icu::DateFormat> format(icu::DateFormat::createInstanceForSkeleton(
            fields, icu::Locale::createCanonical(std::string(locale).c_str()), status));
        if (format)
            format->setTimeZone(*icu::TimeZone::getGMT());
        found = of_style.emplace(std::string(locale), U_SUCCESS(status) ? std::move(format) : nullptr).first;
    }
    if (!found->second)
        return formatted(date, "Y-m-d");
    constexpr double millis_of_day = 86'400'000;
    icu::UnicodeString result;
    std::string text;
    return found->second->format(static_cast<double>(date.days()) * millis_of_day, result).toUTF8String(text);
}

std::string zone_in_words(std::string_view locale, std::string_view iana) {
    if (iana == "UTC" || iana.starts_with("Etc/"))
        return "UTC";
    const std::unique_ptr<icu::TimeZone> zone(icu::TimeZone::createTimeZone(wide(iana)));
    icu::UnicodeString name;
    std::string text;
    return zone
        ->getDisplayName(false, icu::TimeZone::GENERIC_LOCATION,
                         icu::Locale::createCanonical(std::string(locale).c_str()), name)
        .toUTF8String(text);
}

bool is_right_to_left(std::string_view locale) { return uloc_isRightToLeft(std::string(locale).c_str()) != 0; }

std::string isolated(std::string_view locale, const std::string& name) {
    const UCharDirection ours = is_right_to_left(locale) ? U_RIGHT_TO_LEFT : U_LEFT_TO_RIGHT;
    const icu::UnicodeString letters = wide(name);
    for (std::int32_t at = 0; at < letters.length(); at = letters.moveIndex32(at, 1)) {
        const UCharDirection its = u_charDirection(letters.char32At(at));
        const bool is_left = its == U_LEFT_TO_RIGHT, is_right = its == U_RIGHT_TO_LEFT || its == U_RIGHT_TO_LEFT_ARABIC;
        if (ours == U_LEFT_TO_RIGHT ? is_right : is_left)
            return std::string(isolate_begins) + name + std::string(isolate_ends);
    }
    return name;
}

std::optional<std::vector<std::string>> arguments_of(std::string_view text) {
    const Compiled compiled = compile_text("en", text);
    if (!compiled.format)
        return std::nullopt;
    std::vector<std::string> names;
    for (const NamedArgument& each : compiled.arguments)
        names.push_back(each.name);
    return names;
}

}  // namespace svc::texts
