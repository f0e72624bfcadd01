// The change of a trip that a body describes, and the rules between the trip's own fields.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/catalog/trips/record/trip.hpp"
#include "shared/core/result.hpp"

namespace svc::catalog::trips {

// Outside empty: not sent; inside empty: null.
template <class T>
using Sent = std::optional<std::optional<T>>;

struct PriceTypeChange {
    std::int64_t category_id = 0;
    std::optional<std::string> regular_price = {}, discounted_price = {}, sale_price = {};
    bool is_default = false;
    std::optional<int> min_quantity = {}, max_quantity = {};
    std::optional<Date> valid_from = {}, valid_to = {};
};

struct CategoryPriceChange {
    std::int64_t category_id = 0;
    std::optional<std::string> regular_price = {}, sale_price = {};
};

struct SeasonChange {
    Date first, last;
    std::optional<std::string> regular_price = {}, sale_price = {};
    std::vector<CategoryPriceChange> price_types = {};
    std::optional<int> seats = {};
    std::string note = {};
};

struct TimeSlotChange {
    ClockTime departure_time;
    std::optional<ClockTime> arrival_time = {};
    std::optional<int> seats = {};
    std::optional<std::string> price = {};
};

// Amounts are decimals as on the wire, read in the trip's currency; rates are percents, angles degrees.
struct TripChange {
    std::optional<std::string> title = {}, slug = {}, summary = {}, description = {}, trip_details = {},
                               what_makes_special = {}, trip_story = {}, payment_terms = {}, cancellation_policy = {},
                               starting_location = {}, ending_location = {}, seasonal_availability = {},
                               best_season = {}, peak_season = {}, off_season = {}, physical_requirements = {},
                               visa_requirements = {}, vaccination_requirements = {}, accommodation_type = {},
                               accommodation_details = {}, transportation_details = {}, pickup_location = {},
                               dropoff_location = {}, video_url = {}, virtual_tour_url = {}, meta_title = {},
                               meta_description = {}, meta_keywords = {};
    std::optional<std::string> status = {}, trip_type = {}, pricing_type = {}, featured_priority = {};
    Sent<std::string> meal_plan = {};
    Sent<int> duration = {}, duration_nights = {}, duration_hours = {}, min_travelers = {}, max_travelers = {},
              age_min = {}, age_max = {}, booking_window_days = {}, booking_deadline_hours = {}, waitlist_capacity = {};
    Sent<std::string> regular_price = {}, discounted_price = {}, sale_price = {}, deposit_amount = {},
                      deposit_percentage = {};
    Sent<std::string> starting_latitude = {}, starting_longitude = {}, ending_latitude = {}, ending_longitude = {};
    Sent<Date> available_from = {}, available_to = {}, seasonal_enable_date = {}, seasonal_disable_date = {};
    Sent<ClockTime> departure_time = {};
    Sent<Instant> scheduled_publish_at = {}, scheduled_unpublish_at = {};
    Sent<bool> has_default_time_slots = {}, seasonal_auto_enable = {}, is_featured = {}, transportation_included = {},
               waitlist_enabled = {};
    Sent<std::int64_t> difficulty_level = {}, featured_image = {};
    std::optional<std::vector<PriceTypeChange>> price_types = {};
    std::optional<std::vector<TimeSlotChange>> default_time_slots = {};
    std::optional<std::vector<SeasonChange>> seasons = {};
    std::optional<json::Value> landmarks = {}, included_items = {}, excluded_items = {}, frontend_tabs = {},
                               custom_fields = {}, testimonial_review_ids = {};
    // Members of parts by name, validated; null clears.
    std::vector<std::pair<std::string, json::Value>> parts = {};
    bool by_season = false;                        // archived until the season begins again
    bool allow_free = false;                       // published although it costs nothing
    std::optional<std::int64_t> row_version = {};  // the version that the writer has read; another one is svc_conflict
};

// The trip after the change. `fresh`: it is new, so trip_type follows the duration. The error has every invalid field.
// The slug may still collide; references are not checked.
Result<Trip> changed(Trip trip, const TripChange& change, bool fresh);

// Whether the change has prices.
bool sends_prices(const TripChange& change);
// The trip with the same numbers in another currency, without the prices that the change replaces. The error names the
// amounts with more decimals than the currency has.
Result<Trip> in_currency(Trip trip, Currency currency, const TripChange& change);

}  // namespace svc::catalog::trips
