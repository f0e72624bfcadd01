// Writes of trips: their content, and when its actions are written.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "base/catalog/trips/public/read_model.hpp"
#include "base/catalog/trips/record/needs.hpp"
#include "base/catalog/trips/record/revision.hpp"
#include "base/catalog/trips/record/wire.hpp"

namespace svc::catalog::trips {

// Any thread. Each write is in memory when it returns, unless it is the caller's transaction that writes: then the
// caller calls public_trips().refresh(id) after the commit. `user_id` is recorded; it may be empty (samples, import).
// Every field at fault is in the error.
class Editor {
  public:
    Editor(const Needs& needs, const Showing& showing, PublicTrips& shown)
        : needs_(needs), showing_(showing), shown_(shown) {}

    Result<Trip> create(const TripChange& change, std::optional<std::int64_t> user_id);
    Result<Trip> create(store::Transaction& tx, const TripChange& change, std::optional<std::int64_t> user_id);
    // svc_conflict when the trip changed since row_version, or is in the trash and the change has no status.
    Result<Trip> update(std::int64_t id, const TripChange& change, std::optional<std::int64_t> user_id);
    Result<Trip> update(store::Transaction& tx, std::int64_t id, const TripChange& change,
                        std::optional<std::int64_t> user_id);
    // The errors in fields that create (`id` empty) or update would return; nothing is written. Empty where the write
    // fails for another reason.
    [[nodiscard]] std::vector<FieldError> faults(std::optional<std::int64_t> id, const TripChange& change) const;
    // A draft with everything of it but its departures, bookings and history, as "<title> (Copy)".
    Result<Trip> duplicate(std::int64_t id, std::optional<std::int64_t> user_id);
    // Hooks of higher features for duplicating: `copy` runs in the transaction, `copied` after its commit.
    struct Copying {
        std::function<void(store::Transaction& tx, std::int64_t from_trip_id, std::int64_t to_trip_id,
                           std::optional<std::int64_t> user_id)>
            copy;
        std::function<void(std::int64_t to_trip_id)> copied;
    };
    void copies(Copying copying) { copying_ = std::move(copying); }  // before the first request

    // For features with own rows about a trip: their change counts as a change of the trip. Returns the trip, locked
    // until the transaction ends, and stores its revision if it is published; trip_not_found, svc_conflict in the
    // trash.
    Result<Trip> begin_change(store::Transaction& tx, std::int64_t id, std::optional<std::int64_t> user_id,
                              Seen seen = {}) const;
    // Afterwards: the trip has its next version and its action is written.
    void end_change(store::Transaction& tx, std::int64_t id, std::optional<std::int64_t> user_id);
    // Updates the search index of these trips after their parts changed without a write of the trip.
    void index_again(store::Transaction& tx, std::span<const std::int64_t> ids) const;

    // -- for other writers
    // Runs a write as one transact<Trip>(), which returns the trip as stored; one that loses a free slug to another
    // writer runs again.
    using Work = std::function<Result<Trip>(store::Transaction&)>;
    Result<Trip> writing(const Work& work);
    // The trip, locked; svc_conflict when it is another than the writer has seen.
    [[nodiscard]] static Result<Trip> find_locked(store::Transaction& tx, std::int64_t id, Seen seen);
    // Writes the trip as changed; `restored` is the revision it is made of, if any.
    Result<Trip> save(store::Transaction& tx, const Trip& before, const TripChange& change,
                      const Part::Writing& writing, const Revision* restored);

  private:
    Result<Trip> insert(store::Transaction& tx, const TripChange& change, Currency currency,
                        const Part::Writing& writing);
    // Writes the parts of a trip whose row is written, then checks the conditions for publishing.
    Result<void> write_rest(store::Transaction& tx, const Trip& trip, const TripChange& change,
                            const Part::Writing& writing, bool appears) const;
    [[nodiscard]] static Trip empty_trip(Currency currency, const Part::Writing& writing);
    [[nodiscard]] Result<Trip> priced(store::Session& session, const Trip& trip, const TripChange& change) const;
    // Adds the faults in parts of the same body to those of the trip's own fields.
    [[nodiscard]] Error with_part_faults(store::Session& session, Error faults, Trip trip, const TripChange& change,
                                         const Part::Writing& writing) const;
    void check_parts(store::Session& session, const Trip& trip, const TripChange& change, const Part::Writing& writing,
                     std::optional<Error>& faults) const;
    // Whether its parts are the same after they are written, but for the ids of their rows; nothing of it stays.
    [[nodiscard]] bool leaves_parts(store::Transaction& tx, const Trip& trip, const TripChange& change,
                                    const Part::Writing& writing) const;
    void index(store::Transaction& tx, const Trip& trip) const;  // for staff's search
    // The content of a revision, also the source of a duplicate.
    [[nodiscard]] json::Value snapshot(store::Session& session, const Trip& trip) const;
    void keep_revision(store::Transaction& tx, const Trip& before, const Part::Writing& writing,
                       const Revision* restored) const;

    const Needs& needs_;
    const Showing& showing_;
    PublicTrips& shown_;
    Copying copying_;
};

// Of any status, the trash included; trip_not_found.
Result<Trip> find_trip(store::Session& session, std::int64_t id);
// A snapshot as a change, without fields that belong to its moment (status, schedule, version).
TripChange content_of(const json::Value& snapshot, const Parts& parts);

}  // namespace svc::catalog::trips
