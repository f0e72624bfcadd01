// The answers of a booking that are not sealed, for events: these are stored as plain text.
#pragma once

#include "shared/json/value.hpp"
#include "shared/store/store.hpp"

namespace svc::booking {

// {"contact", "emergency", "travelers", "withheld"}: `withheld` names the sealed ones that the booking's form asked
// for, such as "travelers.passport_number".
json::Value open_answers(store::Session& session, std::int64_t booking_id);

}  // namespace svc::booking
