// The routes of discounts.
#pragma once

#include "base/sales/discounts/service.hpp"
#include "shared/api/route.hpp"

namespace svc::discounts {

struct Routes {
    Service& discounts;
    // The currency of a published trip; nothing for others.
    std::function<std::optional<Currency>(std::int64_t trip_id)> trip_currency;
};
void add_routes(api::RouteTable& routes, const Routes& parts);

}  // namespace svc::discounts
