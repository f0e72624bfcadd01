// The columns of a departure that selling goes by, and the reads of them.
#pragma once

#include <utility>
#include <vector>

#include "base/availability/record/departure.hpp"
#include "shared/store/store.hpp"

#define SVC_SLOT_COLUMNS                                                                                           \
    "id, trip_id, revision, origin, sale_state, status, start_date, end_date, start_time, capacity, booked_count," \
    " currency, regular_price_minor, sale_price_minor, cutoff_date, cutoff_hours, capacity_override - "            \
    "overbooked_by_force,"                                                                                         \
    " rule_id, pricing_type, waiting_seats"
#define SVC_SLOT_TYPES "iiittttttiitiitiiiti"

namespace svc::availability::rows {

inline constexpr store::Columns slot_types = SVC_SLOT_TYPES;
// What take_seats, give_seats and the daily job all say; :today is the site's.
#define SVC_STATUS_FOR(booked) \
    "CASE WHEN end_date < :today THEN 'past' WHEN " booked " >= capacity THEN 'full' ELSE 'upcoming' END"

inline void read_slot(const store::Row& row, Slot& slot) {
    const auto currency = Currency::parse(row.text(11)).value();
    const auto money = [&](std::size_t column) -> std::optional<Money> {
        const auto minor = row.maybe_integer(column);
        return minor ? std::optional(Money{*minor, currency}) : std::nullopt;
    };
    slot.id = row.integer(0);
    slot.trip_id = row.integer(1);
    slot.revision = row.integer(2);
    slot.origin = origin_of(row.text(3)).value();
    slot.sale_state = sale_state_of(row.text(4)).value();
    slot.status = status_of(row.text(5)).value();
    slot.deleted = slot.status == Status::trash;
    slot.start_date = row.date(6);
    slot.end_date = row.date(7);
    if (!row.is_null(8))
        slot.time = ClockTime::parse(row.text(8));
    slot.capacity = static_cast<int>(row.integer(9));
    slot.booked = static_cast<int>(row.integer(10));
    slot.regular_price = money(12);
    slot.sale_price = money(13);
    slot.cutoff_date = row.maybe_date(14);
    if (!row.is_null(15))
        slot.cutoff_hours = static_cast<int>(row.integer(15));
    slot.may_be_overbooked = row.flag(16);
    slot.rule_id = row.maybe_integer(17);
    if (!row.is_null(18))
        slot.traveler_based = row.text(18) == "traveler_based";
    slot.waiting = static_cast<int>(row.integer(19));
}

inline Slot slot_of(const store::Row& row) {
    Slot slot;
    read_slot(row, slot);
    return slot;
}

// Fills in what the departures cost by traveler category.
void read_category_prices(store::Session& session, std::vector<Slot>& slots);
bool is_category(store::Session& session, std::int64_t category_id);  // of travelers
std::vector<Slot> on_date(store::Session& session, std::int64_t trip_id, Date date);
std::optional<Slot> slot(store::Session& session, std::int64_t id);
// Whether staff ever planned a departure, be it in the trash now, or a recurring rule.
bool is_planned(store::Session& session, std::int64_t trip_id);
// Makes other writers of the row wait; on SQLite there are none.
void lock(store::Transaction& tx, std::int64_t departure_id);

// For memory. Those that have not ended before `first`, without the deleted ones.
std::vector<Slot> current(store::Session& session, Date first);
std::vector<Slot> of_trip(store::Session& session, std::int64_t trip_id, Date first);
std::vector<std::int64_t> planned_trips(store::Session& session);
std::vector<std::pair<Slot, Instant>> changed_since(store::Session& session, Instant since);  // deleted ones too

}  // namespace svc::availability::rows
