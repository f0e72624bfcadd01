// Until when a booking is to be paid: one rule for bookings, pages, e-mails and documents (docs/rules.md, Bookings).
#pragma once

#include <optional>

#include "base/sales/booking/record/booking.hpp"
#include "base/sales/booking/record/ports.hpp"
#include "base/settings/values/settings.hpp"

namespace svc::booking {

// The deadline of a booking that can be paid from `from` on: the end of the gateway's day, else booking_expiry_hours
// later; never after the departure, where that is still to come. Nothing: without end.
std::optional<Instant> pay_by_of(const settings::Settings& settings, const TimeToPay& time, Instant from,
                                 const std::optional<Departs>& departs);
std::optional<Instant> pay_by_of(const settings::Settings& settings, const TimeToPay& time, const Booking& booking,
                                 Instant from);

// When the trip begins, as people are told; without a time at the beginning of its day.
Instant departure_of(const settings::Settings& settings, Date day, std::optional<ClockTime> time);

// The last of so many working days, Monday to Friday, after that day.
Date working_days_after(Date day, std::int64_t count);

}  // namespace svc::booking
