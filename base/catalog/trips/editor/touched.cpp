// Marks trips that show changed records of other features.
#include "base/catalog/trips/editor/touched.hpp"

#include "base/catalog/trips/editor/service.hpp"
#include "base/platform/store/changes.hpp"
#include "shared/store/by_ids.hpp"

namespace svc::catalog::trips {
namespace {

// Only writes the mark: rewriting ten thousand rows of trips would be tens of megabytes.
#define SVC_STAMP_SQLITE "(SELECT COALESCE(MAX(stamp), 0) + 1 FROM svc_trip_changes)"
#define SVC_STAMP_POSTGRES "CAST(CAST(pg_current_xact_id() AS TEXT) AS BIGINT)"
// In the order of the ids, as the triggers write them, so that no two writers wait for each other.
#define SVC_STAMPED(trip, from, column)                                                                           \
    ::svc::store::ByIds {                                                                                         \
        "INSERT INTO svc_trip_changes (trip_id, stamp) SELECT DISTINCT " trip ", " SVC_STAMP_SQLITE " FROM " from \
        " WHERE " column                                                                                          \
        " IN (SELECT value FROM json_each(:ids)) ON CONFLICT (trip_id) DO UPDATE SET"                             \
        " stamp = excluded.stamp",                                                                                \
            "INSERT INTO svc_trip_changes (trip_id, stamp) SELECT DISTINCT " trip ", " SVC_STAMP_POSTGRES         \
            " FROM " from " WHERE " column                                                                        \
            " = ANY(CAST(:ids AS BIGINT[])) ORDER BY 1 ON CONFLICT (trip_id)"                                     \
            " DO UPDATE SET stamp = EXCLUDED.stamp"                                                               \
    }

}  // namespace

void touch_trips_with(store::Transaction& tx, std::span<const std::int64_t> classification_ids) {
    constexpr store::ByIds by_link = SVC_STAMPED("trip_id", "svc_trip_classifications", "classification_id");
    constexpr store::ByIds by_price = SVC_STAMPED("trip_id", "svc_trip_price_types", "category_id");
    constexpr store::ByIds by_difficulty = SVC_STAMPED("id", "svc_trips", "difficulty_level_id");
    constexpr store::ByIds by_item =
        SVC_STAMPED("day.trip_id", "svc_itinerary_entries entry JOIN svc_itinerary_days day ON day.id = entry.day_id",
                    "entry.item_id");
    constexpr store::ByIds by_item_type =
        SVC_STAMPED("day.trip_id", "svc_itinerary_entries entry JOIN svc_itinerary_days day ON day.id = entry.day_id",
                    "entry.item_type_id");
    std::int64_t touched = 0;
    for (const auto& statement : {by_link, by_price, by_difficulty, by_item, by_item_type})
        touched += store::run_of(tx, statement, classification_ids);
    if (touched > 0)
        store::touch(tx, channel);
}

void touch_trips_showing(store::Transaction& tx, std::int64_t media_id) {
    constexpr store::ByIds by_front = SVC_STAMPED("id", "svc_trips", "featured_image_id");
    constexpr store::ByIds by_gallery = SVC_STAMPED("trip_id", "svc_trip_gallery", "media_id");
    const std::int64_t ids[] = {media_id};
    std::int64_t touched = 0;
    for (const auto& statement : {by_front, by_gallery})
        touched += store::run_of(tx, statement, ids);
    if (touched > 0)
        store::touch(tx, channel);
}

}  // namespace svc::catalog::trips
