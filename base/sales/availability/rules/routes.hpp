// Routes of recurring rules and of their dates.
#pragma once

#include "base/sales/availability/dates/service.hpp"
#include "base/sales/availability/rules/rule_book.hpp"
#include "shared/api/route.hpp"

namespace svc::availability {

void add_routes(api::RouteTable& routes, RuleBook& rules, const OfferedDates& dates);          // all of them
void add_preview_routes(api::RouteTable& routes, RuleBook& rules, const OfferedDates& dates);  // preview_routes.cpp

}  // namespace svc::availability
