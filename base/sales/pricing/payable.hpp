// The payment options of a booking with their amounts due.
#pragma once

#include "base/sales/pricing/listeners.hpp"
#include "base/sales/pricing/quote.hpp"

namespace svc::pricing {

// `name` is full, deposit or partial; listeners' own options have their own label.
std::string label_of(std::string_view name);

// From settings and trip, before the listeners; never empty.
std::vector<PaymentOption> ways_to_pay(const Terms& terms, const catalog::trips::Trip& trip, const Request& request,
                                       const Money& total, const Listeners& listeners);

}  // namespace svc::pricing
