// Locking a trip for others, and counting their change.
#include "base/catalog/trips/touch.hpp"

#include "base/catalog/trips/hooks.hpp"
#include "base/catalog/trips/repository.hpp"
#include "base/catalog/trips/service.hpp"
#include "base/platform/store/changes.hpp"

namespace svc::catalog::trips {

Result<Trip> locked(store::Transaction& tx, std::int64_t id) {
    rows::lock(tx, id);
    auto trip = Service::find(tx, id);
    if (trip && trip->status == TripStatus::trash)
        return Error{errc::conflict, "The trip is in the trash."};
    return trip;
}

void touched(store::Transaction& tx, hooks::Hooks& hooks, std::int64_t id, std::optional<std::int64_t> user_id,
             Instant now) {
    tx.run(
        "UPDATE svc_trips SET row_version = row_version + 1, updated_at = :now, updated_by = :user_id WHERE id = :id",
        {{"id", id}, {"user_id", user_id}, {"now", now}});
    hooks.emit(tx, trip_updated_with_relations, {id});
    store::touch(tx, channel);
}

}  // namespace svc::catalog::trips
