// The OpenAPI document as tests read it: references and extensions in the places where they are used.
#pragma once

#include <string>

#include "shared/json/value.hpp"

namespace svc::tests {

// The value with everything it refers to in place of the references; `allOf` becomes one schema.
json::Value written_out(const json::Value& document, json::Value value);
// The same schema with members and required names in alphabetical order, and without names of components.
json::Value canonical(json::Value schema);
// An operation's answer of that status, or of the range that covers it; null: it is not described.
json::Value response_of(const json::Value& document, const std::string& path, const std::string& method, int status);

}  // namespace svc::tests
