// Reading JSON that this program wrote itself, without the checks that texts from outside need.
#pragma once

#include <span>
#include <string_view>

#include "shared/json/value.hpp"

namespace svc::json {

// Reads a text of any length and number of values. Of an object at the outside only the members of these names; without
// names everything. Checks neither UTF-8, numbers and duplicate names nor the values that it skips. Half of a surrogate
// pair becomes U+FFFD. svc_internal_error, whose cause has the offset, for a text that ends early, lacks one of JSON's
// marks, or nests deeper than 100. Any thread.
Result<Value> parse_own(std::string_view text, std::span<const std::string_view> names = {});

}  // namespace svc::json
