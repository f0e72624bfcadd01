// The `ids` of an action on many. Pure functions, any thread.
#pragma once

#include <vector>

#include "shared/api/schema.hpp"

namespace svc::api {

Field bulk_ids_field();
// As they stand there. The error names `ids` when one stands there twice.
Result<std::vector<std::int64_t>> bulk_ids_of(const json::Value& body);

}  // namespace svc::api
