// Dates for the public pages: cards by month, and the prices of one date. From memory.
#pragma once

#include "base/sales/availability/dates/service.hpp"
#include "shared/api/route.hpp"

namespace svc::availability {

api::Reply availability_template(const OfferedDates& service, const api::Request& request);
api::Type template_answer();
api::Reply date_pricing(const OfferedDates& service, const api::Request& request);
api::Type date_pricing_answer();

}  // namespace svc::availability
