// What of a text goes into a JSON string as it is.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace svc::text {

// Where from `at` on the first byte is that a JSON string may not hold as it is; the end when there is none. Bytes
// beyond ASCII count among them, since they may be ill-formed.
inline std::size_t first_escaped(std::string_view text, std::size_t at) {
    constexpr std::uint64_t ones = 0x0101010101010101, tops = 0x8080808080808080;
    // Eight bytes at once: a byte beyond ASCII has its top bit, and one below `by` gets it by the subtraction.
    const auto has_below = [](std::uint64_t bytes, std::uint64_t by) { return (bytes - ones * by) & ~bytes; };
    for (std::uint64_t bytes = 0; text.size() - at >= sizeof bytes; at += sizeof bytes) {
        std::memcpy(&bytes, text.data() + at, sizeof bytes);
        if (((bytes | has_below(bytes, 0x20) | has_below(bytes ^ (ones * '"'), 1) |
              has_below(bytes ^ (ones * '\\'), 1)) &
             tops) != 0)
            break;
    }
    const auto plain = [](char c) { return static_cast<signed char>(c) >= 0x20 && c != '"' && c != '\\'; };
    while (at < text.size() && plain(text[at]))
        ++at;
    return at;
}

}  // namespace svc::text
