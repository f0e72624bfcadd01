// Reads the columns of departures that selling needs.
#pragma once

#include <vector>

#include "base/availability/record/departure_record.hpp"

// Conditions shared by take_seats, give_seats and the daily job; :today is the site's.
#define SVC_STATUS_FOR(booked) \
    "CASE WHEN end_date < :today THEN 'past' WHEN " booked " >= capacity THEN 'full' ELSE 'upcoming' END"

namespace svc::availability::rows {

// Reads the departures' prices by traveler category.
void read_category_prices(store::Session& session, std::vector<Slot>& slots);
bool is_category(store::Session& session, std::int64_t category_id);  // of travelers
std::vector<Slot> on_date(store::Session& session, std::int64_t trip_id, Date date);
std::optional<Slot> slot(store::Session& session, std::int64_t id);
// Whether staff ever planned a departure, be it in the trash now, or a recurring rule.
bool is_planned(store::Session& session, std::int64_t trip_id);
// Locks the row; unnecessary on SQLite.
void lock(store::Transaction& tx, std::int64_t departure_id);

// For memory. Those that have not ended before `first`, without the deleted ones.
std::vector<Slot> current(store::Session& session, Date first);
std::vector<Slot> of_trip(store::Session& session, std::int64_t trip_id, Date first);
std::vector<std::int64_t> planned_trips(store::Session& session);
std::vector<ChangedSlot> changed_since(store::Session& session, Instant since);  // deleted ones too

}  // namespace svc::availability::rows
