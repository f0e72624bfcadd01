// Trips, the product: entity and statuses.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/catalog/trips/record/place.hpp"
#include "base/catalog/trips/record/price.hpp"
#include "shared/core/date.hpp"
#include "shared/core/money.hpp"
#include "shared/json/value.hpp"

namespace svc::catalog::trips {

enum class TripStatus : std::uint8_t { draft, review, approved, publish, private_, archived, suspended, trash };
std::string_view name_of(TripStatus status);  // as on the wire: "private"
std::optional<TripStatus> trip_status(std::string_view name);
// All that can be written; trash is reached by DELETE alone.
inline constexpr std::array<std::string_view, 7> writable_statuses{"draft",   "review",   "approved", "publish",
                                                                   "private", "archived", "suspended"};

enum class TripType : std::uint8_t { single_day, multi_day };
std::string_view name_of(TripType type);
// The names by their values.
std::span<const std::string_view> trip_status_names();
std::span<const std::string_view> trip_type_names();

// A departure time of days without departures.
struct TimeSlot {
    ClockTime departure_time;
    std::optional<ClockTime> arrival_time;
    std::optional<int> seats;
    std::optional<Money> price;
    friend bool operator==(const TimeSlot&, const TimeSlot&) = default;
};

// An entry of the itinerary that is paid with the booking.
struct Charge {
    std::int64_t entry_id = 0, day_number = 1;
    std::string title;
    Money cost;
    bool per_person = true;  // else once a booking
    friend bool operator==(const Charge&, const Charge&) = default;
};

// Amounts are in `currency`: the site's when its prices were saved, the last time that nothing else was in it.
struct Trip {
    std::int64_t id = 0;
    std::string title, slug;
    // Texts; the table in fields.hpp limits each.
    std::string summary, description, trip_details, what_makes_special, trip_story, payment_terms, cancellation_policy,
        starting_location, ending_location, seasonal_availability, best_season, peak_season, off_season,
        physical_requirements, visa_requirements, vaccination_requirements, accommodation_type, accommodation_details,
        transportation_details, pickup_location, dropoff_location, video_url, virtual_tour_url, meta_title,
        meta_description, meta_keywords;
    TripStatus status = TripStatus::draft;
    std::optional<TripStatus> status_before_trash;
    bool archived_by_season = false;
    std::optional<Instant> scheduled_publish_at, scheduled_unpublish_at;
    TripType type = TripType::multi_day;
    int duration_days = 0, duration_nights = 0;  // a draft of several days may still have 0 or 1 days
    std::optional<int> duration_hours;           // 1 to 24, only on a single day
    std::optional<Place> start, end;
    bool traveler_based = false;  // priced by price_types only; else by regular_price and sale_price
    Currency currency = Currency::usd();
    Money regular_price{0, Currency::usd()};
    std::optional<Money> discounted_price, sale_price;
    std::vector<PriceType> price_types;      // in the order they are offered
    std::vector<PricedSeason> seasons;       // by their dates; none overlaps another
    std::optional<Money> deposit_amount;     // flat per booking; empty inherits, 0 is no deposit on this trip
    std::optional<Rate> deposit_percentage;  // the same
    int min_travelers = 1;
    std::optional<int> max_travelers, age_min, age_max;
    std::optional<Date> available_from, available_to;  // outside nothing is bookable
    int booking_window_days = 30;                      // described, filters nothing
    int booking_deadline_hours = 24;
    std::optional<ClockTime> departure_time;
    bool has_default_time_slots = false;
    std::vector<TimeSlot> time_slots;  // by time
    bool seasonal_auto_enable = false;
    std::optional<Date> seasonal_enable_date, seasonal_disable_date;  // of any year
    std::optional<std::int64_t> difficulty_level_id, featured_image_id;
    std::string featured_priority = "none";
    bool is_featured = false, transportation_included = false;
    std::optional<std::string> meal_plan;
    std::optional<bool> waitlist_enabled;  // empty: from the setting
    int waitlist_capacity = 0;             // 0: unlimited
    json::Value landmarks = json::Value::array(), included_items = json::Value::array(),
                excluded_items = json::Value::array(), frontend_tabs = json::Value::array(),
                custom_fields = json::Value::object(), testimonial_review_ids = json::Value::array();
    std::int64_t version = 1;  // of the content, see docs/rules.md
    std::int64_t views_count = 0, bookings_count = 0, reviews_count = 0, avg_rating_hundredths = 0;
    Money revenue_total{0, Currency::usd()};
    std::optional<Instant> last_viewed_at, last_booked_at;
    std::int64_t row_version = 1, counts_version = 0;  // of edits, and of counted totals
    Instant created_at, updated_at;
    std::optional<std::int64_t> created_by, updated_by;
    // Of a trip in memory alone, since both are in rows of parts.
    std::vector<Charge> charges = {};
    std::string country_code = {};  // of its first destination that has one
    std::optional<std::string> created_by_name, updated_by_name;
    std::optional<Instant> deleted_at;
    std::optional<std::int64_t> deleted_by = {};

    // Seats of a date without its own capacity.
    [[nodiscard]] int default_capacity() const { return max_travelers.value_or(20); }
    // Days from the first to the last, at least 1.
    [[nodiscard]] int length() const { return duration_days > 1 ? duration_days : 1; }
    [[nodiscard]] bool is_public() const { return status == TripStatus::publish; }
    // The price type that the trip is shown with: the default one if it costs something, else the cheapest that does;
    // null when the trip is not priced by them or none has a price.
    [[nodiscard]] const PriceType* shown_price_type() const;
    // The season of a travel date; null when it is in none.
    [[nodiscard]] const PricedSeason* season_on(Date date) const;
    friend bool operator==(const Trip&, const Trip&) = default;
};

// discounted_price counts before sale_price; by traveler category, that of shown_price_type().
PricePair price_of(const Trip& trip);
// The trip's own prices, which apply if no category has a price.
PricePair regular_price_of(const Trip& trip);

}  // namespace svc::catalog::trips
