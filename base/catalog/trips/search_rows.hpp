// The words of trips in the database: who has them, best first.
#pragma once

#include <vector>

#include "base/catalog/trips/repository.hpp"
#include "base/catalog/trips/search_text.hpp"

namespace svc::catalog::trips::rows {

// Replaces the words a trip is found by.
void index(store::Transaction& tx, std::int64_t trip_id, const SearchWords& words);
// Before the trip is deleted: an index of SQLite's refers to nothing by itself.
void unindex(store::Transaction& tx, std::int64_t trip_id);

struct Found {
    std::vector<std::int64_t> ids;  // of the page, in its order
    std::int64_t total = 0;
};
// The trips that have every word, or one that begins so, by `query`'s status and order; `relevance` is an order too.
Found search(store::Session& session, const SearchQuery& words, const TripQuery& query);

}  // namespace svc::catalog::trips::rows
