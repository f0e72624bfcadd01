// Customers, coupons, enquiries, reviews and bookings of the former plugins as fields; for the sources of this folder
// alone.
#pragma once

#include "base/data/wordpress_import/kinds.hpp"

namespace svc::wordpress_import {

json::Value customer_fields(const Item& item);
json::Value coupon_fields(const Item& item, const References& references, LeftOut& left);
json::Value enquiry_fields(const Item& item, const References& references);
// Nothing for a comment without stars, which is no review.
std::optional<json::Value> review_fields(const CommentOfItem& comment, const std::string& trip);
// {reference, trip, travel_date, time, travelers, first_name, …, status, total, discount, tax, coupon, paid: [amounts],
// payments_unknown, made_at, notes}.
json::Value booking_fields(const Item& item, const References& references);
std::string booking_reference(const Item& item);

// Adds name, address, phone and country of what a form stored.
void set_contact(json::Value& fields, const json::Value& stored);
// WordPress writes moments in UTC without a time zone.
std::string moment_of(const std::string& text);

}  // namespace svc::wordpress_import
