// The SQL of calendars to subscribe to; trip_id 0 is that of all trips.
#pragma once

#include "shared/store/store.hpp"

namespace svc::availability::rows {

std::int64_t feed_revision(store::Session& session, std::int64_t trip_id);  // 0 while it is closed
std::int64_t renew_feed(store::Transaction& tx, std::int64_t trip_id, bool enabled, std::optional<std::int64_t> user_id,
                        Instant now);

}  // namespace svc::availability::rows
