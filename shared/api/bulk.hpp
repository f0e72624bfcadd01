// The `ids` of an action on many. Pure functions, any thread.
#pragma once

#include <vector>

#include "shared/api/schema.hpp"

namespace svc::api {

Field bulk_ids_field();
// In their order. The error names `ids` when one occurs twice.
Result<std::vector<std::int64_t>> bulk_ids_of(const json::Value& body);

}  // namespace svc::api
