// Sealed texts as words of an address: the base seals as base64, whose "+", "/" and "=" do not belong there.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "shared/plugin/host.hpp"

namespace svc::pro {

inline std::string sealed_word(const plugin::Secrets& secrets, std::string_view text, std::string_view place) {
    std::string word = secrets.seal(text, place);
    for (char& c : word)
        c = c == '+' ? '-' : c == '/' ? '_' : c;
    while (word.ends_with('='))
        word.pop_back();
    return word;
}

// Nothing: it was not sealed for that place, or with a key that is not known.
inline std::optional<std::string> opened_word(const plugin::Secrets& secrets, std::string_view word,
                                              std::string_view place) {
    constexpr std::size_t longest = 300;
    if (word.size() > longest)
        return std::nullopt;
    std::string sealed(word);
    for (char& c : sealed)
        c = c == '-' ? '+' : c == '_' ? '/' : c;
    const auto coded = sealed.size() - (sealed.rfind('.') == std::string::npos ? 0 : sealed.rfind('.') + 1);
    sealed.append((4 - coded % 4) % 4, '=');
    auto text = secrets.open(sealed, place);
    return text ? std::optional(std::move(*text)) : std::nullopt;
}

}  // namespace svc::pro
