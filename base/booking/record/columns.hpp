// The columns a booking is read by, wherever one is read.
#pragma once

#include "base/booking/record/booking.hpp"
#include "shared/store/store.hpp"

namespace svc::booking {

#define SVC_BOOKING_COLUMNS                                                                                            \
    "b.id, b.reference, b.trip_id, b.trip_title, b.trip_slug, b.customer_id, b.user_id, b.contact_first_name,"         \
    " b.contact_last_name, b.contact_email, b.contact_phone, b.contact_country, b.travel_date, b.end_date,"            \
    " b.departure_time, b.travelers_count, b.traveler_counts, b.currency, b.subtotal_minor, b.discount_minor,"         \
    " b.services_minor, b.itinerary_minor, b.tax_minor, b.total_minor, b.pay_now_minor, b.amount_paid_minor,"          \
    " b.tax_inclusive, b.payment_method, b.payment_gateway, b.payment_status, b.status, b.cancellation_reason,"        \
    " b.attention_reason, b.confirmed_at, b.completed_at, b.cancelled_at, b.needs_attention, b.special_requests,"      \
    " b.internal_notes, b.source, b.row_version, b.created_at, b.updated_at,"                                          \
    " b.coupon_code, b.tax_rate_ppm, b.payable_since,"                                                                 \
    " (SELECT MIN(l.departure_id) FROM svc_booking_departures l WHERE l.booking_id = b.id AND l.released_at IS NULL)," \
    " b.entered_afterwards"

constexpr store::Columns booking_columns = "itittiittttttttittiiiiiiiiittttttiiiitttiiitiiii";

Booking read_booking(const store::Row& row);
// What a booking is written by, be it made or changed; the moments and what only one of the two writes come on top.
store::Params params_of(const Booking& booking);

}  // namespace svc::booking
