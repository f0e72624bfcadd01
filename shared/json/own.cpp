// Reads the program's own JSON in one pass, without a copy of the text, and skips values that are not selected.
#include "shared/json/own.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace svc::json {
namespace {

constexpr int deepest = 100;

struct Broken {
    const char* at;
};

#ifdef __SSE2__
constexpr std::ptrdiff_t block = 16;

// A bit for each of the sixteen bytes that is one of these.
unsigned quotes_in(const char* at) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    return static_cast<unsigned>(_mm_movemask_epi8(
        _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')), _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\\')))));
}
unsigned marks_in(const char* at) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(at));
    const __m128i folded = _mm_or_si128(bytes, _mm_set1_epi8(' '));  // '[' and '{' become one, ']' and '}' too
    return static_cast<unsigned>(_mm_movemask_epi8(_mm_or_si128(
        _mm_cmpeq_epi8(bytes, _mm_set1_epi8('"')),
        _mm_or_si128(_mm_cmpeq_epi8(folded, _mm_set1_epi8('{')), _mm_cmpeq_epi8(folded, _mm_set1_epi8('}'))))));
}
#endif

void add_utf8(std::string& out, std::uint32_t point) {
    const auto last_of = [&](unsigned shift) { return static_cast<char>(0x80U | (point >> shift & 0x3FU)); };
    if (point < 0x80)
        out += static_cast<char>(point);
    else if (point < 0x800)
        out.append({static_cast<char>(0xC0U | point >> 6U), last_of(0)});
    else if (point < 0x10000)
        out.append({static_cast<char>(0xE0U | point >> 12U), last_of(6), last_of(0)});
    else
        out.append({static_cast<char>(0xF0U | point >> 18U), last_of(12), last_of(6), last_of(0)});
}

class OwnReader {
  public:
    OwnReader(std::string_view text, std::span<const std::string_view> names)
        : begin_(text.data()), at_(begin_), end_(begin_ + text.size()), names_(names) {
        for (const std::string_view name : names_)
            sizes_ |= std::uint64_t{1} << (name.size() % 64U);
    }

    Result<Value> read() {
        try {
            Value value = next(0);
            skip_blanks();
            if (at_ == end_)
                return value;
        } catch (const Broken&) {
        }
        return Error{errc::internal_error}.because("unreadable at byte " + std::to_string(at_ - begin_));
    }

  private:
    Value next(int depth) {
        skip_blanks();
        switch (peek()) {
            case '{':
                return object(depth);
            case '[':
                return array(depth);
            case '"':
                return Value(string());
            case 't':
                return word("true", Value(true));
            case 'f':
                return word("false", Value(false));
            case 'n':
                return word("null", Value());
            default:
                return Value(Number{std::string(scalar())});
        }
    }

    Value object(int depth) {
        const bool is_part = depth == 0 && !names_.empty();
        Object members;
        if (is_part)
            members.reserve(names_.size());
        each_of('}', depth, [&] {
            std::string name;
            std::string_view seen = bare_string();
            if (seen.data() == nullptr) {  // it has escapes
                name = string();
                seen = name;
            }
            skip_blanks();
            take(':');
            if (is_part && !is_selected(seen))
                return pass_over();
            members.emplace_back(std::piecewise_construct, std::forward_as_tuple(seen), std::forward_as_tuple());
            members.back().second = next(depth + 1);
        });
        return Value(std::move(members));
    }

    Value array(int depth) {
        Array items;
        each_of(']', depth, [&] { items.push_back(next(depth + 1)); });
        return Value(std::move(items));
    }

    // The members or items up to that mark, with what is between them.
    template <class Take>
    void each_of(char last, int depth, Take take_one) {
        if (depth >= deepest)
            broken();
        ++at_;
        skip_blanks();
        if (peek() == last) {
            ++at_;
            return;
        }
        while (true) {
            skip_blanks();
            take_one();
            skip_blanks();
            if (peek() == last) {
                ++at_;
                return;
            }
            take(',');
        }
    }

    [[nodiscard]] bool is_selected(std::string_view name) const {
        // Names of one length often begin or end alike; in the middle they differ.
        return (sizes_ >> (name.size() % 64U) & 1U) != 0 &&
               std::any_of(names_.begin(), names_.end(), [&](std::string_view each) {
                   return each.size() == name.size() &&
                          (name.empty() || each[name.size() / 2] == name[name.size() / 2]) && each == name;
               });
    }

    Value word(std::string_view whole, Value value) {
        if (!std::string_view(at_, end_).starts_with(whole))
            broken();
        at_ += whole.size();
        return value;
    }

    // A number as its text.
    std::string_view scalar() {
        const char* const from = at_;
        at_ = std::find_if(at_, end_, [](char c) {
            return !((c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E');
        });
        if (at_ == from)
            broken();
        return {from, at_};
    }

    // The string's text if it contains no escapes; else null data, and the string must still be decoded.
    std::string_view bare_string() {
        if (peek() != '"')
            broken();
        const char* const from = at_ + 1;
        const char* const found = next_quote(from);
        if (*found != '"')
            return {};
        at_ = found + 1;
        return {from, found};
    }

    std::string string() {
        if (const auto bare = bare_string(); bare.data() != nullptr)
            return std::string(bare);
        std::string text;
        for (++at_;;) {
            const char* const found = next_quote(at_);
            text.append(at_, found);
            at_ = found + 1;
            if (*found == '"')
                return text;
            add_escaped(text);
        }
    }

    void add_escaped(std::string& text) {
        static constexpr std::string_view letters = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
        const char letter = peek();
        ++at_;
        if (letter != 'u') {
            const auto place = letters.find(letter);
            if (place == std::string_view::npos)
                broken();
            text += meant[place];
            return;
        }
        std::uint32_t point = four_digits();
        if (point >= 0xD800 && point < 0xDC00 && std::string_view(at_, end_).starts_with("\\u")) {
            const char* const before = at_;
            at_ += 2;
            if (const std::uint32_t low = four_digits(); low >= 0xDC00 && low < 0xE000)
                point = 0x10000 + ((point - 0xD800) << 10U) + (low - 0xDC00);
            else
                at_ = before;
        }
        add_utf8(text, point >= 0xD800 && point < 0xE000 ? 0xFFFD : point);
    }

    std::uint32_t four_digits() {
        std::uint32_t value = 0;
        if (end_ - at_ < 4 || std::from_chars(at_, at_ + 4, value, 16).ptr != at_ + 4)
            broken();
        at_ += 4;
        return value;
    }

    void pass_over() {
        skip_blanks();
        const char first = peek();
        if (first == '"')
            return pass_string();
        if (first != '{' && first != '[') {
            at_ = std::find_if(at_, end_, [](char c) { return c == ',' || c == '}' || c == ']'; });
            return;
        }
        int open = 0;
        do {
            at_ = next_mark(at_);
            if (*at_ == '"') {
                pass_string();
                continue;
            }
            open += *at_ == '{' || *at_ == '[' ? 1 : -1;
            ++at_;
        } while (open > 0);
    }

    void pass_string() {
        for (const char* found = next_quote(at_ + 1);; found = next_quote(found + 2)) {
            if (*found == '"') {
                at_ = found + 1;
                return;
            }
            if (end_ - found < 2)
                broken();
        }
    }

    // The next quote or backslash.
    const char* next_quote(const char* from) {
#ifdef __SSE2__
        for (; end_ - from >= block; from += block)
            if (const unsigned found = quotes_in(from))
                return from + std::countr_zero(found);
#endif
        from = std::find_if(from, end_, [](char c) { return c == '"' || c == '\\'; });
        return from != end_ ? from : (broken(), from);
    }

    // The next quote or bracket.
    const char* next_mark(const char* from) {
#ifdef __SSE2__
        for (; end_ - from >= block; from += block)
            if (const unsigned found = marks_in(from))
                return from + std::countr_zero(found);
#endif
        from =
            std::find_if(from, end_, [](char c) { return c == '"' || c == '{' || c == '[' || c == '}' || c == ']'; });
        return from != end_ ? from : (broken(), from);
    }

    void skip_blanks() {
        while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t'))
            ++at_;
    }
    char peek() { return at_ != end_ ? *at_ : (broken(), '\0'); }
    void take(char expected) {
        if (peek() != expected)
            broken();
        ++at_;
    }
    [[noreturn]] void broken() const { throw Broken{at_}; }

    const char* const begin_;
    const char* at_;
    const char* const end_;
    const std::span<const std::string_view> names_;
    std::uint64_t sizes_ = 0;  // of the selected names, a bit each
};

}  // namespace

Result<Value> parse_own(std::string_view text, std::span<const std::string_view> names) {
    return OwnReader(text, names).read();
}

}  // namespace svc::json
