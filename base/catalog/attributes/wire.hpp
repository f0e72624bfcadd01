// Public JSON of attributes and of their values on trips.
#pragma once

#include <vector>

#include "base/catalog/attributes/value.hpp"
#include "base/catalog/classifications/record.hpp"
#include "shared/api/schema.hpp"

namespace svc::catalog::attributes {

struct AttributeValue;

json::Value public_json(const classifications::Classification& attribute);
api::Type public_answer();
json::Value to_json(const std::vector<AttributeValue>& values);
api::Type values_answer();

}  // namespace svc::catalog::attributes
