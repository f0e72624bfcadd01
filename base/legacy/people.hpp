// Customers, coupons, enquiries, reviews and bookings of the former plugins as fields; for the sources of this folder
// alone.
#pragma once

#include "base/legacy/kinds.hpp"

namespace svc::legacy {

json::Value customer_fields(const Item& item);
json::Value coupon_fields(const Item& item);
json::Value enquiry_fields(const Item& item, const References& references);
// Nothing for a comment without stars, which is no review.
std::optional<json::Value> review_fields(const CommentOfItem& comment, const std::string& trip);
// {reference, trip, travel_date, time, travelers, first_name, …, status, total, discount, tax, coupon, paid: [amounts],
// made_at, notes}.
json::Value booking_fields(const Item& item, const References& references);

}  // namespace svc::legacy
