// Reading and writing itineraries.
#include "base/catalog/itineraries/service.hpp"

#include <algorithm>

#include "base/catalog/itineraries/rules.hpp"
#include "base/catalog/itineraries/telling.hpp"

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
    return Error{errc::conflict, "The trip already has this day."}.at("day", "The trip already has this day.");
}

}  // namespace

template <class T, class TripOf, class Work>
Result<T> Service::writing(TripOf trip_of, Work work, const Writer& writer, const Kept<T>& kept) {
    std::int64_t trip_id = 0;
    auto done = store_.transact<T>([&](store::Transaction& tx) -> Result<T> {
        const Result<std::int64_t> asked = trip_of(tx);
        if (!asked)
            return asked.error();
        trip_id = *asked;
        const auto trip = trips_.editor().begin_change(tx, trip_id, writer.user_id, writer.seen);
        if (!trip)
            return trip.error();
        const auto before = plan_of(tx, trip_id);
        Result<T> result = work(tx, *trip);
        if (!result)
            return result;
        tell_changes(tx, trips_.hooks(), trip_id, before);
        trips_.editor().end_change(tx, trip_id, writer.user_id);
        if constexpr (std::is_same_v<T, Record>)
            result->trip.row_version = trip->row_version + 1;
        if (kept)
            kept(tx, *result);
        return result;
    });
    if (done)
        trips_.shown().refresh(trip_id);
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

Result<Record> Service::add_day(std::int64_t trip_id, const DayChange& change, const Writer& writer,
                                const Kept<Record>& kept) {
    const auto work = [&](store::Transaction& tx, const trips::Trip& trip) -> Result<Record> {
        auto day = ready(tx, trip, {}, change, {});
        if (!day)
            return day.error();
        if (rows::day_of(tx, trip.id, day->number))
            return day_taken();
        day->created_at = day->updated_at = clock_.now();
        day->id = rows::insert_day(tx, *day);
        return Record{trip, std::move(*day), {}};
    };
    return writing<Record>([&](store::Session&) { return Result<std::int64_t>(trip_id); }, work, writer, kept);
}

Result<Record> Service::update_day(std::int64_t id, const DayChange& change, const Writer& writer,
                                   const Kept<Record>& kept) {
    const auto work = [&](store::Transaction& tx, const trips::Trip& trip) -> Result<Record> {
        auto before = rows::find_day(tx, id);
        if (!before)
            return errc::not_found;
        auto day = ready(tx, trip, std::move(*before), change, {});
        if (!day)
            return day.error();
        if (const auto other = rows::day_of(tx, trip.id, day->number); other && other->id != id)
            return day_taken();
        day->updated_at = clock_.now();
        if (!rows::update_day(tx, *day))
            return errc::not_found;
        return Record{trip, std::move(*day), {}};
    };
    return writing<Record>([&](store::Session& session) { return trip_of_day(session, id); }, work, writer, kept);
}

// The day itself, changed as far as the change says, or a new one.
Result<Day> Service::day_at(store::Transaction& tx, const trips::Trip& trip, const Where& where) {
    auto known = where.day_id ? rows::find_day(tx, *where.day_id) : rows::day_of(tx, trip.id, where.number.value_or(1));
    if (where.day_id && (!known || known->trip_id != trip.id))
        return invalid("day_id", "The trip does not have this day.");
    if (known && !where.day.title && !where.day.description && !where.day.image_id)
        return std::move(*known);
    DayChange change = where.day;
    if (!known)
        change.number = where.number.value_or(1);
    auto day = ready(tx, trip, known.value_or(Day{}), change, {});
    if (!day)
        return day;
    day->updated_at = clock_.now();
    if (known) {
        rows::update_day(tx, *day);
        return day;
    }
    day->created_at = day->updated_at;
    day->id = rows::insert_day(tx, *day);
    return day;
}

Result<Entry> Service::insert(store::Transaction& tx, const trips::Trip& trip, const Day& day,
                              const EntryChange& change) {
    if (rows::count_entries(tx, day.id) >= static_cast<std::int64_t>(most_entries))
        return invalid("day", "A day has at most " + std::to_string(most_entries) + " entries.");
    auto entry = ready(tx, trip, Entry{.order = rows::next_order(tx, day.id)}, change, {});
    if (!entry)
        return entry;
    entry->day_id = day.id;
    entry->created_at = entry->updated_at = clock_.now();
    const auto id = rows::insert_entry(tx, *entry);
    return std::move(rows::find_entry(tx, id).value().entry);
}

Result<Entry> Service::update(store::Transaction& tx, const trips::Trip& trip, rows::Found found, const Day& day,
                              const EntryChange& change) {
    const auto id = found.entry.id;
    const bool moves = day.id != found.day.id;
    auto entry = ready(tx, trip, std::move(found.entry), change, {});
    if (!entry)
        return entry;
    if (moves && rows::count_entries(tx, day.id) >= static_cast<std::int64_t>(most_entries))
        return invalid("day", "A day has at most " + std::to_string(most_entries) + " entries.");
    if (moves && !change.order)
        entry->order = rows::next_order(tx, day.id);
    entry->day_id = day.id;
    entry->updated_at = clock_.now();
    rows::update_entry(tx, *entry);
    return std::move(rows::find_entry(tx, id).value().entry);
}

Result<Record> Service::add_entry(std::int64_t trip_id, const Where& where, const EntryChange& change,
                                  const Writer& writer, const Kept<Record>& kept) {
    const auto work = [&](store::Transaction& tx, const trips::Trip& trip) -> Result<Record> {
        auto day = day_at(tx, trip, where);
        if (!day)
            return day.error();
        auto entry = insert(tx, trip, *day, change);
        if (!entry)
            return entry.error();
        return Record{trip, std::move(*day), std::move(*entry)};
    };
    return writing<Record>([&](store::Session&) { return Result<std::int64_t>(trip_id); }, work, writer, kept);
}

Result<Record> Service::update_entry(std::int64_t id, const Where& where, const EntryChange& change,
                                     const Writer& writer, const Kept<Record>& kept) {
    const auto work = [&](store::Transaction& tx, const trips::Trip& trip) -> Result<Record> {
        auto found = rows::find_entry(tx, id);
        if (!found)
            return errc::not_found;
        Where place = where;
        if (!place.day_id && !place.number)
            place.day_id = found->day.id;
        auto day = day_at(tx, trip, place);
        if (!day)
            return day.error();
        auto entry = update(tx, trip, std::move(*found), *day, change);
        if (!entry)
            return entry.error();
        return Record{trip, std::move(*day), std::move(*entry)};
    };
    return writing<Record>([&](store::Session& session) { return trip_of_entry(session, id); }, work, writer, kept);
}

Result<void> Service::remove_day(std::int64_t id, const Writer& writer, const Kept<bool>& kept) {
    auto done = writing<bool>([&](store::Session& session) { return trip_of_day(session, id); },
                              [&](store::Transaction& tx, const trips::Trip&) -> Result<bool> {
                                  return rows::remove_day(tx, id) ? Result<bool>(true) : errc::not_found;
                              },
                              writer, kept);
    return done ? Result<void>{} : done.error();
}

Result<void> Service::remove_entry(std::int64_t id, const Writer& writer, const Kept<bool>& kept) {
    auto done = writing<bool>([&](store::Session& session) { return trip_of_entry(session, id); },
                              [&](store::Transaction& tx, const trips::Trip&) -> Result<bool> {
                                  return rows::remove_entry(tx, id) ? Result<bool>(true) : errc::not_found;
                              },
                              writer, kept);
    return done ? Result<void>{} : done.error();
}

Result<Removed> Service::remove(const std::vector<std::int64_t>& ids, const std::vector<std::int64_t>& day_ids,
                                const Writer& writer, const Kept<Removed>& kept) {
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
            if (auto locked = trips_.editor().begin_change(tx, trip, writer.user_id, writer.seen); !locked)
                return locked.error();
            before.push_back(plan_of(tx, trip));
        }
        Removed removed;
        for (const std::int64_t id : ids)
            ++(rows::remove_entry(tx, id) ? removed.deleted : removed.failed);
        for (const std::int64_t id : day_ids)
            ++(rows::remove_day(tx, id) ? removed.deleted : removed.failed);
        for (std::size_t at = 0; at < touched.size(); ++at) {
            tell_changes(tx, trips_.hooks(), touched[at], before[at]);
            trips_.editor().end_change(tx, touched[at], writer.user_id);
        }
        if (kept)
            kept(tx, removed);
        return removed;
    });
    if (done)
        for (const std::int64_t trip : touched)
            trips_.shown().refresh(trip);
    return done;
}

Result<Service::Bulk> Service::bulk(std::int64_t day_id, std::optional<std::int64_t> trip_id,
                                    const std::vector<BulkEntry>& entries, const Writer& writer,
                                    const Kept<Bulk>& kept) {
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
                auto entry = found ? update(tx, trip, std::move(*found), *day, *one.change)
                                   : insert(tx, trip, *day, *one.change);
                if (!entry)
                    return entry.error();
                outcome.id = entry->id;
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
            return invalid("trip_id", "The day belongs to another trip.");
        return of_day;
    };
    return writing<Bulk>(trip_of, work, writer, kept);
}

}  // namespace svc::catalog::itineraries
