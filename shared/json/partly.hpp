// Reading a part of a JSON text, for callers that need few members of long lists.
#pragma once

#include <span>
#include <string_view>

#include "shared/json/value.hpp"

namespace svc::json {

// The text as parse() reads it, except that of the objects in the list `list`, a member of the outermost object, only
// the members with these names are taken; the others are read over, their texts unchecked. For texts of this program's
// own making. Any thread.
Result<Value> parse_partly(std::string_view text, std::string_view list, std::span<const std::string_view> names,
                           const Limits& limits = {});

}  // namespace svc::json
