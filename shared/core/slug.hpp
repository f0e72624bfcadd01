// Slugs of which each may be there once. Pure functions, any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "shared/core/text.hpp"

namespace svc::text {

inline constexpr std::size_t longest_slug = 200;  // in code points

// "nile-cruise-2": a taken slug with a number behind it, shortened for it where it would get too long.
inline std::string numbered_slug(std::string_view taken, std::int64_t number) {
    const std::string behind = "-" + std::to_string(number);
    std::string_view kept = first(taken, longest_slug - behind.size());
    while (kept.ends_with('-'))
        kept.remove_suffix(1);
    return std::string(kept) + behind;
}

}  // namespace svc::text
