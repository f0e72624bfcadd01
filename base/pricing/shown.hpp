// What is shown of a quote: its last step.
#pragma once

#include "base/pricing/extras.hpp"
#include "base/pricing/listeners.hpp"
#include "base/pricing/quote.hpp"

namespace svc::pricing {

// Step 13: sums are never taken back from what is shown.
void show(Quote& quote, const Request& request, Extras extras, const Listeners& listeners);

}  // namespace svc::pricing
