// Patterns that the operator sets for answers (RE2: linear time, whatever the pattern).
#pragma once

#include <string>

#include "shared/core/result.hpp"

namespace svc::booking::form {

inline constexpr std::size_t longest_pattern = 200;

// Whether it can be used.
bool is_pattern(const std::string& pattern);
// Whether the whole answer has that form. A pattern that cannot be used fits everything. Any thread; remembers the last
// patterns.
bool fits_pattern(const std::string& pattern, const std::string& answer);

}  // namespace svc::booking::form
