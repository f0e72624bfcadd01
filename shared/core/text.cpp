// Unicode by ICU, which words.cpp includes besides.
#include "shared/core/text.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <new>

#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>
#include <unicode/utf8.h>

#include "shared/core/ascii.hpp"
#include "shared/core/compatible.hpp"
#include "shared/core/escapes.hpp"

namespace svc::text {
namespace {

bool is_plain(std::string_view text) {
    return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7f; });
}

// The library's macros convert freely between char and its own types.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wsign-conversion"

// The code point at `at`, negative for an ill-formed sequence; `at` moves past it.
UChar32 next_or_negative(std::string_view text, std::int32_t& at) {
    const auto size = static_cast<std::int32_t>(text.size());
    UChar32 code = 0;
    U8_NEXT(text.data(), at, size, code);
    return code;
}

void append(std::string& out, UChar32 code) {
    char bytes[U8_MAX_LENGTH];
    std::int32_t count = 0;
    U8_APPEND_UNSAFE(bytes, count, code);
    out.append(bytes, static_cast<std::size_t>(count));
}

#pragma GCC diagnostic pop

UChar32 next(std::string_view text, std::int32_t& at) {
    const UChar32 code = next_or_negative(text, at);
    return code < 0 ? 0xFFFD : code;
}

// The first byte beyond ASCII from `at` on: most texts are almost entirely ASCII.
std::int32_t past_ascii(std::string_view text, std::int32_t at) {
    const auto size = static_cast<std::int32_t>(text.size());
    for (std::uint64_t eight = 0; at + 8 <= size; at += 8) {
        std::memcpy(&eight, text.data() + at, sizeof eight);
        if ((eight & 0x8080808080808080U) != 0)
            break;
    }
    while (at < size && (text[static_cast<std::size_t>(at)] & 0x80) == 0)
        ++at;
    return at;
}

template <class Each>
void walk(std::string_view text, Each each) {
    const auto size = static_cast<std::int32_t>(text.size());
    for (std::int32_t at = 0; at < size;)
        if (!each(next(text, at)))
            return;
}

bool breaks_line(UChar32 code) {
    return (code >= 0x09 && code <= 0x0D) || code == 0x85 || code == 0x2028 || code == 0x2029;
}

bool is_mark(UChar32 code) {
    constexpr std::uint32_t marks = U_GC_MN_MASK | U_GC_MC_MASK;
    return (U_GET_GC_MASK(code) & marks) != 0;
}

std::string_view trimmed(std::string_view text) {
    std::int32_t at = 0;
    std::size_t start = std::string_view::npos, end = 0;
    const auto size = static_cast<std::int32_t>(text.size());
    while (at < size) {
        const auto before = static_cast<std::size_t>(at);
        if (u_isUWhiteSpace(next(text, at)))
            continue;
        start = std::min(start, before);
        end = static_cast<std::size_t>(at);
    }
    return start == std::string_view::npos ? std::string_view{} : text.substr(start, end - start);
}

// Only zero-width spaces, joiners and similar characters: it looks empty.
bool shows_nothing(std::string_view text) {
    bool nothing = true;
    walk(text, [&](UChar32 code) {
        return nothing = u_isUWhiteSpace(code) || u_hasBinaryProperty(code, UCHAR_DEFAULT_IGNORABLE_CODE_POINT);
    });
    return nothing;
}

}  // namespace

bool is_utf8(std::string_view text) {
    const auto size = static_cast<std::int32_t>(text.size());
    for (std::int32_t at = 0; (at = past_ascii(text, at)) < size;)
        if (next_or_negative(text, at) < 0)
            return false;
    return true;
}

std::string made_utf8(std::string_view text) {
    if (is_utf8(text))
        return std::string(text);
    std::string out;
    walk(text, [&](UChar32 code) {
        append(out, code);
        return true;
    });
    return out;
}

namespace {

std::string normalized(std::string_view text, const icu::Normalizer2* (*form_of)(UErrorCode&)) {
    const std::string valid = made_utf8(text);
    UErrorCode status = U_ZERO_ERROR;
    const icu::Normalizer2* form = form_of(status);
    std::string out;
    icu::StringByteSink<std::string> sink(&out, static_cast<std::int32_t>(valid.size()));
    if (U_SUCCESS(status))
        form->normalizeUTF8(0, valid, sink, nullptr, status);
    if (U_FAILURE(status))
        throw std::bad_alloc();  // the data is built in and the input valid: nothing else can fail
    return out;
}

}  // namespace

std::string compatible(std::string_view text) {
    return is_plain(text) || !is_utf8(text) ? std::string(text) : normalized(text, icu::Normalizer2::getNFKCInstance);
}

std::string composed(std::string_view text) {
    return is_plain(text) ? std::string(text) : normalized(text, icu::Normalizer2::getNFCInstance);
}

std::string clean(std::string_view text) {
    if (is_plain(text)) {
        const auto start = text.find_first_not_of(' ');
        if (start == std::string_view::npos)
            return {};
        return std::string(text.substr(start, text.find_last_not_of(' ') - start + 1));
    }
    std::string line;
    walk(text, [&](UChar32 code) {
        if (breaks_line(code))
            line += ' ';
        else if (u_charType(code) != U_CONTROL_CHAR && !u_hasBinaryProperty(code, UCHAR_BIDI_CONTROL))
            append(line, code);
        return true;
    });
    const std::string_view trimmed_line = trimmed(line);
    return shows_nothing(trimmed_line) ? std::string() : composed(trimmed_line);
}

std::string strip_invisible(std::string_view text) {
    if (is_plain(text))
        return clean(text);
    std::string visible;
    walk(text, [&](UChar32 code) {
        if (!u_hasBinaryProperty(code, UCHAR_DEFAULT_IGNORABLE_CODE_POINT))
            append(visible, code);
        return true;
    });
    return clean(visible);
}

namespace {

bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Ends of hosts that are in common use, in small letters.
bool is_common_top(std::string_view top, std::size_t label_size) {
    constexpr std::string_view tops =
        " com net org info biz edu gov app dev shop site online xyz top club store tech website space live link click"
        " icu pro mobi name travel example ";
    constexpr std::string_view countries =
        " io co me ly gg cc tv eu us uk de fr es it nl be at ch pl ru cn jp in br au ca se no dk fi cz pt gr ie hu tr"
        " ua nz mx ar ";
    const std::string padded = " " + std::string(top) + " ";
    // "Ma.De" is the beginning of a name.
    return tops.find(padded) != std::string_view::npos ||
           (label_size > 2 && countries.find(padded) != std::string_view::npos);
}

// At least two labels, the last one of letters alone: "evil.example", "x.com/y". Not "J.Smith", "St. John" or
// "Ma.Teresa": behind a full stop a capital letter begins a name, unless hosts often end so ("Evil.COM").
bool looks_like_host(std::string_view word) {
    const auto path = word.find_first_of("/?#:");
    const bool has_path = path != std::string_view::npos;
    word = word.substr(0, path);
    while (!word.empty() && (word.back() == '.' || word.back() == ','))
        word.remove_suffix(1);
    const auto dot = word.rfind('.');
    if (dot == std::string_view::npos || dot == 0)
        return false;
    const auto top = word.substr(dot + 1);
    const auto before = word.substr(0, dot);
    const auto label = before.substr(before.rfind('.') + 1);  // all of it without another dot
    if (top.size() < 2 || !std::all_of(top.begin(), top.end(), is_ascii_letter) || label.empty())
        return false;
    constexpr std::string_view short_hosts = " com net org info biz io co me ly gg cc ";  // x.com, t.me
    const std::string small = folded(top), padded = " " + small + " ";
    const bool is_capital = top.front() >= 'A' && top.front() <= 'Z';
    if (is_capital && !has_path && !is_common_top(small, label.size()))
        return false;
    return label.size() > 1 || short_hosts.find(padded) != std::string_view::npos;
}

}  // namespace

bool holds_address(std::string_view name) {
    // As browsers read it: wide forms of letters, dots and @ are plain ones.
    std::string text = compatible(strip_invisible(name));
    for (auto at = text.find("\u3002"); at != std::string::npos; at = text.find("\u3002"))
        text.replace(at, 3, ".");
    if (text.find('@') != std::string::npos || text.find("://") != std::string::npos ||
        folded(text).find("www.") != std::string::npos)
        return true;
    for (std::string_view rest = text; !rest.empty();) {
        const auto end = std::min(rest.find_first_of(" ,;()<>[]\"'"), rest.size());
        if (looks_like_host(rest.substr(0, end)))
            return true;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return false;
}

std::string clean_lines(std::string_view text) {
    std::string lines;
    UChar32 before = 0;
    walk(text, [&](UChar32 code) {
        const bool second_half = code == '\n' && before == '\r';
        before = code;
        if (second_half)
            return true;
        if (breaks_line(code) && code != '\t')
            lines += '\n';
        else if (code == '\t' || u_charType(code) != U_CONTROL_CHAR)
            append(lines, code);
        return true;
    });
    return composed(trimmed(lines));
}

std::string folded(std::string_view text) {
    if (is_plain(text)) {
        std::string lowered{text};
        for (char& c : lowered)
            if (c >= 'A' && c <= 'Z')
                c = static_cast<char>(c + 32);
        return lowered;
    }
    const std::string whole = composed(text);
    icu::UnicodeString units =
        icu::UnicodeString::fromUTF8(icu::StringPiece(whole.data(), static_cast<std::int32_t>(whole.size())));
    units.foldCase();
    std::string out;
    units.toUTF8String(out);
    return composed(out);
}

std::size_t length(std::string_view text) {
    std::size_t count = 0;
    walk(text, [&](UChar32) { return ++count, true; });
    return count;
}

std::string_view first(std::string_view text, std::size_t count) {
    const auto size = static_cast<std::int32_t>(text.size());
    std::int32_t at = 0;
    while (at < size && count-- > 0)
        next(text, at);
    return text.substr(0, static_cast<std::size_t>(at));
}

bool is_slug(std::string_view text) {
    bool fine = is_utf8(text) && !text.empty();
    walk(text, [&](UChar32 code) {
        fine = fine && (code == '-' || code == '_' || u_isalnum(code) || is_mark(code));
        return fine;
    });
    return fine;
}

std::string slug_of(std::string_view title, std::size_t longest) {
    std::string slug;
    std::size_t count = 0;
    bool gap = false;
    const std::string composed_title = composed(title);
    walk(composed_title, [&](UChar32 code) {
        const bool is_part = u_isalnum(code) || (is_mark(code) && !gap && !slug.empty());
        if (!is_part) {
            gap = true;
            return true;
        }
        const bool hyphen = gap && !slug.empty();
        count += hyphen ? 2 : 1;
        if (count > longest)
            return false;
        if (hyphen)
            slug += '-';
        gap = false;
        append(slug, u_tolower(code));
        return true;
    });
    return composed(slug);
}

void quote_json(std::string& out, std::string_view text) {
    out += '"';
    std::size_t copied = 0;  // the start of the unchanged part
    for (std::size_t at = first_escaped(text, 0); at < text.size(); at = first_escaped(text, at)) {
        const auto byte = static_cast<unsigned char>(text[at]);
        if (byte >= 0x80) {
            auto end = static_cast<std::int32_t>(at);
            if (next_or_negative(text, end) < 0) {
                out.append(text, copied, at - copied);
                out += "\xEF\xBF\xBD";
                copied = static_cast<std::size_t>(end);
            }
            at = static_cast<std::size_t>(end);
            continue;
        }
        out.append(text, copied, at - copied);
        copied = ++at;
        switch (byte) {
            case '"':
                out += "\\\"";
                break;
            case '\\':
                out += "\\\\";
                break;
            case '\n':
                out += "\\n";
                break;
            case '\r':
                out += "\\r";
                break;
            case '\t':
                out += "\\t";
                break;
            default:
                out += "\\u00";
                out += ascii::hex_digits[byte >> 4];
                out += ascii::hex_digits[byte & 0x0F];
        }
    }
    out.append(text, copied);
    out += '"';
}

}  // namespace svc::text
