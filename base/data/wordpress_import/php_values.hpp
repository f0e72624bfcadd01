// Values as PHP's serialize() writes them, which WordPress keeps in metas and tables: read with bounds, never run.
#pragma once

#include <optional>
#include <string_view>

#include "shared/json/value.hpp"

namespace svc::wordpress_import {

// Whether a text begins as such a value does.
bool looks_serialized(std::string_view text);

// Arrays with keys 0, 1, … become arrays, other arrays and objects become objects, numbers keep their digits. Accepts a
// text that is shorter than its declared length because its line ends lost a byte, as in exports in XML. Empty for a
// text that is no such value, refers to another one, has a class that decodes itself, is deeper than 32 levels, has
// more than 20,000 values or an array of more than 5,000. Pure.
std::optional<json::Value> php_value(std::string_view text);

// The value of a meta: read when it is serialized, also twice, else the text itself.
json::Value meta_value(std::string_view text);

}  // namespace svc::wordpress_import
