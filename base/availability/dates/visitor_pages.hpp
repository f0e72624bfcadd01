// What a shop's page shows of dates: cards by month, and one date's prices. From memory.
#pragma once

#include "base/availability/service.hpp"
#include "shared/api/route.hpp"

namespace svc::availability {

api::Reply availability_template(const Service& service, const api::Request& request);
api::Type template_answer();
api::Reply date_pricing(const Service& service, const api::Request& request);
api::Type date_pricing_answer();

}  // namespace svc::availability
