// The public fields of a group discount, as JSON.
#pragma once

#include "base/sales/discounts/discount.hpp"
#include "base/settings/values/look.hpp"
#include "shared/api/schema.hpp"

namespace svc::discounts {

// The public fields of a group discount, without its code. Its labels are formatted as the site formats amounts.
json::Value to_public_json(const Discount& discount, const settings::Look& look);
api::Type public_answer();

}  // namespace svc::discounts
