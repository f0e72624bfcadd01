// The search index of trips in the database, ordered by relevance.
#pragma once

#include <vector>

#include "base/catalog/trips/record/repository.hpp"
#include "base/catalog/trips/record/search_text.hpp"

namespace svc::catalog::trips::rows {

// Replaces the indexed words of a trip.
void index(store::Transaction& tx, std::int64_t trip_id, const SearchWords& words);
// Before the trip is deleted: an index of SQLite's refers to nothing by itself.
void unindex(store::Transaction& tx, std::int64_t trip_id);

struct Found {
    std::vector<std::int64_t> ids;  // of the page, in its order
    std::int64_t total = 0;
};
// Trips that match every word or prefix, with the status and order of `query`; `relevance` is an order too.
Found search(store::Session& session, const SearchQuery& words, const TripQuery& query);

}  // namespace svc::catalog::trips::rows
