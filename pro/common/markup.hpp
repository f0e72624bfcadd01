// Text as a part of HTML: what a person typed acts as no markup, in the text and in quoted attributes. Any thread.
#pragma once

#include <string>
#include <string_view>

namespace svc::pro {

inline std::string escape_html(std::string_view text) {
    std::string out;
    for (const char c : text)
        switch (c) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            case '\'':
                out += "&#39;";
                break;
            default:
                out += c;
        }
    return out;
}

}  // namespace svc::pro
