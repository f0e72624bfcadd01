// Writes of trips.
#include "base/catalog/trips/service.hpp"

#include "base/catalog/trips/hooks.hpp"
#include "base/catalog/trips/search_rows.hpp"
#include "base/platform/store/changes.hpp"
#include "shared/core/log.hpp"

namespace svc::catalog::trips {
namespace {

Error changed_meanwhile() { return {errc::conflict, "The trip was changed in the meantime. Please read it again."}; }

}  // namespace

Service::Service(const Parts& parts)
    : store_(parts.store),
      hooks_(parts.hooks),
      settings_(parts.settings),
      clock_(parts.clock),
      shown_(parts.store, parts.hooks) {}

std::shared_ptr<const Trip> Service::published(std::int64_t id) const {
    const Shown shown = shown_.published(id);
    return shown ? std::shared_ptr<const Trip>(shown, &shown->trip) : nullptr;
}

Result<Trip> Service::find(std::int64_t id) const {
    return store_.reading<Result<Trip>>([&](store::Session& session) { return find(session, id); });
}

Result<Trip> Service::find(store::Session& session, std::int64_t id) {
    auto trip = rows::find(session, id);
    if (!trip)
        return errc::trip_not_found;
    return std::move(*trip);
}

bool Service::any(store::Session& session) { return rows::any(session); }

Service::Listed Service::list(const TripQuery& query) const {
    return store_.reading<Listed>([&](store::Session& session) {
        if (query.search.empty())
            return Listed{rows::list(session, query), rows::count(session, query)};
        const auto found = rows::search(session, search_query(query.search), query);
        Listed listed{{}, found.total};
        for (const std::int64_t id : found.ids)
            if (auto trip = rows::find(session, id); trip)
                listed.trips.push_back(std::move(*trip));
        return listed;
    });
}

TripCounts Service::counts() const {
    return store_.reading<TripCounts>([](store::Session& session) { return rows::counts(session); });
}

// Two writers may choose the same free slug; the one that loses chooses again.
template <class Work>
Result<Trip> Service::writing(Work work, const Kept& kept) {
    constexpr int most_tries = 5;
    for (int tries = 1;; ++tries) {
        try {
            auto trip = store_.transact<Trip>([&](store::Transaction& tx) -> Result<Trip> {
                Result<Trip> written = work(tx);
                if (written && kept)
                    kept(tx, *written);
                return written;
            });
            if (trip)
                shown_.refresh(trip->id);
            return trip;
        } catch (const store::UniqueViolation&) {
            if (tries == most_tries)
                throw;
        }
    }
}

Result<Trip> Service::create(const TripChange& change, std::optional<std::int64_t> user_id, const Kept& kept) {
    return writing([&](store::Transaction& tx) { return create(tx, change, user_id); }, kept);
}

Result<Trip> Service::create(store::Transaction& tx, const TripChange& change, std::optional<std::int64_t> user_id) {
    Trip empty;
    empty.currency = settings_.currency();
    empty.regular_price = Money::zero(empty.currency);
    empty.created_at = empty.updated_at = clock_.now();
    empty.created_by = empty.updated_by = user_id;
    auto trip = changed(std::move(empty), change, true);
    if (!trip)
        return trip;
    trip->slug = rows::free_slug(tx, trip->slug, 0);
    trip->id = rows::insert(tx, *trip);
    rows::index(tx, trip->id, words_of(search_text(*trip)));
    hooks_.emit(tx, trip_created, {trip->id});
    hooks_.emit(tx, trip_created_with_relations, {trip->id});
    store::touch(tx, channel);
    return trip;
}

Result<Trip> Service::update(std::int64_t id, const TripChange& change, std::optional<std::int64_t> user_id,
                             const Kept& kept) {
    return writing([&](store::Transaction& tx) { return update(tx, id, change, user_id); }, kept);
}

Result<Trip> Service::update(store::Transaction& tx, std::int64_t id, const TripChange& change,
                             std::optional<std::int64_t> user_id) {
    rows::lock(tx, id);
    auto before = find(tx, id);
    if (!before)
        return before;
    if (change.row_version && *change.row_version != before->row_version)
        return changed_meanwhile();
    if (before->status == TripStatus::trash && !change.status)
        return Error{errc::conflict, "The trip is in the trash. A status takes it out."};
    auto trip = changed(*before, change, false);
    if (!trip)
        return trip;
    if (trip->slug != before->slug)
        trip->slug = rows::free_slug(tx, trip->slug, id);
    trip->updated_at = clock_.now();
    trip->updated_by = user_id;
    if (!rows::update(tx, *trip))
        return changed_meanwhile();
    rows::index(tx, trip->id, words_of(search_text(*trip)));
    ++trip->row_version;
    hooks_.emit(tx, trip_updated, {id});
    hooks_.emit(tx, trip_updated_with_relations, {id});
    store::touch(tx, channel);
    return trip;
}

Result<Trip> Service::trash(std::int64_t id, std::optional<std::int64_t> user_id, const Kept& kept) {
    return writing(
        [&](store::Transaction& tx) -> Result<Trip> {
            rows::lock(tx, id);
            auto trip = find(tx, id);
            if (!trip)
                return trip;
            if (trip->status == TripStatus::trash)
                return Error{errc::conflict, "The trip is in the trash already."};
            hooks_.emit(tx, trip_deleted, {id});
            const Instant now = clock_.now();
            if (!rows::trash(tx, *trip, user_id, now))
                return changed_meanwhile();
            trip->status_before_trash = trip->status;
            trip->status = TripStatus::trash;
            trip->deleted_at = trip->updated_at = now;
            trip->updated_by = user_id;
            ++trip->row_version;
            store::touch(tx, channel);
            return trip;
        },
        kept);
}

Result<void> Service::remove(std::int64_t id, const std::function<Result<void>(store::Transaction&)>& release) {
    try {
        return store_.write([&](store::Transaction& tx) -> Result<void> {
            rows::lock(tx, id);
            const auto trip = find(tx, id);
            if (!trip)
                return trip.error();
            if (trip->status != TripStatus::trash)
                return Error{errc::conflict, "Only a trip in the trash can be deleted for good."};
            hooks_.emit(tx, trip_deleted, {id});
            if (auto released = release(tx); !released)
                return released;
            rows::unindex(tx, id);
            rows::remove(tx, id);
            store::touch(tx, channel);
            return {};
        });
    } catch (const store::ConstraintViolation&) {
        return Error{errc::in_use, "Bookings refer to this trip, so it cannot be deleted."};
    }
}

}  // namespace svc::catalog::trips
