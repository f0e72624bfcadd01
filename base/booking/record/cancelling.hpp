// What a booking's customer agreed to about cancelling, and what that costs on the day that counts.
#pragma once

#include "base/booking/cancellation/agreed.hpp"
#include "base/booking/record/booking.hpp"
#include "base/settings/settings.hpp"
#include "shared/store/store.hpp"

namespace svc::booking {

// The member `cancellation` of the booking; null: nothing is agreed. The day is that of its cancellation, else today in
// the site's zone.
json::Value cancellation_of(store::Session& session, const Booking& booking, const settings::Settings& settings,
                            Instant now);

}  // namespace svc::booking
