// Statements on svc_calendar_feeds.
#include "base/sales/availability/feeds/repository.hpp"

namespace svc::availability::rows {

std::int64_t feed_revision(store::Session& session, std::int64_t trip_id) {
    return session.number("SELECT revision FROM svc_calendar_feeds WHERE trip_id = :trip_id AND enabled = 1",
                          {{"trip_id", trip_id}});
}

std::int64_t renew_feed(store::Transaction& tx, std::int64_t trip_id, bool enabled, std::optional<std::int64_t> user_id,
                        Instant now) {
    return tx.number(
        "INSERT INTO svc_calendar_feeds (trip_id, revision, enabled, created_at, updated_at, updated_by)"
        " VALUES (:trip_id, 1, :enabled, :now, :now, :user_id)"
        " ON CONFLICT (trip_id) DO UPDATE SET revision = svc_calendar_feeds.revision + 1,"
        " enabled = excluded.enabled, updated_at = excluded.updated_at, updated_by = excluded.updated_by"
        " RETURNING revision",
        {{"trip_id", trip_id}, {"enabled", enabled}, {"now", now}, {"user_id", user_id}});
}

}  // namespace svc::availability::rows
