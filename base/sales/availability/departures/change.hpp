// A change of a departure, and the rules between its fields.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/catalog/trips/record/trip.hpp"
#include "base/sales/availability/record/departure.hpp"
#include "shared/core/faults.hpp"

namespace svc::availability {

// Outside empty: not sent; inside empty: null.
template <class T>
using Sent = std::optional<std::optional<T>>;

struct CategoryPriceChange {
    std::int64_t category_id = 0;
    std::string regular = {};
    std::optional<std::string> lowered = {};
};

// Amounts are decimals in the trip's currency, angles decimals of a degree.
struct DepartureChange {
    std::optional<Date> start_date = {};
    Sent<Date> end_date = {}, return_date = {}, cutoff_date = {};
    Sent<ClockTime> time = {}, arrival_time = {};
    Sent<int> capacity = {}, cutoff_hours = {}, alert_threshold = {};
    std::optional<bool> may_be_overbooked = {};
    Sent<std::string> regular_price = {}, sale_price = {}, pricing_type = {};
    std::optional<std::vector<CategoryPriceChange>> prices = {};
    Sent<std::string> from_latitude = {}, from_longitude = {}, to_latitude = {}, to_longitude = {};
    std::optional<std::string> from_location = {}, to_location = {}, pickup_location = {}, dropoff_location = {};
    std::optional<std::string> notes = {}, special_notes = {}, equipment_included = {}, block_reason = {};
    std::optional<std::string> sale_state = {}, status = {};
    // "sold_out" or "limited", which follow from the seats: neither puts a date on sale, and the first ends its sale.
    std::optional<std::string> seats_status = {};
    Sent<std::int64_t> guide_user_id = {};
    std::optional<std::int64_t> trip_id = {};  // of an update: another trip
    std::optional<std::int64_t> row_version = {};
    bool by_sale_names = false;  // the caller knows the fields as /availability calls them
};

// The departure after the change; reports every invalid field. Takes the status from staff and derives the rest.
Departure changed(Departure departure, const DepartureChange& change, const catalog::trips::Trip& trip, Faults& faults);

// A new departure before the change.
Departure fresh_departure(const catalog::trips::Trip& trip, Date start, Origin origin);

// The status by its days and seats, unless it is cancelled.
Status status_on(const Departure& departure, Date today);

}  // namespace svc::availability
