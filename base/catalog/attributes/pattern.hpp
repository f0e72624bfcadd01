// Patterns that operators write, matched in time linear in the text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace svc::catalog::attributes {

// What is wrong with it; empty when nothing is. One that would take too much memory is wrong.
std::optional<std::string> fault_of_pattern(const std::string& pattern);
// Whether the whole text matches. False for a pattern at fault.
bool matches(const std::string& pattern, std::string_view text);

}  // namespace svc::catalog::attributes
