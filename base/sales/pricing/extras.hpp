// The price of everything but travelers, before discounts: additional services and charges of the itinerary.
#pragma once

#include "base/sales/pricing/listeners.hpp"
#include "base/sales/pricing/quote.hpp"

namespace svc::pricing {

struct Extras {
    std::vector<Line> lines;
    Money services, taxable_services, itinerary;
    json::Value services_shown, itinerary_shown;

    [[nodiscard]] Money all() const { return services + itinerary; }
};

// Quantities by service.
using Services = std::map<std::int64_t, std::int64_t>;

// Adds the services that listeners sell in that context, with their lines.
void add_services(Extras& extras, const Money& base, const Listeners& listeners);

// Rejects services that do not exist or exceed their limit: a field at fault. `requested` is what the customer chose;
// invalid ones that a listener added are ignored and logged, since the customer cannot correct them.
Result<void> all_sold(const Services& chosen, const Services& requested, const json::Value& sold);

// `base`: the amount that percentages of services are of. Rejects manual charges without an amount.
Result<Extras> extras_of(const catalog::trips::Trip& trip, const Request& request, const Money& base,
                         const Listeners& listeners);

}  // namespace svc::pricing
