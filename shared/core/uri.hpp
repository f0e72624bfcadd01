// Text as part of an address: RFC 3986 knows ASCII alone.
#pragma once

#include <string>
#include <string_view>

namespace svc::text {

// The same with every byte beyond printable ASCII as %XX; what is reserved there stays as it is.
inline std::string uri_of(std::string_view text) {
    static constexpr char digits[] = "0123456789ABCDEF";
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte > 0x20 && byte < 0x7f)
            out += c;
        else
            (((out += '%') += digits[byte >> 4U]) += digits[byte & 15U]);
    }
    return out;
}

}  // namespace svc::text
