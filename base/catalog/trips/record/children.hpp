// The SQL of the typed rows below a trip: price types, time slots, old slugs.
#pragma once

#include <span>

#include "base/catalog/trips/record/renamed.hpp"
#include "base/catalog/trips/record/shown_trip.hpp"
#include "base/catalog/trips/record/trip.hpp"
#include "shared/store/store.hpp"

namespace svc::catalog::trips::rows {

// Reads price types, time slots and seasons of all of them, one statement each.
void add_children(store::Session& session, std::vector<Trip>& trips);
// Replaces both lists; a category keeps its row.
void write_price_types(store::Transaction& tx, const Trip& trip);
void write_time_slots(store::Transaction& tx, const Trip& trip);
void write_seasons(store::Transaction& tx, const Trip& trip);

// The rules of these traveler categories; missing ones and those in the trash are left out.
std::vector<std::pair<std::int64_t, CategoryRules>> categories(store::Session& session,
                                                               std::span<const std::int64_t> ids);
Tree tree(store::Session& session);
ClassRows class_rows(store::Session& session);
// Whether there is such a row that is not in the trash.
bool has_difficulty(store::Session& session, std::int64_t id);
bool has_picture(store::Session& session, std::int64_t id);  // one that everyone may see
bool has_approved_review(store::Session& session, std::int64_t id);

// From now on `slug` leads to the trip, unless a trip has it; `taken` leads nowhere else any more.
void remember_slug(store::Transaction& tx, std::int64_t trip_id, const std::string& slug, const std::string& taken);
struct OldSlug {
    std::string slug;
    std::int64_t trip_id = 0;
};
// Of trips that everyone may read.
std::vector<OldSlug> old_slugs(store::Session& session);

}  // namespace svc::catalog::trips::rows
