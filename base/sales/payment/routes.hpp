// Routes of payments and gateways (spec 4.8).
#pragma once

#include "base/platform/limits/rate_limits.hpp"
#include "base/sales/booking/checkout/access.hpp"
#include "base/sales/booking/checkout/choice.hpp"
#include "base/sales/payment/checkout/checkout.hpp"
#include "shared/api/route.hpp"

namespace svc::payment {

// `owns` decides who may see a booking's payments.
void add_routes(api::RouteTable& routes, Service& payments, booking::Service& bookings, store::Store& store,
                settings::Settings& settings, const booking::Ownership& owns, Refunds& refunds);
void add_gateway_routes(api::RouteTable& routes, GatewayService& gateways, settings::Settings& settings);

// Dependencies of the routes of payment.
struct Paying {
    Checkout& checkout;
    Refunds& refunds;
    Gateways& gateways;
    booking::Service& bookings;
    // Whether the caller may pay the booking: its owner, a guest with proof, staff who may edit it.
    std::function<Result<void>(const api::Request&, std::int64_t booking_id)> owns;
    SessionOf session;
    limits::RateLimits& limits;
};
void add_refund_routes(api::RouteTable& routes, Refunds& service);
void add_provider_routes(api::RouteTable& routes, const Paying& paying);
void add_saved_method_routes(api::RouteTable& routes, const Paying& paying);
// The outcome of a charge.
api::Type outcome_answer();
api::Reply outcome_reply(const Paying& paying, const Result<Outcome>& outcome);
void add_paying_routes(api::RouteTable& routes, const Paying& paying);

}  // namespace svc::payment
