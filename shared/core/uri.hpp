// Texts as addresses and parts of them: RFC 3986 knows ASCII alone. Pure functions, any thread.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace svc::text {

// Appends the text with each character that `is_plain` rejects as %XX.
template <class IsPlain>
void append_encoded(std::string& out, std::string_view text, IsPlain is_plain) {
    static constexpr char digits[] = "0123456789ABCDEF";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (is_plain(c))
            out += c;
        else
            out.append({'%', digits[byte >> 4U], digits[byte & 15U]});
    }
}

// The same with every byte beyond printable ASCII as %XX; reserved characters stay unchanged.
inline std::string uri_of(std::string_view text) {
    std::string out;
    append_encoded(out, text, [](char c) { return c > 0x20 && c < 0x7f; });
    return out;
}

// A part of a path or a query: only letters, digits, '-', '.', '_' and '~' stay unchanged.
inline std::string uri_component(std::string_view text) {
    std::string out;
    append_encoded(out, text, [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' || c == '.' ||
               c == '_' || c == '~';
    });
    return out;
}

// A web address or a path of this site: safe as a link.
inline bool is_place(std::string_view address) {
    const bool is_path = address.starts_with('/') && !address.starts_with("//") && !address.starts_with("/\\");
    return (is_path || address.starts_with("https://") || address.starts_with("http://")) &&
           std::none_of(address.begin(), address.end(), [](char c) { return c >= 0 && c <= ' '; });
}

}  // namespace svc::text
