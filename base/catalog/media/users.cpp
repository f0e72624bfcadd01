// Who refers to a file: one statement for each table that does.
#include "base/catalog/media/users.hpp"

namespace svc::catalog::media {
namespace {

struct User {
    const char* statement;  // of id and name, at most ten
    const char* kind;
};

constexpr User users[] = {
    {"SELECT id, title FROM svc_trips WHERE featured_image_id = :id ORDER BY id LIMIT 10", "trip"},
    {"SELECT DISTINCT t.id, t.title FROM svc_trip_gallery g JOIN svc_trips t ON t.id = g.trip_id"
     " WHERE g.media_id = :id ORDER BY t.id LIMIT 10",
     "gallery of trip"},
    {"SELECT DISTINCT t.id, t.title FROM svc_trip_downloads d JOIN svc_trips t ON t.id = d.trip_id"
     " WHERE d.media_id = :id ORDER BY t.id LIMIT 10",
     "downloads of trip"},
    {"SELECT DISTINCT t.id, t.title FROM svc_itinerary_days d JOIN svc_trips t ON t.id = d.trip_id"
     " WHERE d.image_id = :id ORDER BY t.id LIMIT 10",
     "itinerary of trip"},
    {"SELECT DISTINCT t.id, t.title FROM svc_itinerary_media m JOIN svc_itinerary_entries e ON e.id = m.entry_id"
     " JOIN svc_itinerary_days d ON d.id = e.day_id JOIN svc_trips t ON t.id = d.trip_id"
     " WHERE m.media_id = :id ORDER BY t.id LIMIT 10",
     "itinerary of trip"},
    {"SELECT id, name FROM svc_classifications WHERE featured_image_id = :id ORDER BY id LIMIT 10", "classification"},
    {"SELECT DISTINCT c.id, c.name FROM svc_classification_gallery g"
     " JOIN svc_classifications c ON c.id = g.classification_id WHERE g.media_id = :id ORDER BY c.id LIMIT 10",
     "gallery of classification"},
};

}  // namespace

std::vector<std::string> users_of(store::Session& session, std::int64_t id) {
    std::vector<std::string> found;
    for (const User& user : users)
        session.each(user.statement, "it", {{"id", id}}, [&](const store::Row& row) {
            found.push_back(std::string(user.kind) + " " + std::to_string(row.integer(0)) + ", " + row.text(1));
        });
    return found;
}

}  // namespace svc::catalog::media
