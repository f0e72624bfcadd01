// Reads header fields by case-insensitive name. Pure functions.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "shared/api/http.hpp"

namespace svc::app {

inline char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

inline bool same_name(std::string_view a, std::string_view b) {
    return a.size() == b.size() &&
           std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return lower(x) == lower(y); });
}

// The first value; empty when there is none.
inline std::string_view field(const std::vector<HttpHeader>& headers, std::string_view name) {
    for (const auto& [key, value] : headers)
        if (same_name(key, name))
            return value;
    return {};
}

// Logs names only: values may be personal data.
inline std::string names_in(std::string_view query) {
    std::string names;
    while (!query.empty()) {
        const auto pair = query.substr(0, query.find('&'));
        query.remove_prefix(std::min(query.size(), pair.size() + 1));
        if (const auto name = pair.substr(0, pair.find('=')); !name.empty())
            names.append(names.empty() ? "" : " ").append(name);
    }
    return names;
}

}  // namespace svc::app
