// One row per column.
#include "base/catalog/trips/record/trip_record.hpp"

#include "base/catalog/trips/record/place_columns.hpp"
#include "shared/core/log.hpp"
#include "shared/core/words.hpp"

namespace svc::catalog::trips {
namespace {

using record::by_other;
using record::converted;
using record::hidden;
using record::stored;

// JSON of one kind. A value that cannot be read is the empty one, so that one broken row does not hide a catalogue.
template <json::Value Trip::*member>
record::Entry<Trip> json_column(const char* name) {
    return converted<Trip, json::Value>(
        name, [](const Trip& trip) { return trip.*member; },
        [](Trip& trip, json::Value value) {
            if (value.kind() == (trip.*member).kind())
                trip.*member = std::move(value);
            else
                log::warning("a column of a trip holds no JSON of its kind; read as empty", {});
        },
        api::anything(), hidden);
}

template <class M>
record::Entry<Trip> amount_column(const char* name, M Trip::*member) {
    return record::money(name, member, &Trip::currency, api::money(), hidden);
}

record::Entry<Trip> user_name_column(const char* name, std::optional<std::string> Trip::*member,
                                     const char* expression) {
    return record::derived(name, member, expression, api::text(255), {}, hidden);
}

}  // namespace

const record::Rows<Trip>& trip_record() {
    static const record::Rows<Trip> record{
        {.table = "svc_trips"},
        {stored("id", &Trip::id), stored("title", &Trip::title),
         record::stored_text<Trip>("title_folded", [](const Trip& trip) { return text::title_order(trip.title); }),
         stored("slug", &Trip::slug), stored("short_description", &Trip::summary),
         stored("description", &Trip::description), stored("trip_details", &Trip::trip_details),
         stored("what_makes_special", &Trip::what_makes_special), stored("trip_story", &Trip::trip_story),
         stored("payment_terms", &Trip::payment_terms), stored("cancellation_policy", &Trip::cancellation_policy),
         stored("starting_location", &Trip::starting_location), stored("ending_location", &Trip::ending_location),
         stored("seasonal_availability", &Trip::seasonal_availability), stored("best_season", &Trip::best_season),
         stored("peak_season", &Trip::peak_season), stored("off_season", &Trip::off_season),
         stored("physical_requirements", &Trip::physical_requirements),
         stored("visa_requirements", &Trip::visa_requirements),
         stored("vaccination_requirements", &Trip::vaccination_requirements),
         stored("accommodation_type", &Trip::accommodation_type),
         stored("accommodation_details", &Trip::accommodation_details),
         stored("transportation_details", &Trip::transportation_details),
         stored("pickup_location", &Trip::pickup_location), stored("dropoff_location", &Trip::dropoff_location),
         stored("video_url", &Trip::video_url), stored("virtual_tour_url", &Trip::virtual_tour_url),
         stored("meta_title", &Trip::meta_title), stored("meta_description", &Trip::meta_description),
         stored("meta_keywords", &Trip::meta_keywords),
         record::choice("status", &Trip::status, trip_status_names(), hidden),
         converted<Trip, std::optional<std::string>>(
             "status_before_trash",
             [](const Trip& trip) {
                 return trip.status_before_trash ? std::optional(std::string(name_of(*trip.status_before_trash)))
                                                 : std::nullopt;
             },
             [](Trip& trip, std::optional<std::string> name) {
                 trip.status_before_trash = name ? trip_status(*name) : std::nullopt;
             },
             api::text(20), hidden),
         stored("archived_by_season", &Trip::archived_by_season),
         stored("scheduled_publish_at", &Trip::scheduled_publish_at),
         stored("scheduled_unpublish_at", &Trip::scheduled_unpublish_at),
         record::choice("trip_type", &Trip::type, trip_type_names(), hidden),
         stored("duration_days", &Trip::duration_days), stored("duration_nights", &Trip::duration_nights),
         stored("duration_hours", &Trip::duration_hours), place_columns<Trip, &Trip::start>("starting"),
         place_columns<Trip, &Trip::end>("ending"),
         converted<Trip, std::string>(
             "pricing_type",
             [](const Trip& trip) { return std::string(trip.traveler_based ? "traveler_based" : "regular"); },
             [](Trip& trip, std::string type) { trip.traveler_based = type == "traveler_based"; }, api::text(20),
             hidden),
         stored("currency", &Trip::currency), amount_column("regular_price", &Trip::regular_price),
         amount_column("discounted_price", &Trip::discounted_price), amount_column("sale_price", &Trip::sale_price),
         amount_column("deposit_amount", &Trip::deposit_amount),
         stored("deposit_percentage_ppm", &Trip::deposit_percentage), stored("min_travelers", &Trip::min_travelers),
         stored("max_travelers", &Trip::max_travelers), stored("age_min", &Trip::age_min),
         stored("age_max", &Trip::age_max), stored("available_from", &Trip::available_from),
         stored("available_to", &Trip::available_to), stored("booking_window_days", &Trip::booking_window_days),
         stored("booking_deadline_hours", &Trip::booking_deadline_hours),
         stored("departure_time", &Trip::departure_time),
         stored("has_default_time_slots", &Trip::has_default_time_slots),
         stored("seasonal_auto_enable", &Trip::seasonal_auto_enable),
         stored("seasonal_enable_date", &Trip::seasonal_enable_date),
         stored("seasonal_disable_date", &Trip::seasonal_disable_date),
         stored("difficulty_level_id", &Trip::difficulty_level_id),
         stored("featured_priority", &Trip::featured_priority), stored("is_featured", &Trip::is_featured),
         stored("meal_plan", &Trip::meal_plan), stored("transportation_included", &Trip::transportation_included),
         stored("featured_image_id", &Trip::featured_image_id), stored("waitlist_enabled", &Trip::waitlist_enabled),
         stored("waitlist_capacity", &Trip::waitlist_capacity), json_column<&Trip::landmarks>("landmarks"),
         json_column<&Trip::included_items>("included_items"), json_column<&Trip::excluded_items>("excluded_items"),
         json_column<&Trip::frontend_tabs>("frontend_tabs"), json_column<&Trip::custom_fields>("custom_fields"),
         json_column<&Trip::testimonial_review_ids>("testimonial_review_ids"), stored("version", &Trip::version),
         record::row_version<Trip>(), record::timestamps<Trip>(),
         stored("created_by", &Trip::created_by, record::by_server_on_create), stored("updated_by", &Trip::updated_by),
         user_name_column("created_by_name", &Trip::created_by_name,
                          "(SELECT u.display_name FROM svc_users u WHERE u.id = r.created_by)"),
         user_name_column("updated_by_name", &Trip::updated_by_name,
                          "(SELECT u.display_name FROM svc_users u WHERE u.id = r.updated_by)"),
         stored("deleted_at", &Trip::deleted_at), stored("deleted_by", &Trip::deleted_by),
         // Counters, written by separate statements.
         stored("views_count", &Trip::views_count, by_other), stored("bookings_count", &Trip::bookings_count, by_other),
         stored("reviews_count", &Trip::reviews_count, by_other),
         stored("avg_rating_hundredths", &Trip::avg_rating_hundredths, by_other),
         record::money("revenue_total", &Trip::revenue_total, &Trip::currency, api::money(), by_other),
         stored("last_viewed_at", &Trip::last_viewed_at, by_other),
         stored("last_booked_at", &Trip::last_booked_at, by_other),
         stored("counts_version", &Trip::counts_version, by_other)}};
    return record;
}

}  // namespace svc::catalog::trips
