// Tells UTF-8 from other bytes.
#pragma once

#include <cstddef>
#include <string_view>

namespace svc::store {

// Well-formed as in RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.
inline bool is_utf8(std::string_view text) {
    std::size_t at = 0;
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    while (at < text.size()) {
        const unsigned lead = byte(at);
        if (lead < 0x80) {
            ++at;
            continue;
        }
        const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
        if (lead < 0xc2 || lead > 0xf4 || at + length > text.size())
            return false;
        const unsigned second = byte(at + 1);
        const unsigned least = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
        const unsigned most = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
        if (second < least || second > most)
            return false;
        for (std::size_t i = at + 2; i < at + length; ++i)
            if ((byte(i) & 0xc0) != 0x80)
                return false;
        at += length;
    }
    return true;
}

}  // namespace svc::store
