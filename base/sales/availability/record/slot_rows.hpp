// Reads the columns of departures that selling needs.
#pragma once

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "base/sales/availability/record/departure_record.hpp"
#include "shared/store/read_rows.hpp"

// Conditions shared by take_seats, give_seats and the daily job; :today is the site's.
#define SVC_STATUS_FOR(booked) \
    "CASE WHEN end_date < :today THEN 'past' WHEN " booked " >= capacity THEN 'full' ELSE 'upcoming' END"

namespace svc::availability::rows {

// Calls `take` with each departure that has prices by traveler category, a price at a time, by one statement.
template <class Departures, class Take>
void each_category_price(store::Session& session, Departures& departures, const Take& take) {
    if (departures.empty())
        return;
    std::unordered_map<std::int64_t, typename Departures::value_type*> by_id;
    for (auto& each : departures)
        by_id.emplace(each.id, &each);
    const auto [least, most] = std::minmax_element(departures.begin(), departures.end(),
                                                   [](const auto& a, const auto& b) { return a.id < b.id; });
    store::each_row(session,
                    "SELECT departure_id, category_id, regular_price_minor, sale_price_minor FROM svc_departure_prices"
                    " WHERE departure_id BETWEEN :least AND :most ORDER BY departure_id, category_id",
                    {{"least", least->id}, {"most", most->id}},
                    [&](std::int64_t departure_id, std::int64_t category_id, std::int64_t regular,
                        std::optional<std::int64_t> lowered) {
                        if (const auto at = by_id.find(departure_id); at != by_id.end())
                            take(*at->second, category_price(category_id, regular, lowered, at->second->currency));
                    });
}
// Reads the departures' prices by traveler category.
void read_category_prices(store::Session& session, std::vector<Slot>& slots);
bool is_user(store::Session& session, std::int64_t user_id);
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
