// Who refers to a file: trips by any of their parts, and classifications.
#include "base/catalog/media/users.hpp"

namespace svc::catalog::media {
namespace {

#define SVC_TRIPS_SHOWING                                                                                  \
    " FROM svc_trips WHERE id IN (SELECT id FROM svc_trips WHERE featured_image_id = :id"                  \
    " UNION SELECT trip_id FROM svc_trip_gallery WHERE media_id = :id"                                     \
    " UNION SELECT trip_id FROM svc_trip_downloads WHERE media_id = :id"                                   \
    " UNION SELECT trip_id FROM svc_itinerary_days WHERE image_id = :id"                                   \
    " UNION SELECT d.trip_id FROM svc_itinerary_media m JOIN svc_itinerary_entries e ON e.id = m.entry_id" \
    " JOIN svc_itinerary_days d ON d.id = e.day_id WHERE m.media_id = :id)"
#define SVC_CLASSES_SHOWING                                                                                   \
    " FROM svc_classifications WHERE id IN (SELECT id FROM svc_classifications WHERE featured_image_id = :id" \
    " UNION SELECT classification_id FROM svc_classification_gallery WHERE media_id = :id)"

struct Asked {
    const char *first, *total;
};
constexpr Asked users[] = {
    {"SELECT 'trip', id, title" SVC_TRIPS_SHOWING " ORDER BY id LIMIT :most", "SELECT COUNT(*)" SVC_TRIPS_SHOWING},
    {"SELECT type, id, name" SVC_CLASSES_SHOWING " ORDER BY id LIMIT :most", "SELECT COUNT(*)" SVC_CLASSES_SHOWING}};

}  // namespace

Users users_of(store::Session& session, std::int64_t id, int most) {
    Users found;
    for (const Asked& asked : users) {
        const auto total = session.number(asked.total, {{"id", id}});
        found.total += total;
        const int room = most - static_cast<int>(found.first.size());
        if (total > 0 && room > 0)
            session.each(asked.first, "tit", {{"id", id}, {"most", room}}, [&](const store::Row& row) {
                found.first.push_back({row.text(0), row.integer(1), row.text(2)});
            });
    }
    return found;
}

}  // namespace svc::catalog::media
