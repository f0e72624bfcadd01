// Finds the characters that a JSON string must escape.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace svc::text {

// The first byte from `at` on that a JSON string must escape; the end when there is none. Includes bytes beyond ASCII,
// since they may be malformed.
inline std::size_t first_escaped(std::string_view text, std::size_t at) {
    constexpr std::uint64_t ones = 0x0101010101010101, tops = 0x8080808080808080;
    constexpr std::size_t width = sizeof ones;
    // Eight bytes at once: a byte beyond ASCII has its top bit, and one below `by` gets it by the subtraction.
    const auto has_below = [](std::uint64_t bytes, std::uint64_t by) { return (bytes - ones * by) & ~bytes; };
    const auto are_plain = [&](std::size_t from) {
        std::uint64_t bytes = 0;
        std::memcpy(&bytes, text.data() + from, width);
        return ((bytes | has_below(bytes, 0x20) | has_below(bytes ^ (ones * '"'), 1) |
                 has_below(bytes ^ (ones * '\\'), 1)) &
                tops) == 0;
    };
    const std::size_t began = at;
    while (text.size() - at >= width && are_plain(at))
        at += width;
    // Fewer than eight are left: compares them together with some before them.
    if (text.size() - at < width && text.size() - began >= width && are_plain(text.size() - width))
        return text.size();
    const auto plain = [](char c) { return static_cast<signed char>(c) >= 0x20 && c != '"' && c != '\\'; };
    while (at < text.size() && plain(text[at]))
        ++at;
    return at;
}

}  // namespace svc::text
