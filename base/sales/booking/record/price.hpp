// How a price becomes a booking's sums and lines.
#pragma once

#include "base/sales/booking/record/booking.hpp"
#include "base/sales/pricing/quote.hpp"

namespace svc::booking {

// Everything of the booking that a quote decides: party, sums, method.
void take_price(Booking& booking, const pricing::Quote& quote);
std::vector<Line> lines_of(const pricing::Quote& quote);
// Sets the amount due at checkout by the booking's method and the terms of its price.
void set_pay_now(Booking& booking, const json::Value& quote);
// The share of the total that a gateway with this configuration (its public part suffices) asks for first, of a booking
// that would be paid in full; none: all of it.
std::optional<Rate> deposit_asked_by(const json::Value& gateway_config);
// What is due at checkout of a booking that would be paid in full, where its gateway asks for that deposit.
Money due_with_deposit(const Money& due, const Money& total, std::optional<Rate> deposit);
void take_deposit(Booking& booking, std::optional<Rate> deposit);
// A tax by the rates of its breakdown, in its order.
std::vector<Money> divided_tax(const Money& tax, const json::Value& breakdown);
// Sets staff's total with the same share of tax: the difference becomes a line and part of the subtotal. `tax_by_hand`:
// staff set the tax too, so it stays.
Result<void> set_total(Booking& booking, std::vector<Line>& lines, const Money& total, const json::Value& quote,
                       bool tax_by_hand = false);

// Why staff set no other payment_status than paid.
inline constexpr SentenceId follows_from_payments =
    "This status is derived from payments; only paid can be set."_sentence;

}  // namespace svc::booking
