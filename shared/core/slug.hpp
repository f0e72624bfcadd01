// Unique slugs. Pure functions, any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "shared/core/text.hpp"

namespace svc::text {

inline constexpr std::size_t longest_slug = 200;  // in code points

// "nile-cruise-2": a taken slug with a number appended, shortened if it would get too long.
inline std::string numbered_slug(std::string_view taken, std::int64_t number) {
    const std::string behind = "-" + std::to_string(number);
    std::string_view beginning = first(taken, longest_slug - behind.size());
    while (beginning.ends_with('-'))
        beginning.remove_suffix(1);
    return std::string(beginning) + behind;
}

}  // namespace svc::text
