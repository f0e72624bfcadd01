// How discounts look in JSON.
#pragma once

#include "base/discounts/change.hpp"
#include "shared/api/schema.hpp"

namespace svc::discounts {

json::Value to_json(const Discount& discount);
api::Type discount_answer();
api::Schema written_fields(bool is_new);
Change change_of(const json::Value& body);

// What everyone may know of a group discount: no code.
json::Value to_public_json(const Discount& discount);
api::Type public_answer();

}  // namespace svc::discounts
