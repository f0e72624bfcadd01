// The rules of trips: who may not see what, what a write may do, and when its actions are written.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/catalog/trips/read_model.hpp"
#include "base/catalog/trips/repository.hpp"
#include "base/catalog/trips/wire.hpp"
#include "base/settings/settings.hpp"
#include "shared/hooks/hooks.hpp"
#include "shared/store/store.hpp"

namespace svc::catalog::trips {

// The change-feed channel of trips: on it `Service::shown().reload_changed()` is due.
inline constexpr std::string_view channel = "trips";

// Any thread. Each write is in memory (shown()) when it returns.
class Service {
  public:
    struct Needs {
        store::Store& store;
        hooks::Hooks& hooks;
        const settings::Settings& settings;
        const Clock& clock;
        Parts parts = {};                     // in the order they are written and answered
        std::string trip_address = "/trip/";  // what a slug is put behind to be the trip's page
    };
    explicit Service(Needs needs);

    // The memory of published trips. Empty until its load().
    [[nodiscard]] PublicTrips& shown() { return shown_; }
    [[nodiscard]] const PublicTrips& shown() const { return shown_; }

    // From memory; null unless published now. Kept alive by the caller, however long it works with it.
    [[nodiscard]] std::shared_ptr<const Trip> published(std::int64_t id) const;

    // Of any status, the trash included, from the database; trip_not_found.
    [[nodiscard]] Result<Trip> find(std::int64_t id) const;
    [[nodiscard]] static Result<Trip> find(store::Session& session, std::int64_t id);

    // Whether there is a trip of any status.
    [[nodiscard]] static bool any(store::Session& session);

    // With the members of all parts, or of those that rows of lists have. One question a part, however many trips.
    [[nodiscard]] std::vector<Whole> whole(store::Session& session, std::vector<Trip> trips, bool rows_only) const;
    [[nodiscard]] Whole whole(store::Session& session, Trip trip) const;
    [[nodiscard]] Result<Whole> read(std::int64_t id) const;
    [[nodiscard]] const Showing& showing() const { return showing_; }

    struct Listed {
        std::vector<Whole> trips;
        std::int64_t total = 0;
    };
    [[nodiscard]] Listed list(const TripQuery& query) const;
    [[nodiscard]] TripCounts counts() const;

    // Called at the end of the write's own transaction, where the answer is made (reliability R3). Once more when the
    // transaction runs again. May be empty.
    using Kept = std::function<void(store::Transaction&, const Trip&)>;

    // `user_id` is recorded; it may be empty (samples, import). Every field at fault is in the error, those of parts
    // once the others are right.
    Result<Trip> create(const TripChange& change, std::optional<std::int64_t> user_id, const Kept& kept = {});
    // svc_conflict when the trip was changed since row_version, or lies in the trash and no status is asked for.
    Result<Trip> update(std::int64_t id, const TripChange& change, std::optional<std::int64_t> user_id,
                        const Kept& kept = {});
    // To the trash; the trip as it lies there. svc_conflict when it is there already.
    Result<Trip> trash(std::int64_t id, std::optional<std::int64_t> user_id, const Kept& kept = {});
    // For good, from the trash alone (svc_conflict); svc_in_use while bookings refer to it. `release` deletes, in the
    // same transaction, what the features above keep for the trip.
    Result<void> remove(std::int64_t id, const std::function<Result<void>(store::Transaction&)>& release);

    // The same inside the caller's transaction; the caller calls shown().refresh(id) after the commit.
    Result<Trip> create(store::Transaction& tx, const TripChange& change, std::optional<std::int64_t> user_id);

    [[nodiscard]] const hooks::Hooks& hooks() const { return hooks_; }

  private:
    template <class Work>
    Result<Trip> writing(Work work, const Kept& kept);
    Result<Trip> update(store::Transaction& tx, std::int64_t id, const TripChange& change,
                        std::optional<std::int64_t> user_id);
    // The trip as changed, what it refers to looked up.
    static Result<Trip> checked(store::Session& session, Trip before, const TripChange& change, bool fresh);
    // All that hangs on a trip whose row is written; then what publishing needs of it.
    Result<void> write_rest(store::Transaction& tx, const Trip& trip, const TripChange& change,
                            const Part::Writing& writing) const;

    store::Store& store_;
    hooks::Hooks& hooks_;
    const settings::Settings& settings_;
    const Clock& clock_;
    const Parts parts_;
    const Showing showing_;
    PublicTrips shown_;
};

}  // namespace svc::catalog::trips
