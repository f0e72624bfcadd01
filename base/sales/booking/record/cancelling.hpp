// What a booking's customer agreed to about cancelling, and what that costs on the day that counts.
#pragma once

#include "base/sales/booking/cancellation/agreed.hpp"
#include "base/sales/booking/record/booking.hpp"
#include "base/settings/values/settings.hpp"
#include "shared/store/store.hpp"

namespace svc::booking {

// Nothing: nothing is agreed. The day is that of the booking's cancellation, else today in the site's zone.
std::optional<ShownCancellation> agreed_cancellation(store::Session& session, const Booking& booking,
                                                     const settings::Settings& settings, Instant now);
// The same as the booking's member `cancellation`; null: nothing is agreed.
json::Value cancellation_of(store::Session& session, const Booking& booking, const settings::Settings& settings,
                            Instant now);

}  // namespace svc::booking
