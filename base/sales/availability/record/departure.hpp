// Departures, the dates of trips with their seats: the entity, its states and the classes of its capacity.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/catalog/trips/record/place.hpp"
#include "base/catalog/trips/record/price.hpp"
#include "shared/core/arrival.hpp"
#include "shared/core/date.hpp"
#include "shared/core/money.hpp"

namespace svc::availability {

// The origin of a departure: a date put on sale, a recurring rule, the first booking of a trip without fixed dates, or
// staff.
enum class Origin : std::uint8_t { fixed, recurring, open, manual };
enum class SaleState : std::uint8_t { open, unavailable, blocked, closed, cancelled };
enum class Status : std::uint8_t { upcoming, full, past, cancelled, trash };

std::string_view name_of(Origin origin);  // as stored
std::string_view name_of(SaleState state);
std::string_view name_of(Status status);
std::optional<Origin> origin_of(std::string_view name);
std::optional<SaleState> sale_state_of(std::string_view name);
std::optional<Status> status_of(std::string_view name);
// The names by their values.
std::span<const std::string_view> origin_names();
std::span<const std::string_view> sale_state_names();
std::span<const std::string_view> status_names();
// pricing_type, as stored and on the wire; empty where it is inherited.
std::optional<std::string> pricing_type_of(const std::optional<bool>& traveler_based);
std::optional<bool> traveler_based_of(const std::optional<std::string>& pricing_type);

// The names of an origin on the wire: of a departure and, seen by a buyer, of a date.
std::string_view source_of(Origin origin);
std::optional<Origin> origin_of_source(std::string_view source);
std::string_view date_source_of(Origin origin);

// A departure's own prices of traveler categories.
using catalog::trips::CategoryPrice;
using catalog::trips::CategoryPrices;

// Amounts in minor units, as stored.
inline CategoryPrice category_price(std::int64_t category_id, std::int64_t regular, std::optional<std::int64_t> lowered,
                                    Currency currency) {
    return {category_id, Money{regular, currency}, lowered ? std::optional(Money{*lowered, currency}) : std::nullopt};
}

// The fields of a departure that selling needs.
struct Slot {
    std::int64_t id = 0, trip_id = 0;
    std::int64_t revision = 0;  // +1 with every change, seats included
    Origin origin = Origin::manual;
    SaleState sale_state = SaleState::open;
    Status status = Status::upcoming;
    Date start_date, end_date;
    std::optional<ClockTime> time;
    int capacity = 0, booked = 0;
    int waiting = 0;  // seats that people wait for
    Currency currency = Currency::usd();
    std::optional<Money> regular_price, sale_price;  // a pair: without the first the trip's prices count
    std::optional<Date> cutoff_date;
    std::optional<int> cutoff_hours;
    bool may_be_overbooked = false;       // by staff
    std::optional<std::int64_t> rule_id;  // the rule it was made from, whose prices and cut-off it has without its own
    // Priced by traveler category or not; empty: as its rule, without one as its trip.
    std::optional<bool> traveler_based = {};
    // Its own prices by traveler category; null where they were not read.
    std::shared_ptr<const CategoryPrices> by_category = {};

    [[nodiscard]] bool is_deleted() const { return status == Status::trash; }
    [[nodiscard]] int available() const { return capacity > booked ? capacity - booked : 0; }
    // False: its date and time cannot be sold, however many seats are free.
    [[nodiscard]] bool on_sale() const { return sale_state == SaleState::open && status != Status::cancelled; }
    // A date put up by people or rules, as opposed to one that a booking brought about.
    [[nodiscard]] bool is_planned() const { return origin == Origin::fixed || origin == Origin::manual; }
    friend bool operator==(const Slot&, const Slot&) = default;
};

struct Departure : Slot {
    std::optional<ClockTime> arrival_time;  // on arrives_on()
    std::optional<Date> return_date;        // end_date when empty
    std::string block_reason;
    CategoryPrices prices;  // by category_id
    int alert_threshold = 5;
    std::string from_location, to_location, pickup_location, dropoff_location;  // empty: the trip's
    std::optional<catalog::trips::Place> from_place, to_place;
    std::optional<std::int64_t> guide_user_id;
    std::string equipment_included, special_notes;  // for customers
    std::string notes;                              // for staff, searched
    std::int64_t row_version = 1;                   // +1 with every edit, not with seats
    Instant created_at, updated_at;
    std::optional<std::int64_t> created_by = {}, updated_by = {};
    // When its seats were last held against the bookings; empty: not yet.
    std::optional<Instant> synced_at = {};
    std::string trip_title, trip_slug, trip_start;         // trip_start: its starting_location
    bool trip_in_trash = false, trip_unpublished = false;  // unpublished: a draft, in review or only approved
    std::int64_t trip_version = 0;                         // +1 with every edit of the trip
    Instant trip_changed_at;

    [[nodiscard]] Date arrives_on() const { return arrival_day(start_date, end_date, time, arrival_time); }
    friend bool operator==(const Departure&, const Departure&) = default;
};

// The status of a date on sale: available, limited or sold_out by its seats, else why it is not on sale.
std::string_view sale_status(const Slot& slot);
// available: nothing booked; full: no seat left; else partial.
std::string_view capacity_class(int capacity, int booked);
// The status of its seats: sold_out without free seats, limited at a fifth of the capacity or less (rounded up).
std::string_view seats_status(int capacity, int available);

}  // namespace svc::availability
