// Registers what discounts have.
#include "base/sales/discounts/feature.hpp"

#include "base/sales/discounts/jobs.hpp"
#include "base/sales/discounts/routes.hpp"

namespace svc::discounts {

void Feature::add_routes() {
    discounts::add_routes(site_.routes, {.discounts = service, .trip_currency = [this](std::int64_t id) {
                                             const auto trip = trips_.service.published(id);
                                             return trip ? std::optional(trip->currency) : std::nullopt;
                                         }});
}

void Feature::add_jobs() { discounts::add_jobs(site_.jobs, service); }

void Feature::follow_changes() {
    site_.changes.on(std::string(channel), [this] { service.forget(); });
}

}  // namespace svc::discounts
