// Rows by user and trip; what a trip shows is asked of the base.
#include "pro/saved_trips/saved_trips.hpp"

#include <algorithm>
#include <map>

#include "shared/store/typed.hpp"

namespace svc::pro::saved_trips {

using json::Value;

bool SavedTrips::enabled() const {
    return site_.modules.enabled(module_slug) && site_.settings.get("enable_wishlist").boolean();
}

std::vector<SavedTrip> SavedTrips::of(std::int64_t user_id) const {
    return site_.store.reading<std::vector<SavedTrip>>([&](store::Session& session) {
        std::vector<SavedTrip> all;
        for (const auto& [trip_id, saved_at] : store::tuples<std::int64_t, std::int64_t>(
                 session,
                 "SELECT trip_id, saved_at FROM svc_saved_trips WHERE user_id = :user ORDER BY saved_at DESC, trip_id",
                 {{"user", user_id}}))
            all.push_back({trip_id, Instant::from_micros(saved_at)});
        return all;
    });
}

bool SavedTrips::has(std::int64_t user_id, std::int64_t trip_id) const {
    return site_.store.reading<bool>([&](store::Session& session) {
        return session.number("SELECT COUNT(*) FROM svc_saved_trips WHERE user_id = :user AND trip_id = :trip",
                              {{"user", user_id}, {"trip", trip_id}}) > 0;
    });
}

Result<void> SavedTrips::save(std::int64_t user_id, const std::vector<std::int64_t>& trip_ids) const {
    SVC_ASSIGN_OR_RETURN(const auto trips, shown(trip_ids));
    if (trips.empty())
        return errc::trip_not_found;
    const Instant now = site_.clock.now();
    return site_.store.write([&, user_id, now](store::Transaction& tx) -> Result<void> {
        // The last one first, a millionth of a second apart: lists show the latest first.
        for (std::size_t i = trips.size(); i-- > 0;)
            tx.run(
                "INSERT INTO svc_saved_trips (user_id, trip_id, saved_at) VALUES (:user, :trip, :at)"
                " ON CONFLICT (user_id, trip_id) DO NOTHING",
                {{"user", user_id},
                 {"trip", trips[i]["id"].integer()},
                 {"at", now.plus(std::chrono::microseconds(trips.size() - i))}});
        if (tx.number("SELECT COUNT(*) FROM svc_saved_trips WHERE user_id = :user", {{"user", user_id}}) >
            static_cast<std::int64_t>(most_saved))
            return invalid("trip_id", "You can save at most 100 trips. Remove one first."_sentence);
        return {};
    });
}

Result<void> SavedTrips::remove(std::int64_t user_id, const std::vector<std::int64_t>& trip_ids) const {
    return site_.store.write([&, user_id](store::Transaction& tx) -> Result<void> {
        for (const std::int64_t trip_id : trip_ids)
            tx.run("DELETE FROM svc_saved_trips WHERE user_id = :user AND trip_id = :trip",
                   {{"user", user_id}, {"trip", trip_id}});
        return {};
    });
}

Result<std::vector<Value>> SavedTrips::shown(const std::vector<std::int64_t>& trip_ids) const {
    std::vector<Value> ordered;
    Value include = Value::array();
    for (std::size_t i = 0; i < std::min(trip_ids.size(), most_saved); ++i)
        include.push(trip_ids[i]);
    if (include.size() == 0)
        return ordered;
    SVC_ASSIGN_OR_RETURN(const auto reply,
                         calls_({.path = "/trips/public",
                                 .query = Value::object({{"include", std::move(include)},
                                                         {"per_page", static_cast<std::int64_t>(most_saved)}})}));
    if (!reply.is_good())
        return Error{errc::unavailable, "The trips could not be read. Please try again."_sentence};
    std::map<std::int64_t, const Value*> by_id;
    for (const Value& trip : reply.data().items())
        by_id.emplace(trip["id"].integer(), &trip);
    for (const std::int64_t id : trip_ids)
        if (const auto found = by_id.extract(id))
            ordered.push_back(*found.mapped());
    return ordered;
}

Result<std::vector<Value>> SavedTrips::shown_to(std::int64_t user_id) const {
    std::vector<std::int64_t> ids;
    std::map<std::int64_t, Instant> saved_at;
    for (const SavedTrip& each : of(user_id)) {
        ids.push_back(each.trip_id);
        saved_at.emplace(each.trip_id, each.saved_at);
    }
    SVC_ASSIGN_OR_RETURN(auto trips, shown(ids));
    for (Value& trip : trips)
        trip.set("saved_at", saved_at.at(trip["id"].integer()));
    return trips;
}

}  // namespace svc::pro::saved_trips
