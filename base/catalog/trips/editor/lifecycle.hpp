// Trash, restore, permanent deletion, bulk actions and scheduled changes of trips.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "base/catalog/trips/editor/editor.hpp"

namespace svc::catalog::trips {

// Any thread. Each write is in memory when it returns.
class Lifecycle {
  public:
    Lifecycle(const Needs& needs, const Showing& showing, PublicTrips& shown, Editor& editor)
        : needs_(needs), showing_(showing), shown_(shown), editor_(editor) {}

    // Out of the trash, to the status it had; svc_conflict when it is not there.
    Result<Trip> restore(std::int64_t id, std::optional<std::int64_t> user_id, Seen seen = {});
    // Moves to the trash and returns the trip. svc_conflict when it is in the trash already.
    Result<Trip> trash(std::int64_t id, std::optional<std::int64_t> user_id, Seen seen = {});
    // Deletes permanently, only from the trash (svc_conflict); svc_in_use while bookings refer to it, listed in
    // `used_by`. `release` deletes the data of higher features in the same transaction.
    using Release = std::function<Result<void>(store::Transaction& tx, std::int64_t trip_id)>;
    Result<void> remove(std::int64_t id, const Release& release, Seen seen = {});

    struct Outcome {
        std::int64_t id = 0;
        std::optional<Error> error;
    };
    // All in one transaction, one that fails leaving the others. `action` is trash, restore, delete or a status.
    std::vector<Outcome> bulk(std::string_view action, const std::vector<std::int64_t>& ids,
                              std::optional<std::int64_t> user_id, const Release& release);

    // Publishes and archives trips that are due; returns their number. The second one does so by season.
    Result<json::Value> run_schedule(Instant now);
    Result<json::Value> run_season(Instant now);

  private:
    Result<Trip> trash(store::Transaction& tx, std::int64_t id, std::optional<std::int64_t> user_id, Seen seen);
    Result<Trip> restore(store::Transaction& tx, std::int64_t id, std::optional<std::int64_t> user_id, Seen seen);
    Result<void> remove(store::Transaction& tx, std::int64_t id, const Release& release, Seen seen);
    Result<void> act(store::Transaction& tx, std::string_view action, std::int64_t id,
                     std::optional<std::int64_t> user_id, const Release& release);
    // Changes each of these trips in its own transaction.
    std::int64_t change_each(const std::vector<std::int64_t>& ids, const TripChange& change,
                             const TripChange& otherwise);
    // As staff read it.
    [[nodiscard]] json::Value record_of(store::Session& session, const Trip& trip) const;

    const Needs& needs_;
    const Showing& showing_;
    PublicTrips& shown_;
    Editor& editor_;
};

}  // namespace svc::catalog::trips
