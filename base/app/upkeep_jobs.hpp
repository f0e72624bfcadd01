// Jobs over several features: folding search texts again (base/platform/store/search_folding.hpp), and deleting expired
// credentials.
#pragma once

#include <array>

#include "base/platform/jobs/jobs.hpp"
#include "base/platform/store/search_folding.hpp"

namespace svc::app {

inline constexpr std::array search_columns{
    SVC_SEARCH_COLUMN("svc_bookings", "search", "search"),
    SVC_SEARCH_COLUMN("svc_booking_travelers", "search", "search"),
    SVC_SEARCH_COLUMN("svc_payments", "transaction_search", "transaction_id"),
    SVC_SEARCH_COLUMN("svc_discounts", "search", "search"),
    SVC_SEARCH_COLUMN("svc_classifications", "search_text", "search_text"),
    SVC_SEARCH_COLUMN("svc_availability_rules", "search_text", "search_text"),
    SVC_SEARCH_COLUMN("svc_departures", "notes_folded", "notes_folded"),
    SVC_SEARCH_COLUMN("svc_departures", "places_folded", "places_folded"),
    SVC_SEARCH_COLUMN("svc_media", "search", "original_name || ' ' || alt_text || ' ' || caption")};

inline void add_search_job(jobs::Jobs& jobs, store::Store& store, const Clock& clock) {
    jobs.add({.name = "search_folding",
              .help = "Updates the search text of records written by an earlier version.",
              .every = std::chrono::hours(1),
              .run = [&store, &clock](Instant) -> Result<json::Value> {
                  return json::Value::object({{"folded", store::fold_search_columns(store, search_columns, clock)}});
              }});
}

template <class Identity, class Keeper, class Limits>
void add_credentials_job(jobs::Jobs& jobs, Identity& identity, Keeper& keeper, Limits& limits) {
    jobs.add({.name = "credentials_cleanup",
              .help = "Deletes expired sessions, tokens, stored replies and rate limits.",
              .every = std::chrono::hours(1),
              .run = [&identity, &keeper, &limits](Instant) -> Result<json::Value> {
                  return json::Value::object({{"identity", identity.clean_up()},
                                              {"answers", keeper.clean_up()},
                                              {"limits", limits.clean_up()}});
              }});
}

}  // namespace svc::app
