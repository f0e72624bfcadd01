// Routes of departures as staff operate and as they sell them.
#pragma once

#include "base/sales/availability/departures/service.hpp"
#include "shared/api/route.hpp"

namespace svc::availability {

void add_routes(api::RouteTable& routes, Departures& departures);       // all of them
void add_sale_routes(api::RouteTable& routes, Departures& departures);  // sale_routes.cpp

// Parts of a request that both views of departures read (routes.cpp).
Departures::Actor actor_of(const api::Request& request);
// Whether the caller may end the departure, and its bookings if the body requests it.
Result<void> may_end(const api::Request& request, const DepartureChange& change);
// The version that the change is for, by header or body.
Result<void> take_version(const Departures& departures, const api::Request& request, DepartureChange& change);
Departures::Ending ending_of(const json::Value& body);
// Adds what became of the bookings to the answer of an update.
void add_affected(json::Value& data, const Departures::Updated& updated);

}  // namespace svc::availability
