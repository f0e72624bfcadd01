// The rules of trips: who may not see what, what a write may do, and when its actions are written.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/catalog/trips/read_model.hpp"
#include "base/catalog/trips/repository.hpp"
#include "base/catalog/trips/revision.hpp"
#include "base/catalog/trips/views.hpp"
#include "base/catalog/trips/wire.hpp"
#include "base/settings/settings.hpp"
#include "shared/api/route.hpp"
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
        Parts parts = {};  // in the order they are written and answered
        // What a slug is put behind to be the trip's page.
        std::function<std::string()> trip_address = [] { return std::string("/trip/"); };
        // Whether anyone listens to a filter, so that nothing is made up for nobody. Empty: somebody may.
        std::function<bool(std::string_view filter)> filtered = {};
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
    // The version of its row now; none where there is no such trip.
    [[nodiscard]] std::optional<std::int64_t> version(std::int64_t id) const;

    // Whether there is a trip of any status.
    [[nodiscard]] static bool any(store::Session& session);

    // With the members of parts. One question a part, however many trips.
    [[nodiscard]] std::vector<Whole> whole(store::Session& session, std::vector<Trip> trips, Members members) const;
    [[nodiscard]] Whole whole(store::Session& session, Trip trip, Members members = Members::all) const;
    [[nodiscard]] Result<Whole> read(std::int64_t id) const;
    [[nodiscard]] const Showing& showing() const { return showing_; }

    struct Listed {
        std::vector<Whole> trips;
        std::int64_t total = 0;
    };
    [[nodiscard]] Listed list(const TripQuery& query) const;
    [[nodiscard]] TripCounts counts() const;
    [[nodiscard]] Zone zone() const { return settings_.zone(); }  // the site's, in which days are meant
    struct ItineraryThings {
        std::vector<rows::NamedThing> item_types, items;
    };
    [[nodiscard]] ItineraryThings itinerary_things() const;

    // The row_version that a writer has read, if it says so; svc_conflict where it is another by now.
    using Seen = std::optional<std::int64_t>;

    // Called at the end of the write's own transaction, where the answer is made (promise R3). Once more when the
    // transaction runs again. May be empty.
    using Kept = std::function<void(store::Transaction&, const Trip&)>;

    // `user_id` is recorded; it may be empty (samples, import). Every field at fault is in the error.
    Result<Trip> create(const TripChange& change, std::optional<std::int64_t> user_id, const Kept& kept = {});
    // svc_conflict when the trip was changed since row_version, or lies in the trash and no status is asked for.
    Result<Trip> update(std::int64_t id, const TripChange& change, std::optional<std::int64_t> user_id,
                        const Kept& kept = {});
    // A draft with everything of it but its departures, bookings and history, as "<title> (Copy)".
    Result<Trip> duplicate(std::int64_t id, std::optional<std::int64_t> user_id, const Kept& kept = {});
    // What the features above copy with a trip: `copy` in the duplicate's own transaction, `copied` after its commit.
    struct Copying {
        std::function<void(store::Transaction& tx, std::int64_t from_trip_id, std::int64_t to_trip_id,
                           std::optional<std::int64_t> user_id)>
            copy;
        std::function<void(std::int64_t to_trip_id)> copied;
    };
    void copies(Copying copying) { copying_ = std::move(copying); }  // before the first request

    // For features that keep rows of their own about a trip: their change is one of the trip's. First the trip, which
    // no other writer changes until the transaction ends, its revision kept when it is published; trip_not_found,
    // svc_conflict in the trash.
    Result<Trip> begin_change(store::Transaction& tx, std::int64_t id, std::optional<std::int64_t> user_id,
                              Seen seen = {}) const;
    // Afterwards: the trip has its next version and its action is written. The caller calls shown().refresh(id) after
    // the commit.
    void end_change(store::Transaction& tx, std::int64_t id, std::optional<std::int64_t> user_id);
    // Out of the trash, to the status it had; svc_conflict when it is not there.
    Result<Trip> restore(std::int64_t id, std::optional<std::int64_t> user_id, const Kept& kept = {}, Seen seen = {});
    // To the trash; the trip as it lies there. svc_conflict when it is there already.
    Result<Trip> trash(std::int64_t id, std::optional<std::int64_t> user_id, const Kept& kept = {}, Seen seen = {});
    // For good, from the trash alone (svc_conflict); svc_in_use while bookings refer to it, which `used_by` names.
    // `release` deletes, in the same transaction, what the features above keep for the trip.
    using Release = std::function<Result<void>(store::Transaction& tx, std::int64_t trip_id)>;
    Result<void> remove(std::int64_t id, const Release& release, Seen seen = {});

    struct Outcome {
        std::int64_t id = 0;
        std::optional<Error> error;
    };
    // All in one transaction, one that fails leaving the others. `action` is trash, restore, delete or a status.
    std::vector<Outcome> bulk(std::string_view action, const std::vector<std::int64_t>& ids,
                              std::optional<std::int64_t> user_id, const Release& release);

    struct Revisions {
        std::vector<Revision> revisions;
        std::int64_t total = 0;
    };
    [[nodiscard]] Result<Revisions> revisions(std::int64_t trip_id, const RevisionFilter& filter,
                                              const api::Page& page) const;
    [[nodiscard]] Result<Revision> revision(std::int64_t trip_id, std::int64_t id) const;
    // Everything but status and schedule as it was then. `left_out` is told what is no longer there to refer to:
    // "destinations.7".
    Result<Trip> restore_revision(std::int64_t trip_id, std::int64_t id, std::optional<std::int64_t> user_id,
                                  std::vector<std::string>& left_out, const Kept& kept = {}, Seen seen = {});

    // Publishes and archives what is due by then; answers how many. The second by the day's season.
    Result<json::Value> run_schedule(Instant now);
    Result<json::Value> run_season(Instant now);

    // The same inside the caller's transaction; the caller calls shown().refresh(id) after the commit.
    Result<Trip> create(store::Transaction& tx, const TripChange& change, std::optional<std::int64_t> user_id);

    // Reads of published trips by everyone.
    [[nodiscard]] Views& views() { return views_; }
    // What the features above have counted of a trip; the caller calls shown().reload_changed() after the commit, as
    // other processes do. No write of the trip: its row_version stays.
    static void set_sales(store::Transaction& tx, std::int64_t trip_id, const TripSales& sales);

    // What staff find these trips by, after what parts of them say has changed without a write of theirs.
    void index_again(store::Transaction& tx, std::span<const std::int64_t> ids) const;

    [[nodiscard]] hooks::Hooks& hooks() const { return hooks_; }
    [[nodiscard]] bool asks(const hooks::Filter& filter) const { return !filtered_ || filtered_(filter.name); }

  private:
    using Work = std::function<Result<Trip>(store::Transaction&)>;
    Result<Trip> writing(const Work& work, const Kept& kept);
    Result<Trip> insert(store::Transaction& tx, const TripChange& change, Currency currency,
                        const Part::Writing& writing);
    Result<Trip> update(store::Transaction& tx, std::int64_t id, const TripChange& change,
                        std::optional<std::int64_t> user_id);
    // All that hangs on a trip whose row is written; then what publishing needs of it.
    Result<void> write_rest(store::Transaction& tx, const Trip& trip, const TripChange& change,
                            const Part::Writing& writing, bool appears) const;
    // Beside what is wrong with a trip's own fields, what parts say of the same write; nothing of it stays.
    [[nodiscard]] Error also_of_parts(store::Transaction& tx, Error faults, Trip trip, const TripChange& change,
                                      const Part::Writing& writing) const;
    [[nodiscard]] bool leaves_parts(store::Transaction& tx, const Trip& trip, const TripChange& change,
                                    const Part::Writing& writing) const;
    void index(store::Transaction& tx, const Trip& trip) const;  // what staff find it by
    // Writes the trip as changed; `restored` is the revision it is made of, if any.
    Result<Trip> save(store::Transaction& tx, const Trip& before, const TripChange& change,
                      const Part::Writing& writing, const Revision* restored);
    Result<Trip> trash(store::Transaction& tx, std::int64_t id, std::optional<std::int64_t> user_id, Seen seen = {});
    Result<Trip> restore(store::Transaction& tx, std::int64_t id, std::optional<std::int64_t> user_id, Seen seen = {});
    Result<void> remove(store::Transaction& tx, std::int64_t id, const Release& release, Seen seen = {});
    // The trip, locked; svc_conflict when it is another than the writer has seen.
    [[nodiscard]] static Result<Trip> find_locked(store::Transaction& tx, std::int64_t id, Seen seen);
    Result<void> act(store::Transaction& tx, std::string_view action, std::int64_t id,
                     std::optional<std::int64_t> user_id, const Release& release);
    // What a revision holds and a duplicate is made of.
    [[nodiscard]] json::Value snapshot(store::Session& session, const Trip& trip) const;
    void keep_revision(store::Transaction& tx, const Trip& before, const Part::Writing& writing,
                       const Revision* restored) const;
    // The ids of a step of the clock, each changed in a transaction of its own.
    std::int64_t change_each(const std::vector<std::int64_t>& ids, const TripChange& change,
                             const TripChange& otherwise);

    store::Store& store_;
    hooks::Hooks& hooks_;
    const settings::Settings& settings_;
    const Clock& clock_;
    const Parts parts_;
    const Showing showing_;
    PublicTrips shown_;
    Copying copying_;
    const std::function<bool(std::string_view)> filtered_;
    Views views_;
};

}  // namespace svc::catalog::trips
