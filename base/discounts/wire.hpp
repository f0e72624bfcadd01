// How discounts look in JSON.
#pragma once

#include "base/discounts/change.hpp"
#include "base/settings/look.hpp"
#include "shared/api/schema.hpp"

namespace svc::discounts {

json::Value to_json(const Discount& discount);
api::Type discount_answer();
api::Schema written_fields(bool is_new);
// Days may be sent as moments of `zone`, the site's.
Change change_of(const json::Value& body, const Zone& zone);

// What everyone may know of a group discount: no code. Its labels are written as the site writes amounts.
json::Value to_public_json(const Discount& discount, const settings::Look& look);
api::Type public_answer();

}  // namespace svc::discounts
