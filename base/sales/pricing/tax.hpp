// Taxes of a booking.
#pragma once

#include <vector>

#include "base/sales/pricing/by_hand.hpp"
#include "base/sales/pricing/terms.hpp"
#include "shared/core/result.hpp"

namespace svc::pricing {

struct TaxLine {
    std::string name;
    Rate rate;
    Money amount;
};
// Its label among a price's lines: "VAT (20%)".
std::string label_of(const TaxLine& tax);

// Exclusive: each tax of `taxable`, rounded separately. Inclusive: the amount of all taxes that it contains, divided by
// their rates. A tax of zero has no line.
std::vector<TaxLine> taxes_of(const Terms& terms, const Money& taxable);
// The same where staff set the rate, the amount or both.
Result<std::vector<TaxLine>> taxes_of(Terms& terms, const Money& taxable, const ByHand& by_hand);

}  // namespace svc::pricing
