// Reading JSON with limits, over RapidJSON's iterative reader: no text can exhaust the stack.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <functional>
#include <new>

// Scans texts sixteen bytes at a time where the processor can. No other file includes this library.
#ifdef __SSE2__
#define RAPIDJSON_SSE2
#endif
#include <rapidjson/error/en.h>
#include <rapidjson/reader.h>

#include "shared/core/text.hpp"
#include "shared/json/value.hpp"

namespace svc::json {
namespace {

// RapidJSON's own allocator continues with the null pointer when memory runs out, and writes there (R12).
struct Memory {
    static constexpr bool kNeedFree = true;
    static void* Malloc(std::size_t size) { return Realloc(nullptr, 0, size); }
    static void* Realloc(void* old, std::size_t, std::size_t size) {
        if (size == 0) {
            std::free(old);
            return nullptr;
        }
        void* block = std::realloc(old, size);
        if (!block)
            throw std::bad_alloc();
        return block;
    }
    static void Free(void* memory) { std::free(memory); }
};
using Reader = rapidjson::GenericReader<rapidjson::UTF8<>, rapidjson::UTF8<>, Memory>;

// Duplicate names are looked for pair by pair in small objects, by a table of hashes in larger ones, and by sorting
// where the table would be slow.
constexpr std::size_t small_object = 8, largest_table = 256;

bool has_duplicates_among_many(const Object& object) {
    std::vector<std::string_view> names;
    names.reserve(object.size());
    for (const auto& member : object)
        names.push_back(member.first);
    std::sort(names.begin(), names.end());
    return std::adjacent_find(names.begin(), names.end()) != names.end();
}

bool has_duplicates(const Object& object) {
    if (object.size() <= small_object) {
        for (std::size_t i = 1; i < object.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                if (object[i].first == object[j].first)
                    return true;
        return false;
    }
    if (object.size() > largest_table / 2)
        return has_duplicates_among_many(object);
    std::array<std::uint8_t, largest_table> table{};  // a member's index and one; 0 is free
    std::size_t tries = 0;
    for (std::size_t i = 0; i < object.size(); ++i) {
        const std::string& name = object[i].first;
        std::size_t place = std::hash<std::string_view>()(name) % largest_table;
        for (; table[place] != 0; place = (place + 1) % largest_table) {
            if (object[table[place] - 1U].first == name)
                return true;
            if (++tries > 4 * largest_table)  // names chosen to collide
                return has_duplicates_among_many(object);
        }
        table[place] = static_cast<std::uint8_t>(i + 1);
    }
    return false;
}

constexpr SentenceId with_nul = "This must not contain NUL characters."_sentence;
Sentence too_long(const Limits& limits) {
    return "This may have at most {most} bytes."_sentence.with("most", limits.text);
}

// Takes the reader's events; returning false ends the reading.
class Builder {
  public:
    explicit Builder(const Limits& limits) : limits_(limits) {}

    bool Null() { return add(Value{}); }
    bool Bool(bool flag) { return add(Value{flag}); }
    bool RawNumber(const char* text, rapidjson::SizeType size, bool) {
        return short_enough(size) && add(Value{Number{std::string(text, size)}});
    }
    // An invalid text is a field's fault rather than a syntax error: the error names its field.
    bool String(const char* text, rapidjson::SizeType size, bool) {
        std::string_view given{text, size};
        if (given.size() > limits_.text)
            return unfit(too_long(limits_));
        if (given.find('\0') != std::string_view::npos)
            return unfit(with_nul);
        return acceptable(given) && add(Value{given});
    }
    bool Key(const char* text, rapidjson::SizeType size, bool) {
        std::string_view given{text, size};
        if (!acceptable(given))
            return false;
        open_.back().name = given;
        return true;
    }
    bool StartObject() { return open(Value{Object{}}); }
    bool StartArray() { return open(Value{Array{}}); }
    bool EndObject(rapidjson::SizeType) {
        if (has_duplicates(open_.back().value.members()))
            return refuse("a member's name occurs twice");
        return close();
    }
    bool EndArray(rapidjson::SizeType) { return close(); }

    // Numbers arrive as text alone.
    bool Int(int) { return false; }
    bool Uint(unsigned) { return false; }
    bool Int64(std::int64_t) { return false; }
    bool Uint64(std::uint64_t) { return false; }
    bool Double(double) { return false; }

    Value take() { return std::move(root_); }
    [[nodiscard]] const char* refusal() const { return refusal_; }
    [[nodiscard]] const std::optional<FieldError>& misfit() const { return misfit_; }
    // The path of the next value, items by their index: "faqs.1.question".
    [[nodiscard]] std::string path() const {
        std::string path;
        for (const Open& each : open_) {
            path += path.empty() ? "" : ".";
            path += each.value.is_array() ? std::to_string(each.value.items().size()) : each.name;
        }
        return path;
    }

  private:
    struct Open {
        Value value;
        std::string name;  // of the next member
    };

    bool refuse(const char* why) {
        refusal_ = why;
        return false;
    }
    bool unfit(Sentence sentence) {
        if (std::string field = path(); !field.empty())
            misfit_ = FieldError{std::move(field), std::move(sentence)};
        return refuse("a text is too long or holds NUL");
    }
    bool short_enough(std::size_t size) { return size <= limits_.text || refuse("a text is too long"); }
    bool acceptable(std::string_view given) {
        if (given.find('\0') != std::string_view::npos)
            return refuse("a text holds NUL");
        // Checks escapes as well as the source, since they can name half of a surrogate pair; the reader copies them.
        return short_enough(given.size()) && (text::is_utf8(given) || refuse("a text is not valid Unicode"));
    }
    bool count() { return ++elements_ <= limits_.elements || refuse("there are too many elements"); }

    bool add(Value value) {
        if (!count())
            return false;
        place(std::move(value));
        return true;
    }
    void place(Value value) {
        if (open_.empty())
            root_ = std::move(value);
        else if (open_.back().value.is_array())
            open_.back().value.items().push_back(std::move(value));
        else
            open_.back().value.members().emplace_back(std::move(open_.back().name), std::move(value));
    }
    bool open(Value container) {
        if (open_.size() >= limits_.depth)
            return refuse("it is nested too deeply");
        if (!count())
            return false;
        open_.push_back({std::move(container), {}});
        return true;
    }
    bool close() {
        Value done = std::move(open_.back().value);
        open_.pop_back();
        place(std::move(done));
        return true;
    }

    const Limits& limits_;
    std::vector<Open> open_;
    Value root_;
    std::size_t elements_ = 0;
    const char* refusal_ = nullptr;
    std::optional<FieldError> misfit_;
};

// Reports the position as an editor does: lines and columns count from 1.
Error unreadable(std::string_view why, std::string_view text, std::size_t offset) {
    const auto before = text.substr(0, std::min(offset, text.size()));
    const auto line_start = before.rfind('\n') + 1;  // 0 when there is none
    const auto line = std::to_string(1 + std::count(before.begin(), before.end(), '\n'));
    const auto column =
        std::to_string(1 + std::count_if(before.begin() + static_cast<std::ptrdiff_t>(line_start), before.end(),
                                         [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
    std::string reason{why};
    if (reason.ends_with('.'))
        reason.pop_back();
    if (!reason.empty() && reason.front() >= 'A' && reason.front() <= 'Z')
        reason.front() = static_cast<char>(reason.front() + ('a' - 'A'));
    Error error{errc::invalid_json,
                "The body is not valid JSON: line {line}, column {column}: {reason}."_sentence.with("line", line)
                    .with("column", column)
                    .with("reason", reason)};
    return error.with("line", line).with("column", column).because(reason + ", at byte " + std::to_string(offset));
}

// Looks through a value; the first fault ends it.
class Checker {
  public:
    explicit Checker(const Limits& limits) : limits_(limits) {}

    Result<void> check(const Value& value, const std::string& path, std::size_t depth) {
        if (++elements_ > limits_.elements)
            return refused("there are too many elements");
        if ((value.is_object() || value.is_array()) && depth >= limits_.depth)
            return refused("it is nested too deeply");
        if (value.is_string())
            return text(value.text(), path);
        if (value.is_number() && value.number_text().size() > limits_.text)
            return refused("a text is too long");
        if (value.is_array())
            for (std::size_t i = 0; i < value.size(); ++i)
                SVC_RETURN_IF_ERROR(check(value[i], below(path, std::to_string(i)), depth + 1));
        if (!value.is_object())
            return {};
        if (has_duplicates(value.members()))
            return refused("a member's name occurs twice");
        for (const auto& [name, member] : value.members()) {
            if (name.size() > limits_.text)
                return refused("a text is too long");
            if (name.find('\0') != std::string::npos || !text::is_utf8(name))
                return refused("a text is not valid Unicode");
            SVC_RETURN_IF_ERROR(check(member, below(path, name), depth + 1));
        }
        return {};
    }

  private:
    static std::string below(const std::string& path, std::string_view name) {
        return path.empty() ? std::string(name) : path + "." + std::string(name);
    }
    static Error refused(std::string why) { return Error{errc::invalid_json}.because(std::move(why)); }
    Result<void> text(std::string_view given, const std::string& path) const {
        const bool is_long = given.size() > limits_.text, has_nul = given.find('\0') != std::string_view::npos;
        if ((is_long || has_nul) && !path.empty())
            return Error{errc::validation_error}.at(path, is_long ? too_long(limits_) : Sentence(with_nul));
        if (is_long || has_nul || !text::is_utf8(given))
            return refused(is_long ? "a text is too long" : "a text is not valid Unicode");
        return {};
    }

    const Limits& limits_;
    std::size_t elements_ = 0;
};

}  // namespace

Result<void> check(const Value& value, const Limits& limits) { return Checker(limits).check(value, {}, 0); }

Result<Value> parse(std::string_view text, const Limits& limits) {
    // Some editors write a byte order mark, which is meaningless in UTF-8.
    if (text.starts_with("\xEF\xBB\xBF"))
        text.remove_prefix(3);
    // The reader takes NUL for the end and would not see what follows.
    if (const auto nul = text.find('\0'); nul != std::string_view::npos)
        return unreadable("it holds NUL", text, nul);

    constexpr unsigned flags =
        rapidjson::kParseIterativeFlag | rapidjson::kParseNumbersAsStringsFlag | rapidjson::kParseInsituFlag;
    constexpr std::size_t read_at_once = 16;
    std::string ended;  // by NUL, with room for a last read beyond it; the reader decodes texts in place
    ended.reserve(text.size() + read_at_once);
    ended = text;
    rapidjson::InsituStringStream stream{ended.data()};
    Reader reader;
    Builder builder{limits};
    const auto outcome = reader.Parse<flags>(stream, builder);
    if (const auto& misfit = builder.misfit())
        return Error{errc::validation_error}.at(misfit->field, misfit->sentence);
    if (outcome.Code() == rapidjson::kParseErrorNumberTooBig && !builder.path().empty())
        return Error{errc::validation_error}.at(builder.path(), "This number is too large."_sentence);
    if (outcome.IsError())
        return unreadable(builder.refusal() ? builder.refusal() : rapidjson::GetParseError_En(outcome.Code()), text,
                          outcome.Offset());
    return builder.take();
}

}  // namespace svc::json
