// Versions of trips that others have changed.
#include "base/catalog/trips/touched.hpp"

#include "base/catalog/trips/service.hpp"
#include "base/platform/store/changes.hpp"
#include "shared/store/by_ids.hpp"

namespace svc::catalog::trips {

void touch_trips_with(store::Transaction& tx, std::span<const std::int64_t> classification_ids) {
    constexpr store::ByIds by_link = SVC_BY_IDS(
        "UPDATE svc_trips SET row_version = row_version + 1 WHERE id IN (SELECT trip_id FROM svc_trip_classifications"
        " WHERE",
        "classification_id", ")");
    constexpr store::ByIds by_price = SVC_BY_IDS(
        "UPDATE svc_trips SET row_version = row_version + 1 WHERE id IN (SELECT trip_id FROM svc_trip_price_types "
        "WHERE",
        "category_id", ")");
    constexpr store::ByIds by_difficulty =
        SVC_BY_IDS("UPDATE svc_trips SET row_version = row_version + 1 WHERE", "difficulty_level_id", "");
    constexpr store::ByIds by_item = SVC_BY_IDS(
        "UPDATE svc_trips SET row_version = row_version + 1 WHERE id IN (SELECT day.trip_id FROM svc_itinerary_entries"
        " entry JOIN svc_itinerary_days day ON day.id = entry.day_id WHERE",
        "entry.item_id", ")");
    constexpr store::ByIds by_item_type = SVC_BY_IDS(
        "UPDATE svc_trips SET row_version = row_version + 1 WHERE id IN (SELECT day.trip_id FROM svc_itinerary_entries"
        " entry JOIN svc_itinerary_days day ON day.id = entry.day_id WHERE",
        "entry.item_type_id", ")");
    std::int64_t touched = 0;
    for (const auto& statement : {by_link, by_price, by_difficulty, by_item, by_item_type})
        touched += store::run_of(tx, statement, classification_ids);
    if (touched > 0)
        store::touch(tx, channel);
}

}  // namespace svc::catalog::trips
