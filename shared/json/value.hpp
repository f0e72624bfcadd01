// A JSON value: reading with limits, building, writing. The only way the code sees JSON (docs/architecture.md).
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "shared/core/date.hpp"
#include "shared/core/money.hpp"
#include "shared/core/result.hpp"

namespace svc::json {

enum class Kind : std::uint8_t { null, boolean, number, string, array, object };

// A number as its text, so that money is read exactly and never through a binary float. The creator ensures that it is
// valid JSON.
struct Number {
    std::string text;
    friend bool operator==(const Number&, const Number&) = default;
};

class Value;
struct NewMember;
using Array = std::vector<Value>;
using Member = std::pair<std::string, Value>;
// Members stay in order; names are unique (parse rejects duplicates, set replaces).
using Object = std::vector<Member>;

class Value {
  public:
    Value() = default;  // null
    Value(std::nullptr_t) {}
    Value(bool flag) : state_(flag) {}
    Value(int number);
    Value(std::int64_t number);
    Value(std::uint64_t number);
    Value(Number number) : state_(std::move(number)) {}
    Value(const char* text) : state_(std::string(text)) {}
    Value(std::string text) : state_(std::move(text)) {}
    Value(std::string_view text) : state_(std::string(text)) {}
    Value(Money amount);  // an exact JSON number in major units
    Value(Rate rate);     // a percent number
    Value(Date date) : Value(date.text()) {}
    Value(ClockTime time) : Value(time.text()) {}
    Value(Instant instant) : Value(instant.text()) {}
    Value(Array items) : state_(std::move(items)) {}
    Value(Object members) : state_(std::move(members)) {}
    template <class T>
    Value(std::optional<T> maybe) : Value(maybe ? Value(std::move(*maybe)) : Value()) {}

    // Moves its arguments.
    static Value object(std::initializer_list<NewMember> members);
    static Value object() { return Value{Object{}}; }
    static Value array(std::initializer_list<Value> items = {});

    [[nodiscard]] Kind kind() const { return static_cast<Kind>(state_.index()); }
    [[nodiscard]] bool is_null() const { return kind() == Kind::null; }
    [[nodiscard]] bool is_object() const { return kind() == Kind::object; }
    [[nodiscard]] bool is_array() const { return kind() == Kind::array; }
    [[nodiscard]] bool is_string() const { return kind() == Kind::string; }
    [[nodiscard]] bool is_number() const { return kind() == Kind::number; }
    [[nodiscard]] bool is_boolean() const { return kind() == Kind::boolean; }

    // Access as another type throws std::logic_error: input from outside has passed a Schema.
    [[nodiscard]] bool boolean() const;
    [[nodiscard]] std::int64_t integer() const;  // only digits and a sign, within 64 bits: neither 2.9 nor 2.0
    [[nodiscard]] const std::string& number_text() const;
    [[nodiscard]] const std::string& text() const;
    // For temporaries the items are moved out: `for (... : made().items())` would otherwise dangle.
    [[nodiscard]] const Array& items() const&;
    [[nodiscard]] Array& items() &;
    [[nodiscard]] Array items() &&;
    [[nodiscard]] const Object& members() const&;
    [[nodiscard]] Object& members() &;
    [[nodiscard]] Object members() &&;

    // A member of an object; null when absent or not an object. The reference is valid as long as this value.
    [[nodiscard]] const Value* find(std::string_view name) const;
    // As find, but a null value when absent, so that lookups chain.
    [[nodiscard]] const Value& operator[](std::string_view name) const;
    [[nodiscard]] const Value& operator[](std::size_t index) const;
    [[nodiscard]] std::size_t size() const;  // items or members; 0 for the rest

    Value& set(std::string name, Value value);  // adds or replaces; makes an object of null
    Value& push(Value item);                    // makes an array of null
    bool erase(std::string_view name);

    // Reads that tolerate absence and null; another kind throws as above.
    [[nodiscard]] std::optional<std::int64_t> maybe_integer(std::string_view name) const;
    [[nodiscard]] std::optional<std::string> maybe_text(std::string_view name) const;
    [[nodiscard]] std::optional<bool> maybe_boolean(std::string_view name) const;
    [[nodiscard]] std::string text_or(std::string_view name, std::string_view fallback = {}) const;

    // Compact JSON. Members in order, numbers as they were written, ill-formed UTF-8 as U+FFFD.
    [[nodiscard]] std::string dump() const;
    void dump_to(std::string& out) const;

    friend bool operator==(const Value&, const Value&) = default;

  private:
    std::variant<std::monostate, bool, Number, std::string, Array, Object> state_;
};

// A member of an object under construction. An initializer_list only has const elements; a mutable one can be moved
// from.
struct NewMember {
    NewMember(std::string its_name, Value its_value) : name(std::move(its_name)), value(std::move(its_value)) {}
    mutable std::string name;
    mutable Value value;
};

// An array of the items of a range, or of the results of `make` for each.
template <class Range, class Make>
Value array_of(Range&& range, Make make) {
    Array items;
    for (auto&& each : range)
        items.emplace_back(make(each));
    return items;
}
template <class Range>
Value array_of(Range&& range) {
    return array_of(std::forward<Range>(range), [](const auto& each) { return Value(each); });
}

// Limits of a JSON text (promise S13).
struct Limits {
    std::size_t depth = 32;         // arrays and objects within each other; more than some thousands needs a stack
    std::size_t elements = 10'000;  // values of every kind, the outermost included
    std::size_t text = 64 * 1024;   // bytes of a string, a name or a number
};

// svc_invalid_json for anything but one JSON text in valid UTF-8 without NUL, duplicate names or excess; its cause
// (only logged) has the offset. A member's text that is too long or contains NUL is svc_validation_error with its
// field.
Result<Value> parse(std::string_view text, const Limits& limits = {});

// Judges a value that was not read from a text as parse() would judge its text, with the same errors.
Result<void> check(const Value& value, const Limits& limits = {});

// Appends the text as a JSON string, quotes included.
void quote_to(std::string& out, std::string_view text);

}  // namespace svc::json
