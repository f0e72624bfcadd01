// Takes the amounts out of what guides read: they see no revenue (docs/rules.md).
#pragma once

#include "shared/api/route.hpp"

namespace svc::api {

// The route, whose answer has null in place of each amount, and of each text that writes one, for a caller who sees
// only what they guide, and which declares that. For routes that read bookings, payments and what belongs to them.
RouteSpec without_amounts_for_guides(RouteSpec route);
// The same of a value that is as `type` says.
void take_amounts(const Type& type, json::Value& value);
// The type of what take_amounts leaves of an answer: what it takes may be null. A component in which that changes
// anything is another one: "GuidedBooking".
Type without_amounts(Type answer);

}  // namespace svc::api
