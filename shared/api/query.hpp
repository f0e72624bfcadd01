// The query of an address, read into a JSON object of texts for Schema::check(…, true). Pure functions, any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "shared/json/value.hpp"

namespace svc::api {

// The text with %XX decoded once, and `+` as a space if requested. Empty for a malformed escape, for NUL and for
// invalid UTF-8.
std::optional<std::string> percent_decoded(std::string_view raw, bool plus_is_blank);

// "a=1&b=x+y&c[]=2&d=3&d=4" without the question mark: {"a":"1","b":"x y","c":["2"],"d":["3","4"]}. A name that occurs
// twice, or ends in [], is an array; "a[b]=1" and "a[b][c]=2" are objects. A name without = has the empty text.
// invalid_request for what percent_decoded refuses and for more than 500 pairs.
Result<json::Value> parse_query(std::string_view raw);
// Adds a parameter to an object that parse_query() could have read, as if it stood at the query's end; decoded.
void add_parameter(json::Value& query, std::string name, std::string value);
// The other way: a text that parse_query() reads as this object.
std::string query_text(const json::Value& query);

}  // namespace svc::api
