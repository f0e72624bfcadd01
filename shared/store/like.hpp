// Patterns for LIKE ... ESCAPE '\': user input never acts as a wildcard.
#pragma once

#include <string>
#include <string_view>

namespace svc::store {

// %text% with the text's own %, _ and \ escaped.
inline std::string like_contains(std::string_view text) {
    std::string pattern = "%";
    for (const char c : text) {
        if (c == '%' || c == '_' || c == '\\')
            pattern += '\\';
        pattern += c;
    }
    return pattern + "%";
}

}  // namespace svc::store
