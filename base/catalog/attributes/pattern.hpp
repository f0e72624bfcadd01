// Patterns that operators write, matched in time linear in the text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "shared/core/sentence.hpp"

namespace svc::catalog::attributes {

// The error in a pattern; empty when it is valid. A pattern that needs too much memory is invalid.
std::optional<Sentence> fault_of_pattern(const std::string& pattern);
// Whether the whole text matches. False for a pattern at fault.
bool matches(const std::string& pattern, std::string_view text);

}  // namespace svc::catalog::attributes
