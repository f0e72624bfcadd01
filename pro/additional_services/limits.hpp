// What limits a service on a departure: its stock in pieces, and its deadline. One unit of a service with a price per
// person is a piece for each traveler of its booking, of any other service one piece.
#pragma once

#include <map>

#include "pro/additional_services/additional_service.hpp"

namespace svc::pro::additional_services {

// A departure as the price of a booking names it.
struct Departure {
    std::int64_t trip_id = 0;
    Date day;
    std::optional<ClockTime> time = {};  // empty: the day has one departure, or its time is not known yet

    // When it begins, without a time with its day.
    [[nodiscard]] Instant begins(const Zone& zone) const;
};

// Of a price's context: nothing while no date is chosen. The time of a date that has one is looked up.
std::optional<Departure> departure_of(store::Session& session, const json::Value& context);

// From when only staff add the service; nothing: until the departure.
std::optional<Instant> closes_at(const AdditionalService& service, const Departure& departure, const Zone& zone);

// Locks the day's units of a service until the transaction ends, so that what is counted then is still so when it
// commits. Lock services in the order of their ids.
void lock_stock(store::Transaction& tx, std::int64_t service_id, const Departure& departure);

// Pieces that bookings of the departure have; those that were given up have none. `except`: not counted; 0: all are.
std::int64_t pieces_taken(store::Session& session, std::int64_t service_id, const Departure& departure,
                          std::int64_t except);

// Units by service of one booking.
std::map<std::int64_t, std::int64_t> units_of_booking(store::Session& session, std::int64_t booking_id);

// The services of a booking that have a stock, by id; also those that are not sold any more.
struct Stocked {
    std::int64_t service_id = 0;
    std::string name;
    std::int64_t quantity = 0;
    bool is_for_each_traveler = false;
    std::int64_t stock = 0;

    [[nodiscard]] std::int64_t pieces(std::int64_t travelers) const {
        return is_for_each_traveler ? quantity * travelers : quantity;
    }
};
std::vector<Stocked> stocked_of_booking(store::Session& session, std::int64_t booking_id);

// Forgets the locks of days before `day`; returns how many.
std::int64_t remove_old_days(store::Transaction& tx, Date day);

}  // namespace svc::pro::additional_services
