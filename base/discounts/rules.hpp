// What staff may write of a discount.
#pragma once

#include "base/discounts/discount.hpp"
#include "shared/resource/resource.hpp"

namespace svc::discounts {

// What the rules look at besides the discount.
struct Terms {
    Currency currency;  // the site's, that of every amount which is sent
    Zone zone;          // in which a moment lies on a day
    bool has_groups;    // without them nothing that is of groups alone may become another
};
resource::Rules<Discount> discount_rules(std::function<Terms()> terms);

// What the rules look at beside a field (RouteSpec::beside).
extern const std::vector<std::pair<std::string_view, std::string_view>> compared_fields;
// The schema of a body: the record's, where days may be moments and ranges are written.
api::Schema with_written_forms(const api::Schema& schema);

}  // namespace svc::discounts
