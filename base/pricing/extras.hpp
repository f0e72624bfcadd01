// The price of everything but travelers, before discounts: additional services and charges of the itinerary.
#pragma once

#include "base/pricing/listeners.hpp"
#include "base/pricing/quote.hpp"

namespace svc::pricing {

struct Extras {
    std::vector<Line> lines;
    Money services, taxable_services, itinerary;
    json::Value services_shown, itinerary_shown;

    [[nodiscard]] Money all() const { return services + itinerary; }
};

// `base`: the amount that percentages of services are of. Rejects manual charges without an amount.
Result<Extras> extras_of(const catalog::trips::Trip& trip, const Request& request, const Money& base,
                         const Listeners& listeners);

}  // namespace svc::pricing
