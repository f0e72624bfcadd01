// The routes of signing in and of the caller's own application passwords.
#pragma once

#include "base/people/identity/service.hpp"
#include "shared/api/route.hpp"

namespace svc::identity {

void add_routes(api::RouteTable& routes, Service& service);
void add_own_session_routes(api::RouteTable& routes, store::Store& store, const Clock& clock);
void add_me_route(api::RouteTable& routes, Service& service, const settings::Settings& settings);

}  // namespace svc::identity
