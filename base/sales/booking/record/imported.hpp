// Bookings that another installation made.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/sales/booking/record/booking.hpp"
#include "shared/store/store.hpp"

namespace svc::booking {

// Stores it as it was there, without an event: the row, its lines, which add up to its total, the moments that its
// status reports, and what is paid. The id is set. Seats and rows of payments are the caller's. False: the reference
// is taken.
bool insert_imported(store::Transaction& tx, Booking& booking, const std::vector<Line>& lines, const Money& paid);

// One of these, locked.
std::optional<Booking> find_imported(store::Transaction& tx, std::int64_t id);
// Adds up its payments, of which the caller has stored one, without an event. Flags it where they are too much.
void settle_imported(store::Transaction& tx, const Booking& booking, Instant now);
// All payments are stored: no booking's are unknown any more, but those of these references.
void know_all_payments(store::Transaction& tx, const std::vector<std::string>& still, Instant now);
// How many bookings' payments are not known.
std::int64_t count_unknown_payments(store::Session& session);

}  // namespace svc::booking
