// How a quote looks on the wire.
#pragma once

#include "base/pricing/quote.hpp"
#include "shared/api/schema.hpp"

namespace svc::pricing {

// The members of spec 4.6's summary, made of the sums; Quote::shown is this with the listeners' additions.
json::Value to_wire(const Quote& quote);
// These members; what listeners add is theirs to declare.
api::Type quote_answer();

}  // namespace svc::pricing
