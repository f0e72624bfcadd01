// One pass over the bytes.
#include "base/data/wordpress_import/wxr_bytes.hpp"

#include <algorithm>
#include <charconv>

#include "shared/core/text.hpp"

namespace svc::wordpress_import {
namespace {

constexpr std::size_t longest_reference = 12, longest_declaration = 200;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

bool is_xml_character(std::uint32_t code) {
    return code == '\t' || code == '\n' || code == '\r' || (code >= 0x20 && code < 0xD800) ||
           (code >= 0xE000 && code < 0xFFFE) || (code >= 0x10000 && code <= 0x10FFFF);
}

// The number of "&#12;" or "&#xc;"; nothing XML can name for another text.
std::uint32_t referred_code(std::string_view digits) {
    const int base = digits.starts_with('x') || digits.starts_with('X') ? 16 : 10;
    digits.remove_prefix(base == 16 ? 1 : 0);
    std::uint32_t code = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, base);
    return error == std::errc() && end == digits.data() + digits.size() ? code : 0;
}

// How long a character with this first byte is; 0: none begins so.
std::size_t length_of(unsigned char first) {
    return first < 0xC2 ? 0 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : first < 0xF5 ? 4 : 0;
}

}  // namespace

CleanBytes::Taken CleanBytes::take(std::string_view text) const {
    const auto first = static_cast<unsigned char>(text.front());
    if (first < 0x20)
        return {.bytes = 1, .is_allowed = is_xml_character(first)};
    if (text.starts_with('&')) {
        if (text.size() == 1)
            return {.is_whole = false};
        if (text[1] != '#')
            return {.bytes = 1};
        const auto end = text.substr(0, longest_reference).find(';');
        if (end == std::string_view::npos)
            return {.bytes = 1, .is_whole = text.size() >= longest_reference};
        return {.bytes = end + 1, .is_allowed = is_xml_character(referred_code(text.substr(2, end - 2)))};
    }
    if (first < 0x80 || !is_utf8_)
        return {.bytes = 1};
    const std::size_t length = length_of(first);
    if (length == 0)
        return {.bytes = 1, .is_allowed = false};
    if (text.size() < length)
        return {.is_whole = false};
    const std::string_view one = text.substr(0, length);
    const bool is_noncharacter = one == "\xEF\xBF\xBE" || one == "\xEF\xBF\xBF";
    if (!text::is_utf8(one))
        return {.bytes = 1, .is_allowed = false};
    return {.bytes = length, .is_allowed = !is_noncharacter};
}

// Skips what is before the text, and reads its encoding: only UTF-8 can be told from ill-formed text.
void CleanBytes::begin(std::string_view& text) {
    while (!text.empty() && !has_begun_) {
        if (text.starts_with(byte_order_mark)) {
            text.remove_prefix(byte_order_mark.size());
        } else if (std::string_view(" \t\r\n").find(text.front()) != std::string_view::npos) {
            dropped_.blank_lines += text.front() == '\n' ? 1 : 0;
            text.remove_prefix(1);
        } else {
            has_begun_ = true;
        }
    }
    const std::string_view declaration = text.substr(0, std::min(text.find("?>"), longest_declaration));
    const auto at = declaration.starts_with("<?xml") ? declaration.find("encoding=") : std::string_view::npos;
    if (at != std::string_view::npos)
        is_utf8_ = text::folded(std::string(declaration.substr(at + 10, 4))).starts_with("utf");
}

void CleanBytes::add(std::string_view piece, bool is_last, std::string& out) {
    std::string joined;
    std::string_view text = piece;
    if (!waiting_.empty()) {
        joined = std::move(waiting_);
        joined += piece;
        waiting_.clear();
        text = joined;
    }
    if (!has_begun_)
        begin(text);
    while (!text.empty()) {
        // Most bytes are plain.
        const auto plain = static_cast<std::size_t>(
            std::find_if(text.begin(), text.end(),
                         [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == '&' || (c & 0x80) != 0; }) -
            text.begin());
        out.append(text, 0, plain);
        text.remove_prefix(plain);
        if (text.empty())
            return;
        const Taken taken = take(text);
        if (!taken.is_whole && !is_last) {
            waiting_ = text;
            return;
        }
        const std::size_t bytes = std::max<std::size_t>(1, taken.bytes);
        const bool is_cut_off = !taken.is_whole && !text.starts_with('&');
        if (taken.is_allowed && !is_cut_off)
            out.append(text, 0, bytes);
        else
            ++dropped_.characters;
        text.remove_prefix(bytes);
    }
}

}  // namespace svc::wordpress_import
