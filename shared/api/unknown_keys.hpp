// The keys of a body that no field of its schema has, so that a misspelt one can be reported. Pure, any thread.
#pragma once

#include <string>
#include <vector>

#include "shared/api/schema.hpp"

namespace svc::api {

// Keys as paths, the first `most` of them: "titel", "travelers.0.nmae". Free-form objects have no unknown keys.
std::vector<std::string> unknown_keys(const Schema& schema, const json::Value& body, std::size_t most = 10);

}  // namespace svc::api
