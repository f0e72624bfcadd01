// Routes of departures, sale dates and the dates that visitors are offered (spec 4.5).
#pragma once

#include "base/availability/feeds/feeds.hpp"
#include "base/availability/service.hpp"
#include "shared/api/route.hpp"

namespace svc::availability {

void add_routes(api::RouteTable& routes, Service& service);               // all of them
void add_departure_routes(api::RouteTable& routes, Service& service);     // departure_routes.cpp
void add_sale_routes(api::RouteTable& routes, Service& service);          // sale_routes.cpp
void add_rule_routes(api::RouteTable& routes, Service& service);          // rule_routes.cpp
void add_rule_preview_routes(api::RouteTable& routes, Service& service);  // rule_preview_routes.cpp

void add_feed_routes(api::RouteTable& routes, Feeds& feeds);  // feed_routes.cpp; not among all of them

// What both views of a departure ask of a request (departure_routes.cpp).
Service::Actor actor_of(const api::Request& request);
// Whether the caller may end departures, and bookings with them, as the body wishes.
Result<void> may_end(const api::Request& request, const DepartureChange& change);
// The version that the change is for, by header or body.
Result<void> take_version(const Service& service, const api::Request& request, DepartureChange& change);
// The days that a list is asked for by from and to.
Result<void> take_period(const json::Value& asked, const Zone& zone, std::optional<Date>& from,
                         std::optional<Date>& to);
Service::Ending ending_of(const json::Value& body);
// Adds what became of the bookings to the answer of an update.
void add_affected(json::Value& data, const Service::Updated& updated);

// Of a trip that the query or the body names, not the path: its not being there is a fault of that field.
inline api::Reply of_named_trip(api::Reply reply) {
    return reply.error && &reply.error->code() == &errc::trip_not_found
               ? api::failed(invalid("trip_id", "There is no such trip."))
               : reply;
}

}  // namespace svc::availability
