// The options of the resource of additional services.
#pragma once

#include "pro/additional_services/additional_service.hpp"
#include "shared/resource/resource.hpp"

namespace svc::pro::additional_services {

// `currency` returns the site's, in which a fixed price is read; `zone` returns the site's, in which days of a list are
// meant; `written` runs after each commit, `note_change` last in each transaction that writes.
resource::Resource<AdditionalService> service_resource(store::Store& store, std::function<Currency()> currency,
                                                       std::function<Zone()> zone, std::function<void()> written,
                                                       std::function<void(store::Transaction&)> note_change = {});
// In the order in which they are registered.
std::vector<api::RouteSpec> service_routes(const resource::Resource<AdditionalService>& services);

}  // namespace svc::pro::additional_services
