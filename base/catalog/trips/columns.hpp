// The columns of svc_trips that a write sets, told once: statements, their types and their values follow this order.
#pragma once

#include "base/catalog/trips/trip.hpp"
#include "shared/store/store.hpp"

namespace svc::catalog::trips::rows {

// X(type, column)
// clang-format off
#define SVC_TRIP_WRITTEN(X) \
    X("t", title) X("t", slug) X("t", short_description) X("t", description) X("t", trip_details) \
    X("t", what_makes_special) X("t", trip_story) X("t", payment_terms) X("t", cancellation_policy) \
    X("t", starting_location) X("t", ending_location) X("t", seasonal_availability) X("t", best_season) \
    X("t", peak_season) X("t", off_season) X("t", physical_requirements) X("t", visa_requirements) \
    X("t", vaccination_requirements) X("t", accommodation_type) X("t", accommodation_details) \
    X("t", transportation_details) X("t", pickup_location) X("t", dropoff_location) X("t", video_url) \
    X("t", virtual_tour_url) X("t", meta_title) X("t", meta_description) X("t", meta_keywords) X("t", status) \
    X("t", status_before_trash) X("i", archived_by_season) X("i", scheduled_publish_at) \
    X("i", scheduled_unpublish_at) X("t", trip_type) X("i", duration_days) X("i", duration_nights) \
    X("i", duration_hours) X("i", starting_latitude) X("i", starting_longitude) X("i", ending_latitude) \
    X("i", ending_longitude) X("t", pricing_type) X("t", currency) X("i", regular_price_minor) \
    X("i", discounted_price_minor) X("i", sale_price_minor) X("i", deposit_amount_minor) \
    X("i", deposit_percentage_ppm) X("i", min_travelers) X("i", max_travelers) X("i", age_min) X("i", age_max) \
    X("t", available_from) X("t", available_to) X("i", booking_window_days) X("i", booking_deadline_hours) \
    X("t", departure_time) X("i", has_default_time_slots) X("i", seasonal_auto_enable) X("t", seasonal_enable_date) \
    X("t", seasonal_disable_date) X("i", difficulty_level_id) X("t", featured_priority) X("i", is_featured) \
    X("t", meal_plan) X("i", transportation_included) X("i", featured_image_id) X("i", waitlist_enabled) \
    X("i", waitlist_capacity) X("t", landmarks) X("t", included_items) X("t", excluded_items) X("t", frontend_tabs) \
    X("t", custom_fields) X("t", testimonial_review_ids) X("i", version) X("i", updated_at) X("i", updated_by)
// clang-format on

#define SVC_COLUMN_NAME(type, column) #column ", "
#define SVC_COLUMN_TYPE(type, column) type
#define SVC_COLUMN_VALUE(type, column) ":" #column ", "
#define SVC_COLUMN_SET(type, column) #column " = :" #column ", "

// The price that a row of trips is shown with (price_of), in minor units: where it is priced by categories, that of the
// default one, else of the cheapest that costs something.
#define SVC_EFFECTIVE_PRICE(table)                                                                     \
    "CASE WHEN " table ".discounted_price_minor > 0 THEN " table ".discounted_price_minor WHEN " table \
    ".sale_price_minor > 0 THEN " table ".sale_price_minor ELSE " table ".regular_price_minor END"
#define SVC_SHOWN_PRICE(trip) \
    "CASE WHEN " trip ".pricing_type = 'traveler_based' THEN COALESCE((SELECT one.price FROM (SELECT "      \
    SVC_EFFECTIVE_PRICE("offer") " AS price, offer.is_default FROM svc_trip_price_types AS offer"           \
    " WHERE offer.trip_id = " trip ".id) AS one WHERE one.price > 0 ORDER BY one.is_default DESC, one.price" \
    " LIMIT 1), 0) ELSE " SVC_EFFECTIVE_PRICE(trip) " END"

// What a read has besides.
#define SVC_TRIP_COLUMNS                                                                                           \
    SVC_TRIP_WRITTEN(SVC_COLUMN_NAME)                                                                              \
    "id, views_count, bookings_count, reviews_count, avg_rating_hundredths, revenue_total_minor, last_viewed_at, " \
    "last_booked_at, row_version, counts_version, created_at, created_by, deleted_at, "                            \
    "(SELECT display_name FROM svc_users WHERE svc_users.id = svc_trips.created_by), "                             \
    "(SELECT display_name FROM svc_users WHERE svc_users.id = svc_trips.updated_by)"
inline constexpr store::Columns trip_types = SVC_TRIP_WRITTEN(SVC_COLUMN_TYPE) "iiiiiiiiiiiiitt";

// A row of SVC_TRIP_COLUMNS, without price types and time slots.
Trip read(const store::Row& row);
// The values of SVC_TRIP_WRITTEN, and title_folded.
store::Params values_of(const Trip& trip);

}  // namespace svc::catalog::trips::rows
