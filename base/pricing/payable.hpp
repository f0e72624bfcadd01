// The ways to pay a booking, with what each asks for at checkout.
#pragma once

#include "base/pricing/listeners.hpp"
#include "base/pricing/quote.hpp"

namespace svc::pricing {

// `name` is full, deposit or partial; what listeners call theirs otherwise has a label of its own.
std::string label_of(std::string_view name);

// By settings and trip, before listeners have their say; never empty.
std::vector<PaymentOption> ways_to_pay(const Terms& terms, const catalog::trips::Trip& trip, const Request& request,
                                       const Money& total, const Listeners& listeners);

}  // namespace svc::pricing
