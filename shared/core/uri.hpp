// Texts as addresses and parts of them: RFC 3986 knows ASCII alone. Pure functions, any thread.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace svc::text {

// The same with every byte beyond printable ASCII as %XX; reserved characters stay unchanged.
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

// A web address or a path of this site: safe as a link.
inline bool is_place(std::string_view address) {
    const bool is_path = address.starts_with('/') && !address.starts_with("//") && !address.starts_with("/\\");
    return (is_path || address.starts_with("https://") || address.starts_with("http://")) &&
           std::none_of(address.begin(), address.end(), [](char c) { return c >= 0 && c <= ' '; });
}

}  // namespace svc::text
