// Translates texts: gettext catalogues whose texts are ICU MessageFormat.
#pragma once

#include <concepts>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "shared/core/date.hpp"
#include "shared/core/embedded.hpp"

namespace svc::texts {

// A value for `{name}` in a text. It goes in as it is, not escaped; `{name, plural, …}` and `{name, number}` take it as
// a whole number.
struct Argument {
    Argument(std::string_view called, std::string given) : name(called), value(std::move(given)) {}
    Argument(std::string_view called, std::string_view given) : name(called), value(given) {}
    Argument(std::string_view called, const char* given) : name(called), value(given) {}
    template <std::integral T>
    Argument(std::string_view called, T given) : name(called), value(std::to_string(given)) {}

    std::string_view name;
    std::string value;
};

// The catalogues of one installation. Any thread, once made.
class Texts {
  public:
    // The files' names are "{domain}/{language}.po", for example "mail/de.po". A text's key is its English original;
    // English needs no file. A text without a translation, or with a fuzzy one, is English. The files' texts outlive
    // this.
    explicit Texts(std::span<const Embedded> catalogues);
    ~Texts();
    Texts(const Texts&) = delete;
    Texts& operator=(const Texts&) = delete;

    // The text in the language of `locale` ("de-AT" and "de_AT" take "de"), else in English, with the arguments filled
    // in. A missing argument is empty. Never fails: a translation that is no MessageFormat is passed by for the English
    // one, and that one, if it is none itself, is returned as it is. The locale "en-XA" is English with accents,
    // longer by a third: whatever looks plain there is not in the catalogues.
    [[nodiscard]] std::string say(std::string_view locale, std::string_view domain, std::string_view english,
                                  std::initializer_list<Argument> arguments = {}) const;
    // The same; calls `find` once for each argument of the text.
    using Find = std::function<std::string(std::string_view name)>;
    [[nodiscard]] std::string say(std::string_view locale, std::string_view domain, std::string_view english,
                                  const Find& find) const;

    // Whether the text is one of that domain, by the German catalogue, which is complete.
    [[nodiscard]] bool knows(std::string_view domain, std::string_view english) const;

    // The language that texts of that domain are in for this locale: "de", or "en".
    [[nodiscard]] std::string_view language_of(std::string_view locale, std::string_view domain) const;
    // Those with a catalogue of that domain, and "en", in order.
    [[nodiscard]] std::vector<std::string> languages(std::string_view domain) const;

    // Adds the catalogues of a folder, "{folder}/{domain}/{language}.po", at most 4 MiB each: a new language, or other
    // words for texts of a known one, also English. Not while another thread uses it. Returns file and sentence for
    // each that cannot be used; nothing for a folder that does not exist.
    std::vector<std::pair<std::string, std::string>> add(const std::filesystem::path& folder);

  private:
    struct Catalogue;
    [[nodiscard]] const Catalogue* catalogue_of(std::string_view locale, std::string_view domain) const;

    std::map<std::string, std::unique_ptr<Catalogue>, std::less<>> catalogues_;  // by "mail/de"
};

// Those compiled into this library, from base/i18n, and what add_catalogues added.
const Texts& bundled();
// Texts::add to these; before the process uses its first text.
std::vector<std::pair<std::string, std::string>> add_catalogues(const std::filesystem::path& folder);

// A day in PHP's letters, as shared/core/date_format.hpp reads them, with months and weekdays in the locale's language;
// English suffixes ("3rd") in English alone.
std::string day(std::string_view locale, Date date, std::string_view format);

// A day as people of that language write it: "Fri, 11 December 2026", "Fri 11 Dec", "December 2026".
enum class DayStyle : std::uint8_t { whole, brief, month };
std::string day_in_words(std::string_view locale, Date date, DayStyle style);

// A time zone as people of that language call it: "Germany Time", "New York Time", "UTC".
std::string zone_in_words(std::string_view locale, std::string_view iana);

// Whether its script runs from right to left.
bool is_right_to_left(std::string_view locale);

// The names of the arguments that a text asks for, in order, each once; nothing: the text is no MessageFormat.
std::optional<std::vector<std::string>> arguments_of(std::string_view text);

}  // namespace svc::texts
