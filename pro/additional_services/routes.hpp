// Routes of additional services beside those of the resource: of a trip, and what was sold.
#pragma once

#include "pro/additional_services/additional_service.hpp"
#include "pro/common/site.hpp"

namespace svc::pro::additional_services {

// GET and PUT /trips/{id}/services. `written` runs after each commit, `note_change` last in each transaction.
void add_trip_routes(const Site& site, std::function<void()> written,
                     std::function<void(store::Transaction&)> note_change);
// GET /additional-services/report and …/departures.
void add_report_routes(const Site& site);

}  // namespace svc::pro::additional_services
