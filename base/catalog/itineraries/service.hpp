// The rules of itineraries: every write locks its trip, changes days or entries, and counts as a write of the trip.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "base/catalog/itineraries/itinerary.hpp"
#include "base/catalog/itineraries/repository.hpp"
#include "base/catalog/trips/editor/service.hpp"
#include "shared/store/store.hpp"

namespace svc::catalog::itineraries {

// A day, or an entry with its day. After a write it has the trip's new version.
struct Record {
    trips::Trip trip;
    Day day;
    std::optional<Entry> entry;
};

// On which day of a trip: an existing one by its id, or a number whose day is made when it is not there.
struct Where {
    std::optional<std::int64_t> day_id = {};
    std::optional<std::int64_t> number = {};
    DayChange day = {};  // of a day that is made; title and description of one that is there
};

struct BulkEntry {
    std::optional<std::int64_t> id;  // empty: a new one
    Result<EntryChange> change;      // or its error
};
struct BulkOutcome {
    std::optional<std::int64_t> id;
    bool created = false;
    std::optional<Error> error;
};

struct Removed {
    std::int64_t deleted = 0, failed = 0;
};

// Any thread.
class Service {
  public:
    Service(store::Store& store, trips::Service& trips, const Clock& clock)
        : store_(store), trips_(trips), clock_(clock) {}

    struct Plan {
        trips::Trip trip;
        std::vector<DayPlan> days;
    };
    [[nodiscard]] Result<Plan> of_trip(std::int64_t trip_id) const;
    [[nodiscard]] Result<Record> day(std::int64_t id) const;
    [[nodiscard]] Result<Record> entry(std::int64_t id) const;

    // The user who writes and, if sent, the trip's row_version that they have read; another version is svc_conflict.
    struct Writer {
        std::optional<std::int64_t> user_id = {};
        trips::Seen seen = {};
    };
    // svc_conflict when the trip has a day of that number.
    Result<Record> add_day(std::int64_t trip_id, const DayChange& change, const Writer& writer);
    Result<Record> update_day(std::int64_t id, const DayChange& change, const Writer& writer);
    Result<Record> add_entry(std::int64_t trip_id, const Where& where, const EntryChange& change, const Writer& writer);
    // `where` empty: it stays on its day.
    Result<Record> update_entry(std::int64_t id, const Where& where, const EntryChange& change, const Writer& writer);
    // Removes a day with its entries.
    Result<void> remove_day(std::int64_t id, const Writer& writer);
    Result<void> remove_entry(std::int64_t id, const Writer& writer);
    // Ids that are not there count as failed.
    Result<Removed> remove(const std::vector<std::int64_t>& ids, const std::vector<std::int64_t>& day_ids,
                           const Writer& writer);
    // Each entry separately; a failing one changes nothing. `trip_id` empty: the day's.
    struct Bulk {
        std::int64_t trip_id = 0;
        std::vector<BulkOutcome> outcomes;
    };
    Result<Bulk> bulk(std::int64_t day_id, std::optional<std::int64_t> trip_id, const std::vector<BulkEntry>& entries,
                      const Writer& writer);

    // The errors in fields that the write would return; nothing is written. Empty where it fails for another reason.
    [[nodiscard]] std::vector<FieldError> faults_of_new(std::int64_t trip_id, const DayChange& change) const;
    [[nodiscard]] std::vector<FieldError> faults_of_new(std::int64_t trip_id, const Where& where,
                                                        const EntryChange& change) const;
    [[nodiscard]] std::vector<FieldError> faults_of_change(std::int64_t id, const DayChange& change) const;
    [[nodiscard]] std::vector<FieldError> faults_of_change(std::int64_t id, const Where& where,
                                                           const EntryChange& change) const;

  private:
    // Runs `work` on the trip that `trip_of` names, locked, and shows the changed trip afterwards.
    template <class T, class TripOf, class Work>
    Result<T> writing(TripOf trip_of, Work work, const Writer& writer);
    Result<Day> day_at(store::Transaction& tx, const trips::Trip& trip, const Where& where);
    // Inserts the entry when `before` has no id, else updates it.
    Result<Entry> save(store::Transaction& tx, const trips::Trip& trip, Entry before, const Day& day,
                       const EntryChange& change);

    store::Store& store_;
    trips::Service& trips_;
    const Clock& clock_;
};

}  // namespace svc::catalog::itineraries
