// ASCII alone: blanks, letters, hexadecimal digits. For headers, keys and codes; texts of people are in text.hpp.
#pragma once

#include <string>
#include <string_view>

namespace svc::ascii {

inline constexpr std::string_view hex_digits = "0123456789abcdef";

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Without the blanks at its ends.
constexpr std::string_view trimmed(std::string_view text, std::string_view blanks = " \t") {
    const auto from = text.find_first_not_of(blanks);
    return from == std::string_view::npos ? std::string_view{}
                                          : text.substr(from, text.find_last_not_of(blanks) - from + 1);
}

// Two digits a byte.
inline std::string hex(std::string_view bytes) {
    std::string text;
    text.reserve(bytes.size() * 2);
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        text += hex_digits[byte >> 4U];
        text += hex_digits[byte & 15U];
    }
    return text;
}

// Of either case.
constexpr bool is_hex(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
}
// "#rrggbb"
constexpr bool is_color(std::string_view text) { return text.size() == 7 && text[0] == '#' && is_hex(text.substr(1)); }

}  // namespace svc::ascii
