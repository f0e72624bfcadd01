// What everyone may know of a group discount, as JSON.
#pragma once

#include "base/discounts/discount.hpp"
#include "base/settings/look.hpp"
#include "shared/api/schema.hpp"

namespace svc::discounts {

// What everyone may know of a group discount: no code. Its labels are written as the site writes amounts.
json::Value to_public_json(const Discount& discount, const settings::Look& look);
api::Type public_answer();

}  // namespace svc::discounts
