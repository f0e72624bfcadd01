// The display form of a quote: the last step.
#pragma once

#include "base/sales/pricing/extras.hpp"
#include "base/sales/pricing/listeners.hpp"
#include "base/sales/pricing/quote.hpp"

namespace svc::pricing {

// Step 13: display filters never change the sums.
void show(Quote& quote, const Request& request, Extras extras, const Listeners& listeners);

}  // namespace svc::pricing
