// Reading JSON that this program wrote itself, without the checks that texts from outside need.
#pragma once

#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "shared/json/value.hpp"

namespace svc::json {

// The members to read of the objects in a list that is a member of the outermost object; the others are passed over.
struct Part {
    std::string_view list;  // its name; empty: everything is read; ".": the outermost object itself is read so
    std::span<const std::string_view> names;
};

// A list in the outermost object. Its items stay unparsed text.
struct RawItems {
    std::string_view list;
    // The length in bytes of the item at the beginning of the text; 0: unknown to the caller.
    std::function<std::size_t(std::string_view text)> known = {};
    std::vector<std::string_view> items = {};  // views of the text
};

// Reads a text of any length and number of values. Checks neither UTF-8, numbers and duplicate names nor the values
// that it skips. Half of a surrogate pair becomes U+FFFD. svc_internal_error, whose cause has the offset, for a text
// that ends early, lacks one of JSON's marks, or nests deeper than 100. Any thread.
Result<Value> parse_own(std::string_view text, const Part& part = {});
// The same, but returns an empty list for `raw.list` and adds its items to `raw`.
Result<Value> parse_own(std::string_view text, RawItems& raw);

}  // namespace svc::json
