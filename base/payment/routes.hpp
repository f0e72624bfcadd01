// Routes of payments and gateways (spec 4.8).
#pragma once

#include "base/payment/service.hpp"
#include "shared/api/route.hpp"

namespace svc::payment {

// `owns` decides who may see a booking's payments: owner, staff or a guest with the booking_token.
void add_routes(api::RouteTable& routes, Service& payments, booking::Service& bookings, store::Store& store,
                settings::Settings& settings, api::Permission owns);

}  // namespace svc::payment
