// The pieces of the OpenAPI document that the readable page shows too.
#pragma once

#include "base/app/discovery.hpp"

namespace svc::app {

// JSON Schema of a route's `data`, and of the whole body around it.
json::Value answer_schema(const api::RouteSpec& route);
// The statuses below 400 that the route may answer.
std::vector<int> successes_of(const api::RouteSpec& route);
// The errors of every route, followed by those of this one.
std::vector<const ErrorCode*> errors_of(const api::RouteSpec& route);

// The group a route is shown in: its first segment.
std::string tag_of(const std::string& path);
std::string description_of_tag(const std::string& tag);

}  // namespace svc::app
