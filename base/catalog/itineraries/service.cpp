// Reading and writing itineraries.
#include "base/catalog/itineraries/service.hpp"

#include <algorithm>

#include "base/catalog/itineraries/emit_changes.hpp"
#include "base/catalog/itineraries/rules.hpp"

namespace svc::catalog::itineraries {
namespace {

Result<std::int64_t> trip_of_day(store::Session& session, std::int64_t id) {
    const auto day = rows::find_day(session, id);
    return day ? Result<std::int64_t>(day->trip_id) : errc::not_found;
}

Result<std::int64_t> trip_of_entry(store::Session& session, std::int64_t id) {
    const auto found = rows::find_entry(session, id);
    return found ? Result<std::int64_t>(found->day.trip_id) : errc::not_found;
}

Error day_taken() {
    return Error{errc::conflict, "The trip already has this day."_sentence}.at(
        "day", "The trip already has this day."_sentence);
}

bool changes(const DayChange& change) { return change.title || change.description || change.image_id; }

// An entry without another place stays on its day.
Where place_of(Where where, const rows::Found& found) {
    if (!where.day_id && !where.number)
        where.day_id = found.day.id;
    return where;
}

// The day as it will be; a new one has id 0.
Result<Day> wanted_day(store::Session& session, const trips::Trip& trip, const Where& where) {
    auto known = where.day_id ? rows::find_day(session, *where.day_id)
                              : rows::day_of(session, trip.id, where.number.value_or(1));
    if (where.day_id && (!known || known->trip_id != trip.id))
        return invalid("day_id", "The trip does not have this day."_sentence);
    if (known && !changes(where.day))
        return std::move(*known);
    DayChange change = where.day;
    if (!known)
        change.number = where.number.value_or(1);
    return ready(session, trip, known.value_or(Day{}), change, {});
}

// The entry as it will be on that day; a new one has id 0.
Result<Entry> wanted_entry(store::Session& session, const trips::Trip& trip, Entry before, const Day& day,
                           const EntryChange& change) {
    if (before.id == 0 || before.day_id != day.id) {
        if (rows::count_entries(session, day.id) >= static_cast<std::int64_t>(most_entries))
            return invalid("day", "A day has at most {most} entries."_sentence.with("most", most_entries));
        before.order = rows::next_order(session, day.id);
    }
    auto entry = ready(session, trip, std::move(before), change, {});
    if (entry)
        entry->day_id = day.id;
    return entry;
}

std::vector<FieldError> fields_of(const Error& error) {
    return error.code().name == errc::validation_error.name ? error.fields() : std::vector<FieldError>{};
}

// Calls check(session, trip) for the trip, unless it does not exist or is in the trash.
template <class Check>
std::vector<FieldError> faults_in(store::Store& store,
                                  const std::function<Result<std::int64_t>(store::Session&)>& trip_of, Check check) {
    return store.reading<std::vector<FieldError>>([&](store::Session& session) -> std::vector<FieldError> {
        const auto id = trip_of(session);
        const auto trip = id ? trips::Service::find(session, *id) : Result<trips::Trip>(id.error());
        if (!trip || trip->status == trips::TripStatus::trash)
            return {};
        const Result<void> checked = check(session, *trip);
        return checked ? std::vector<FieldError>{} : fields_of(checked.error());
    });
}

Result<void> check_entry(store::Session& session, const trips::Trip& trip, Entry before, const Where& where,
                         const EntryChange& change) {
    SVC_ASSIGN_OR_RETURN(const auto day, wanted_day(session, trip, where));
    const auto entry = wanted_entry(session, trip, std::move(before), day, change);
    return entry ? Result<void>{} : entry.error();
}

}  // namespace

template <class T, class TripOf, class Work>
Result<T> Service::writing(TripOf trip_of, Work work, const Writer& writer) {
    std::int64_t trip_id = 0;
    auto done = store_.transact<T>([&](store::Transaction& tx) -> Result<T> {
        const Result<std::int64_t> found_id = trip_of(tx);
        if (!found_id)
            return found_id.error();
        trip_id = *found_id;
        SVC_ASSIGN_OR_RETURN(const auto trip, trips_.editor().begin_change(tx, trip_id, writer.user_id, writer.seen));
        const auto before = plan_of(tx, trip_id);
        Result<T> result = work(tx, trip);
        if (!result)
            return result;
        emit_changes(tx, trips_.hooks(), trip_id, before);
        trips_.editor().end_change(tx, trip_id, writer.user_id);
        if constexpr (std::is_same_v<T, Record>)
            result->trip.row_version = trip.row_version + 1;
        return result;
    });
    if (done)
        trips_.public_trips().refresh(trip_id);
    return done;
}

Result<Service::Plan> Service::of_trip(std::int64_t trip_id) const {
    std::optional<Result<Plan>> answer;
    store_.read([&](store::Session& session) {
        auto trip = trips::Service::find(session, trip_id);
        if (!trip) {
            answer.emplace(trip.error());
            return;
        }
        Plan plan{std::move(*trip), {}};
        rows::read(session, std::span(&trip_id, 1),
                   [&](std::int64_t, std::vector<DayPlan> days) { plan.days = std::move(days); });
        answer.emplace(std::move(plan));
    });
    return std::move(answer).value();
}

Result<Record> Service::day(std::int64_t id) const {
    std::optional<Result<Record>> answer;
    store_.read([&](store::Session& session) {
        auto day = rows::find_day(session, id);
        auto trip = day ? trips::Service::find(session, day->trip_id) : Result<trips::Trip>(errc::not_found);
        if (trip)
            answer.emplace(Record{std::move(*trip), std::move(*day), {}});
        else
            answer.emplace(errc::not_found);
    });
    return std::move(answer).value();
}

Result<Record> Service::entry(std::int64_t id) const {
    std::optional<Result<Record>> answer;
    store_.read([&](store::Session& session) {
        auto found = rows::find_entry(session, id);
        auto trip = found ? trips::Service::find(session, found->day.trip_id) : Result<trips::Trip>(errc::not_found);
        if (trip)
            answer.emplace(Record{std::move(*trip), std::move(found->day), std::move(found->entry)});
        else
            answer.emplace(errc::not_found);
    });
    return std::move(answer).value();
}

Result<Record> Service::add_day(std::int64_t trip_id, const DayChange& change, const Writer& writer) {
    const auto work = [&](store::Transaction& tx, const trips::Trip& trip) -> Result<Record> {
        SVC_ASSIGN_OR_RETURN(auto day, ready(tx, trip, {}, change, {}));
        if (rows::day_of(tx, trip.id, day.number))
            return day_taken();
        day.created_at = day.updated_at = clock_.now();
        day.id = rows::insert_day(tx, day);
        return Record{trip, std::move(day), {}};
    };
    return writing<Record>([&](store::Session&) { return Result<std::int64_t>(trip_id); }, work, writer);
}

Result<Record> Service::update_day(std::int64_t id, const DayChange& change, const Writer& writer) {
    const auto work = [&](store::Transaction& tx, const trips::Trip& trip) -> Result<Record> {
        auto before = rows::find_day(tx, id);
        if (!before)
            return errc::not_found;
        SVC_ASSIGN_OR_RETURN(auto day, ready(tx, trip, std::move(*before), change, {}));
        if (const auto other = rows::day_of(tx, trip.id, day.number); other && other->id != id)
            return day_taken();
        day.updated_at = clock_.now();
        if (!rows::update_day(tx, day))
            return errc::not_found;
        return Record{trip, std::move(day), {}};
    };
    return writing<Record>([&](store::Session& session) { return trip_of_day(session, id); }, work, writer);
}

Result<Day> Service::day_at(store::Transaction& tx, const trips::Trip& trip, const Where& where) {
    auto day = wanted_day(tx, trip, where);
    if (!day || (day->id != 0 && !changes(where.day)))
        return day;
    day->updated_at = clock_.now();
    if (day->id != 0) {
        rows::update_day(tx, *day);
    } else {
        day->created_at = day->updated_at;
        day->id = rows::insert_day(tx, *day);
    }
    return day;
}

Result<Entry> Service::save(store::Transaction& tx, const trips::Trip& trip, Entry before, const Day& day,
                            const EntryChange& change) {
    auto entry = wanted_entry(tx, trip, std::move(before), day, change);
    if (!entry)
        return entry;
    entry->updated_at = clock_.now();
    std::int64_t id = entry->id;
    if (id != 0) {
        rows::update_entry(tx, *entry);
    } else {
        entry->created_at = entry->updated_at;
        id = rows::insert_entry(tx, *entry);
    }
    return std::move(rows::find_entry(tx, id).value().entry);
}

Result<Record> Service::add_entry(std::int64_t trip_id, const Where& where, const EntryChange& change,
                                  const Writer& writer) {
    const auto work = [&](store::Transaction& tx, const trips::Trip& trip) -> Result<Record> {
        SVC_ASSIGN_OR_RETURN(auto day, day_at(tx, trip, where));
        SVC_ASSIGN_OR_RETURN(auto entry, save(tx, trip, {}, day, change));
        return Record{trip, std::move(day), std::move(entry)};
    };
    return writing<Record>([&](store::Session&) { return Result<std::int64_t>(trip_id); }, work, writer);
}

Result<Record> Service::update_entry(std::int64_t id, const Where& where, const EntryChange& change,
                                     const Writer& writer) {
    const auto work = [&](store::Transaction& tx, const trips::Trip& trip) -> Result<Record> {
        auto found = rows::find_entry(tx, id);
        if (!found)
            return errc::not_found;
        SVC_ASSIGN_OR_RETURN(auto day, day_at(tx, trip, place_of(where, *found)));
        SVC_ASSIGN_OR_RETURN(auto entry, save(tx, trip, std::move(found->entry), day, change));
        return Record{trip, std::move(day), std::move(entry)};
    };
    return writing<Record>([&](store::Session& session) { return trip_of_entry(session, id); }, work, writer);
}

Result<void> Service::remove_day(std::int64_t id, const Writer& writer) {
    auto done = writing<bool>([&](store::Session& session) { return trip_of_day(session, id); },
                              [&](store::Transaction& tx, const trips::Trip&) -> Result<bool> {
                                  return rows::remove_day(tx, id) ? Result<bool>(true) : errc::not_found;
                              },
                              writer);
    return done ? Result<void>{} : done.error();
}

Result<void> Service::remove_entry(std::int64_t id, const Writer& writer) {
    auto done = writing<bool>([&](store::Session& session) { return trip_of_entry(session, id); },
                              [&](store::Transaction& tx, const trips::Trip&) -> Result<bool> {
                                  return rows::remove_entry(tx, id) ? Result<bool>(true) : errc::not_found;
                              },
                              writer);
    return done ? Result<void>{} : done.error();
}

Result<Removed> Service::remove(const std::vector<std::int64_t>& ids, const std::vector<std::int64_t>& day_ids,
                                const Writer& writer) {
    std::vector<std::int64_t> touched;
    auto done = store_.transact<Removed>([&](store::Transaction& tx) -> Result<Removed> {
        touched.clear();
        // Trips in one order, so that two calls cannot wait for each other.
        for (const auto& [list, trip_of] : {std::pair{&ids, &trip_of_entry}, std::pair{&day_ids, &trip_of_day}})
            for (const std::int64_t id : *list)
                if (const auto trip = trip_of(tx, id))
                    touched.push_back(*trip);
        std::sort(touched.begin(), touched.end());
        touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
        std::vector<std::vector<DayPlan>> before;
        for (const std::int64_t trip : touched) {
            SVC_RETURN_IF_ERROR(trips_.editor().begin_change(tx, trip, writer.user_id, writer.seen));
            before.push_back(plan_of(tx, trip));
        }
        Removed removed;
        for (const std::int64_t id : ids)
            ++(rows::remove_entry(tx, id) ? removed.deleted : removed.failed);
        for (const std::int64_t id : day_ids)
            ++(rows::remove_day(tx, id) ? removed.deleted : removed.failed);
        for (std::size_t at = 0; at < touched.size(); ++at) {
            emit_changes(tx, trips_.hooks(), touched[at], before[at]);
            trips_.editor().end_change(tx, touched[at], writer.user_id);
        }
        return removed;
    });
    if (done)
        for (const std::int64_t trip : touched)
            trips_.public_trips().refresh(trip);
    return done;
}

Result<Service::Bulk> Service::bulk(std::int64_t day_id, std::optional<std::int64_t> trip_id,
                                    const std::vector<BulkEntry>& entries, const Writer& writer) {
    const auto work = [&](store::Transaction& tx, const trips::Trip& trip) -> Result<Bulk> {
        const auto day = rows::find_day(tx, day_id);
        if (!day)
            return errc::not_found;
        Bulk bulk{.trip_id = trip.id, .outcomes = {}};
        for (const BulkEntry& one : entries) {
            BulkOutcome outcome{.id = one.id, .created = !one.id, .error = {}};
            const auto done = tx.attempt([&]() -> Result<void> {
                if (!one.change)
                    return one.change.error();
                std::optional<rows::Found> found;
                if (one.id) {
                    found = rows::find_entry(tx, *one.id);
                    if (!found || found->day.trip_id != trip.id)
                        return errc::not_found;
                }
                SVC_ASSIGN_OR_RETURN(auto entry,
                                     save(tx, trip, found ? std::move(found->entry) : Entry{}, *day, *one.change));
                outcome.id = entry.id;
                return {};
            });
            if (!done)
                outcome.error = done.error();
            bulk.outcomes.push_back(std::move(outcome));
        }
        return bulk;
    };
    const auto trip_of = [&](store::Session& session) -> Result<std::int64_t> {
        auto of_day = trip_of_day(session, day_id);
        if (of_day && trip_id && *of_day != *trip_id)
            return invalid("trip_id", "The day belongs to another trip."_sentence);
        return of_day;
    };
    return writing<Bulk>(trip_of, work, writer);
}

std::vector<FieldError> Service::faults_of_new(std::int64_t trip_id, const DayChange& change) const {
    return faults_in(
        store_, [&](store::Session&) { return Result<std::int64_t>(trip_id); },
        [&](store::Session& session, const trips::Trip& trip) -> Result<void> {
            const auto day = ready(session, trip, Day{}, change, {});
            return day ? Result<void>{} : day.error();
        });
}

std::vector<FieldError> Service::faults_of_new(std::int64_t trip_id, const Where& where,
                                               const EntryChange& change) const {
    return faults_in(
        store_, [&](store::Session&) { return Result<std::int64_t>(trip_id); },
        [&](store::Session& session, const trips::Trip& trip) {
            return check_entry(session, trip, {}, where, change);
        });
}

std::vector<FieldError> Service::faults_of_change(std::int64_t id, const DayChange& change) const {
    return faults_in(
        store_, [&](store::Session& session) { return trip_of_day(session, id); },
        [&](store::Session& session, const trips::Trip& trip) -> Result<void> {
            const auto before = rows::find_day(session, id);
            const auto day = before ? ready(session, trip, *before, change, {}) : Result<Day>(errc::not_found);
            return day ? Result<void>{} : day.error();
        });
}

std::vector<FieldError> Service::faults_of_change(std::int64_t id, const Where& where,
                                                  const EntryChange& change) const {
    return faults_in(
        store_, [&](store::Session& session) { return trip_of_entry(session, id); },
        [&](store::Session& session, const trips::Trip& trip) -> Result<void> {
            const auto found = rows::find_entry(session, id);
            if (!found)
                return errc::not_found;
            return check_entry(session, trip, found->entry, place_of(where, *found), change);
        });
}

}  // namespace svc::catalog::itineraries
