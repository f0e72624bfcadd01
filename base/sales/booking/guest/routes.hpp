// Routes of customers' own bookings, of the link that proves a guest's address, and of the booking's own link.
#pragma once

#include <functional>
#include <string>

#include "base/platform/limits/rate_limits.hpp"
#include "base/sales/booking/desk/lists.hpp"
#include "base/sales/booking/guest/guests.hpp"
#include "base/sales/booking/guest/links.hpp"
#include "base/sales/booking/record/service.hpp"
#include "shared/api/route.hpp"

namespace svc::booking {

struct OwnRoutes {
    Service& records;
    Guests& guests;
    Lists& lists;
    const settings::Settings& settings;
    api::Permission reads, cancels;  // decide by the path's id
    // Proves the right to read the booking's invoice.
    std::function<std::string(const Booking&)> invoice_token;
};
void add_own_routes(api::RouteTable& routes, OwnRoutes own);

struct Verify {
    Guests& guests;
    const Service& records;
    Verification verification;
    settings::Settings& settings;
    limits::RateLimits& limits;
    std::string site_url;
};
void add_verification_routes(api::RouteTable& routes, const Verify& verify);
// `records` outlives the table: staff renew the links of bookings that they may see.
void add_link_routes(api::RouteTable& routes, Links& links, const Service& records);

}  // namespace svc::booking
