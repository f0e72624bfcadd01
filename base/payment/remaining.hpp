// What an owner's page needs to pay the balance of a booking.
#pragma once

#include "base/payment/checkout.hpp"

namespace svc::payment {

// no_balance_due when nothing is left, not_payable when the booking has ended.
Result<json::Value> open_remaining(store::Store& store, booking::Service& bookings, Service& payments,
                                   const Checkout& checkout, const Clock& clock, std::int64_t booking_id);

}  // namespace svc::payment
