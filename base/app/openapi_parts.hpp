// Shared by the sources of the OpenAPI document.
#pragma once

#include "base/app/openapi.hpp"

namespace svc::app {

json::Value text_schema();
json::Value reference(std::string_view schema);  // to a component by its name
// As application/json; a null example is left out.
json::Value media(json::Value schema, json::Value example = {});
json::Value limit_headers();  // of the call's limit

// Whether an answer may contain notices of deprecated fields or routes.
bool gives_notices(const api::RouteSpec& route);
// A route's responses by status. Those of the gate are under 4XX and 5XX.
json::Value responses_of(const api::RouteSpec& route);
// Envelopes, errors, headers and ways to sign in.
json::Value fixed_components(const api::RouteTable& routes, const About& about);

}  // namespace svc::app
