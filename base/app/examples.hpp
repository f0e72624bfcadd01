// Example values for the documents of the interface, made from the schemas, with the words that a person would send.
#pragma once

#include "shared/api/route.hpp"

namespace svc::app {

// A body that the route's schema accepts; null for a route without a JSON body. Pure, any thread.
json::Value example_body(const api::RouteSpec& route);
// A whole answer of the route: its envelope, with `meta` for a list; null for a route that answers with files alone.
json::Value example_answer(const api::RouteSpec& route);

}  // namespace svc::app
