// The licence's routes.
#pragma once

#include "pro/license/service.hpp"
#include "pro/license/state.hpp"

namespace svc::pro::license {

// Service and settings outlive the routes. `modules_on`: the slugs of Pro's modules that are on.
void add_routes(plugin::Routes& routes, Service& licenses, const plugin::Settings& settings,
                std::function<State(Instant now)> state_now, std::function<json::Value()> modules_on);

}  // namespace svc::pro::license
