// Taxes of a booking.
#pragma once

#include <vector>

#include "base/pricing/terms.hpp"

namespace svc::pricing {

struct TaxLine {
    std::string name;
    Rate rate;
    Money amount;
};

// Exclusive: each tax of `taxable`, rounded by itself. Inclusive: what all of them together hold of it, divided by
// their rates. A tax of nothing has no line.
std::vector<TaxLine> taxes_of(const Terms& terms, const Money& taxable);

}  // namespace svc::pricing
