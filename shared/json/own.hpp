// Reading JSON that this program wrote itself, without the checks that texts from outside need.
#pragma once

#include <span>
#include <string_view>

#include "shared/json/value.hpp"

namespace svc::json {

// The members to read of the objects in a list that is a member of the outermost object; the others are passed over.
struct Part {
    std::string_view list;  // its name; empty: everything is read
    std::span<const std::string_view> names;
};

// Reads a text as long and with as many values as it has: sizes, UTF-8, numbers and duplicate names are not checked,
// what is passed over neither. Half of a surrogate pair is U+FFFD. svc_internal_error, whose cause has the offset, for
// a text that ends early, has something else where JSON has a mark, or nests deeper than 100. Any thread.
Result<Value> parse_own(std::string_view text, const Part& part = {});

}  // namespace svc::json
