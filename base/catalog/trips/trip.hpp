// Trips, what is sold: the entity, its states and what its own fields say about each other.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "shared/core/date.hpp"
#include "shared/core/money.hpp"
#include "shared/core/result.hpp"

namespace svc::catalog::trips {

enum class TripStatus : std::uint8_t { draft, review, approved, publish, private_, archived, suspended, trash };
std::string_view name_of(TripStatus status);  // as on the wire: "private"
std::optional<TripStatus> trip_status(std::string_view name);
// All that can be written; trash is reached by DELETE alone.
inline constexpr std::array<std::string_view, 7> writable_statuses{"draft",   "review",   "approved", "publish",
                                                                   "private", "archived", "suspended"};

enum class TripType : std::uint8_t { single_day, multi_day };
std::string_view name_of(TripType type);

// Amounts are in `currency`, which is the site's when the trip was created.
struct Trip {
    std::int64_t id = 0;
    std::string title, slug, summary, description, payment_terms;
    TripStatus status = TripStatus::draft;
    std::optional<TripStatus> status_before_trash;
    TripType type = TripType::multi_day;
    int duration_days = 0, duration_nights = 0;  // a draft of several days may still have 0 or 1 days
    std::optional<int> duration_hours;           // 1 to 24, only on a single day
    Currency currency = Currency::usd();
    Money regular_price{0, Currency::usd()};
    std::optional<Money> discounted_price, sale_price;
    std::optional<Money> deposit_amount;     // flat per booking; empty inherits, 0 is no deposit on this trip
    std::optional<Rate> deposit_percentage;  // the same
    int min_travelers = 1;
    std::optional<int> max_travelers;
    std::optional<Date> available_from, available_to;  // outside nothing is bookable
    int booking_deadline_hours = 24;
    std::optional<ClockTime> departure_time;
    std::int64_t row_version = 1;
    Instant created_at, updated_at;
    std::optional<std::int64_t> created_by, updated_by;
    std::optional<Instant> deleted_at;

    // Seats of a date that says nothing itself.
    [[nodiscard]] int default_capacity() const { return max_travelers.value_or(20); }
    // Days from the first to the last, at least 1.
    [[nodiscard]] int length() const { return duration_days > 1 ? duration_days : 1; }
    [[nodiscard]] bool is_public() const { return status == TripStatus::publish; }
};

// A list price and what it is lowered to. Both travel together from one level to the next (departure, then trip).
struct PricePair {
    Money regular;
    std::optional<Money> lowered;
    // What is paid: the lowered price if it is above zero, else the list price.
    [[nodiscard]] Money effective() const;
    // Whole percent that the effective price lies below the list price, 0 when it does not.
    [[nodiscard]] int discount_percent() const;
};
// discounted_price counts before sale_price.
PricePair price_of(const Trip& trip);

// What a write asks for: outside empty: not sent; inside empty: null.
template <class T>
using Sent = std::optional<std::optional<T>>;

// Amounts are decimals as on the wire, read in the trip's currency; rates are percents.
struct TripChange {
    std::optional<std::string> title = {}, slug = {}, summary = {}, description = {}, payment_terms = {}, status = {},
                               trip_type = {};
    Sent<int> duration = {}, duration_nights = {}, duration_hours = {}, min_travelers = {}, max_travelers = {},
              booking_deadline_hours = {};
    Sent<std::string> regular_price = {}, discounted_price = {}, sale_price = {}, deposit_amount = {},
                      deposit_percentage = {};
    Sent<Date> available_from = {}, available_to = {};
    Sent<ClockTime> departure_time = {};
    std::optional<std::int64_t> row_version = {};  // what the writer has seen; another one is svc_conflict

    [[nodiscard]] bool changes_status() const { return status.has_value(); }
    [[nodiscard]] bool changes_fields() const;  // anything besides the status
};

// The trip as it will be. `fresh`: it is created now, so that trip_type follows the duration. Every field at fault is
// in the error. The slug is taken as wished and may still collide.
Result<Trip> changed(Trip trip, const TripChange& change, bool fresh);

// What a search looks in, folded.
std::string search_text_of(const Trip& trip);

}  // namespace svc::catalog::trips
