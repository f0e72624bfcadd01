// The SQL of itineraries, and of nothing else.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "base/catalog/itineraries/itinerary.hpp"
#include "shared/store/store.hpp"

namespace svc::catalog::itineraries {

// Each function runs on the session it is given.
namespace rows {
std::optional<Day> find_day(store::Session& session, std::int64_t id);
std::optional<Day> day_of(store::Session& session, std::int64_t trip_id, std::int64_t number);
std::int64_t highest_day(store::Session& session, std::int64_t trip_id);  // 0 without any
std::int64_t insert_day(store::Transaction& tx, Day day);
bool update_day(store::Transaction& tx, Day day);
bool remove_day(store::Transaction& tx, std::int64_t id);
// Moves the days beyond all places first, so that they can swap them.
void set_aside(store::Transaction& tx, std::int64_t trip_id);

// An entry with the day it is on.
struct Found {
    Entry entry;
    Day day;
};
std::optional<Found> find_entry(store::Session& session, std::int64_t id);
std::int64_t count_entries(store::Session& session, std::int64_t day_id);
std::int64_t next_order(store::Session& session, std::int64_t day_id);
std::int64_t insert_entry(store::Transaction& tx, Entry entry);
bool update_entry(store::Transaction& tx, Entry entry);
bool remove_entry(store::Transaction& tx, std::int64_t id);

// The days of those trips by trip and number, each with its entries; two statements, however many trips.
using Take = std::function<void(std::int64_t trip_id, std::vector<DayPlan> days)>;
void read(store::Session& session, std::span<const std::int64_t> trip_ids, const Take& take);

// Records that an entry may refer to: an item with its type, null when it does not exist; whether an item type exists.
struct Item {
    std::int64_t id = 0, item_type_id = 0;
    std::string name{};
    bool in_trash = false;
};
std::optional<Item> find_item(store::Session& session, std::int64_t id);
bool has_item_type(store::Session& session, std::int64_t id);
bool has_media(store::Session& session, std::int64_t id);
}  // namespace rows

}  // namespace svc::catalog::itineraries
