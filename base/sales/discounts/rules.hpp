// The rules for staff's writes of discounts.
#pragma once

#include "base/sales/discounts/discount.hpp"
#include "shared/resource/resource.hpp"

namespace svc::discounts {

// Further input of the rules.
struct Terms {
    Currency currency;  // the site's, that of every amount which is sent
    Zone zone;          // for the day of a time
    bool has_groups;    // without them nothing that is of groups alone may become another
};
resource::Rules<Discount> discount_rules(std::function<Terms()> terms);

// Other fields that the rules compare a field with (RouteSpec::beside).
extern const std::vector<std::pair<std::string_view, std::string_view>> compared_fields;
// The schema of a body: the record's, where days may be moments and ranges are written.
api::Schema with_written_forms(const api::Schema& schema);

}  // namespace svc::discounts
