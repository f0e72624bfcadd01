// What the routes of checkout share.
#pragma once

#include "base/booking/routes.hpp"

namespace svc::booking {

// Where a session's secret may stand besides its header.
api::Schema session_fields();
// The price that a session's secret opens; secrets that no session ever had are counted against who sent them.
Result<pricing::Quote> quote_of(const Checkout& checkout, const api::Request& request,
                                const std::function<Result<pricing::Quote>(const std::string& secret)>& price);

void add_coupon_routes(api::RouteTable& routes, const Checkout& checkout);

}  // namespace svc::booking
