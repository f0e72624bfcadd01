// What a person reads, such as why a call was refused: said in English for logs and programs, and in the language of
// the reader where he is known (base/platform/texts/sentences.hpp).
#pragma once

#include <concepts>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace svc {

class Date;
class Money;
class Sentence;

// An English text as the code has it, which is also the key of its translations: a MessageFormat of ICU whose places
// are plain ("{least}") or plurals ("{count, plural, one {# day} other {# days}}"). base/i18n/collect.py finds the
// texts by the ending _sentence; each has its translations in base/i18n/error, or the build fails.
struct SentenceId {
    std::string_view english;

    // A sentence with a value for one of its places; `with` of Sentence adds the others.
    template <class T>
    [[nodiscard]] Sentence with(std::string_view place, T&& value) const;
    [[nodiscard]] Sentence with_decimal(std::string_view place, std::string_view number) const;
    // Whether there is one: functions that look for a fault return {} where they find none.
    explicit constexpr operator bool() const { return !english.empty(); }
};

inline namespace sentences {
// "This must be at least {least}."_sentence.with("least", 3)
consteval SentenceId operator""_sentence(const char* english, std::size_t length) { return {{english, length}}; }
}  // namespace sentences

// Marks a text that an operator may replace, such as a label of the standard form: pages say it in their language while
// it is as it comes (base/i18n/site).
consteval const char* default_text(const char* english) { return english; }

class Sentence {
  public:
    enum class Kind : std::uint8_t { text, number, decimal, money, date, list };
    // A value for a place. `text` is a whole number, a decimal ("0.25"), an amount with its currency ("12.50 EUR") or a
    // day ("2026-12-11"), by its kind; a list has its members in `parts`.
    struct Value {
        std::string place;
        Kind kind = Kind::text;
        std::string text = {};
        std::vector<Sentence> parts = {};
    };

    Sentence() = default;
    Sentence(SentenceId id) : text_(id.english), is_known_(true) {}  // NOLINT: a text of the code is a sentence
    // Words that have no translation here: of an operator, a provider, a partner, or of a file's reader.
    static Sentence verbatim(std::string text);
    // A key that is no literal, such as the noun of a kind of record; or one of svc-pro, with its values.
    static Sentence of(std::string english, std::vector<Value> values = {});

    // Each place has its value before the sentence is said; a missing one is empty.
    Sentence& with(std::string_view place, std::string_view text) & {
        return add({std::string(place), Kind::text, std::string(text), {}});
    }
    Sentence& with(std::string_view place, const std::string& text) & { return with(place, std::string_view(text)); }
    Sentence& with(std::string_view place, const char* text) & { return with(place, std::string_view(text)); }
    template <std::integral T>
    Sentence& with(std::string_view place, T number) & {
        return add({std::string(place), Kind::number, std::to_string(number), {}});
    }
    Sentence& with(std::string_view place, const Sentence& inner) &;  // a part that has its own translation
    Sentence& with(std::string_view place, SentenceId inner) & { return with(place, Sentence(inner)); }
    Sentence& with(std::string_view place, const std::vector<Sentence>& list) &;  // "a, b, c"
    Sentence& with(std::string_view place, const Money& amount) &;
    Sentence& with(std::string_view place, Date day) &;
    Sentence& with_decimal(std::string_view place, std::string_view number) &;  // "0.25", with the reader's separator
    template <class T>
    Sentence&& with(std::string_view place, T&& value) && {
        return std::move(with(place, std::forward<T>(value)));
    }
    Sentence&& with_decimal(std::string_view place, std::string_view number) && {
        return std::move(with_decimal(place, number));
    }

    // In English, as logs and callers without a language read it.
    [[nodiscard]] std::string english() const;
    [[nodiscard]] bool empty() const { return text_.empty(); }
    // Whether it has a key, which key() then is; else text of its own.
    [[nodiscard]] bool is_known() const { return is_known_; }
    [[nodiscard]] const std::string& key() const { return text_; }
    [[nodiscard]] const std::vector<Value>& values() const { return values_; }
    [[nodiscard]] const Value* value(std::string_view place) const;  // null: it has none

    friend bool operator==(const Sentence& one, const Sentence& other) { return one.english() == other.english(); }
    friend bool operator==(const Sentence& one, std::string_view english) { return one.english() == english; }
    friend std::ostream& operator<<(std::ostream& out, const Sentence& sentence);  // in English

  private:
    Sentence& add(Value value);

    std::string text_;
    bool is_known_ = false;
    std::vector<Value> values_;
};

template <class T>
Sentence SentenceId::with(std::string_view place, T&& value) const {
    Sentence made(*this);
    made.with(place, std::forward<T>(value));
    return made;
}

inline Sentence SentenceId::with_decimal(std::string_view place, std::string_view number) const {
    return Sentence(*this).with_decimal(place, number);
}

// A list for a sentence's place, of names that are not translated.
std::vector<Sentence> verbatim_list(const std::vector<std::string>& names);

}  // namespace svc
