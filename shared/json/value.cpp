// Building, reading and writing JSON values.
#include "shared/json/value.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <stdexcept>

#include "shared/core/escapes.hpp"
#include "shared/core/text.hpp"

namespace svc::json {
namespace {

const Value nothing;

[[noreturn]] void wrong_kind(const char* expected) {
    throw std::logic_error(std::string("a JSON value is not ") + expected);
}

template <class T, class State>
auto& held(State& state, const char* expected) {
    auto* value = std::get_if<T>(&state);
    if (!value)
        wrong_kind(expected);
    return *value;
}

std::optional<std::int64_t> whole(const std::string& text) {
    std::int64_t value = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

// Names of one length often begin or end alike; in the middle they differ, which costs less than comparing them.
bool is_named_of_size(const Member& member, std::string_view name) {
    const std::string& own = member.first;
    return (own.empty() || own[own.size() / 2] == name[name.size() / 2]) && own == name;
}

inline bool is_named(const Member& member, std::string_view name) {
    return member.first.size() == name.size() && is_named_of_size(member, name);
}

Object::iterator place_of(Object& object, std::string_view name) {
    return std::find_if(object.begin(), object.end(), [&](const Member& member) { return is_named(member, name); });
}

// Gathers small pieces, of which JSON has many, before they are appended to a string.
class Gatherer {
  public:
    explicit Gatherer(std::string& out) : out_(out) {}

    void add(char c) {
        if (used_ == held_.size())
            flush();
        held_[used_++] = c;
    }
    void add(std::string_view text) {
        if (text.size() > held_.size() - used_) {
            flush();
            if (text.size() > held_.size()) {
                out_ += text;
                return;
            }
        }
        std::memcpy(held_.data() + used_, text.data(), text.size());
        used_ += text.size();
    }
    void add_quoted(std::string_view text) {
        if (text.size() + 2 > held_.size() - used_)
            flush();
        if (text.size() + 2 > held_.size() || text::first_escaped(text, 0) != text.size()) {
            flush();
            text::quote_json(out_, text);
            return;
        }
        char* at = held_.data() + used_;
        *at++ = '"';
        std::memcpy(at, text.data(), text.size());
        at[text.size()] = '"';
        used_ += text.size() + 2;
    }
    void flush() {
        out_.append(held_.data(), used_);
        used_ = 0;
    }

  private:
    std::string& out_;
    std::array<char, 512> held_;
    std::size_t used_ = 0;
};

void write(Gatherer& out, const Value& value) {
    switch (value.kind()) {
        case Kind::null:
            return out.add("null");
        case Kind::boolean:
            return out.add(value.boolean() ? "true" : "false");
        case Kind::number:
            return out.add(value.number_text());
        case Kind::string:
            return out.add_quoted(value.text());
        case Kind::array: {
            char before = '[';
            for (const Value& item : value.items()) {
                out.add(before);
                write(out, item);
                before = ',';
            }
            return before == '[' ? out.add("[]") : out.add(']');
        }
        case Kind::object: {
            char before = '{';
            for (const auto& [name, member] : value.members()) {
                out.add(before);
                out.add_quoted(name);
                out.add(':');
                write(out, member);
                before = ',';
            }
            return before == '{' ? out.add("{}") : out.add('}');
        }
    }
}

}  // namespace

Value::Value(int number) : Value(std::int64_t{number}) {}
Value::Value(std::int64_t number) : state_(Number{std::to_string(number)}) {}
Value::Value(std::uint64_t number) : state_(Number{std::to_string(number)}) {}
Value::Value(Money amount) : state_(Number{amount.decimal()}) {}
Value::Value(Rate rate) : state_(Number{rate.percent()}) {}

Value Value::object(std::initializer_list<NewMember> members) {
    Object object;
    object.reserve(members.size());
    for (const auto& [name, value] : members)
        if (const auto place = place_of(object, name); place != object.end())
            place->second = std::move(value);
        else
            object.emplace_back(std::move(name), std::move(value));
    return object;
}

Value Value::array(std::initializer_list<Value> items) { return Value{Array(items)}; }

bool Value::boolean() const { return held<bool>(state_, "a boolean"); }

std::int64_t Value::integer() const {
    const auto value = whole(number_text());
    if (!value)
        wrong_kind("an integer of 64 bits");
    return *value;
}

const std::string& Value::number_text() const { return held<Number>(state_, "a number").text; }
const std::string& Value::text() const { return held<std::string>(state_, "a string"); }
const Array& Value::items() const& { return held<Array>(state_, "an array"); }
Array& Value::items() & { return held<Array>(state_, "an array"); }
Array Value::items() && { return std::move(held<Array>(state_, "an array")); }
const Object& Value::members() const& { return held<Object>(state_, "an object"); }
Object& Value::members() & { return held<Object>(state_, "an object"); }
Object Value::members() && { return std::move(held<Object>(state_, "an object")); }

const Value* Value::find(std::string_view name) const {
    const auto* object = std::get_if<Object>(&state_);
    if (!object)
        return nullptr;
    for (const auto& member : *object)
        if (is_named(member, name))
            return &member.second;
    return nullptr;
}

const Value& Value::operator[](std::string_view name) const {
    const Value* found = find(name);
    return found ? *found : nothing;
}

const Value& Value::operator[](std::size_t index) const {
    const auto* array = std::get_if<Array>(&state_);
    return array && index < array->size() ? (*array)[index] : nothing;
}

std::size_t Value::size() const {
    if (const auto* array = std::get_if<Array>(&state_))
        return array->size();
    const auto* object = std::get_if<Object>(&state_);
    return object ? object->size() : 0;
}

Value& Value::set(std::string name, Value value) {
    if (is_null())
        state_ = Object{};
    Object& object = members();
    if (const auto place = place_of(object, name); place != object.end())
        place->second = std::move(value);
    else
        object.emplace_back(std::move(name), std::move(value));
    return *this;
}

Value& Value::push(Value item) {
    if (is_null())
        state_ = Array{};
    items().push_back(std::move(item));
    return *this;
}

bool Value::erase(std::string_view name) {
    auto* object = std::get_if<Object>(&state_);
    return object && std::erase_if(*object, [&](const Member& member) { return member.first == name; }) > 0;
}

std::optional<std::int64_t> Value::maybe_integer(std::string_view name) const {
    const Value& value = (*this)[name];
    return value.is_null() ? std::nullopt : std::optional(value.integer());
}

std::optional<std::string> Value::maybe_text(std::string_view name) const {
    const Value& value = (*this)[name];
    return value.is_null() ? std::nullopt : std::optional(value.text());
}

std::optional<bool> Value::maybe_boolean(std::string_view name) const {
    const Value& value = (*this)[name];
    return value.is_null() ? std::nullopt : std::optional(value.boolean());
}

std::string Value::text_or(std::string_view name, std::string_view fallback) const {
    const Value& value = (*this)[name];
    return value.is_null() ? std::string(fallback) : value.text();
}

std::string Value::dump() const {
    std::string out;
    dump_to(out);
    return out;
}

void Value::dump_to(std::string& out) const {
    Gatherer gatherer(out);
    write(gatherer, *this);
    gatherer.flush();
}

void quote_to(std::string& out, std::string_view text) { text::quote_json(out, text); }

}  // namespace svc::json
