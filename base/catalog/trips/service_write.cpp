// Writes of trips.
#include "base/catalog/trips/children.hpp"
#include "base/catalog/trips/hooks.hpp"
#include "base/catalog/trips/search_rows.hpp"
#include "base/catalog/trips/service.hpp"
#include "base/platform/store/changes.hpp"

namespace svc::catalog::trips {
namespace {

Error changed_meanwhile() { return {errc::conflict, "The trip was changed in the meantime. Please read it again."}; }

// The errors of several steps as one.
void add(std::optional<Error>& all, const Error& error) {
    if (!all || error.fields().empty()) {
        if (!all)
            all = error;
        return;
    }
    for (const FieldError& each : error.fields())
        all->at(each.field, each.sentence);
}

std::vector<std::int64_t> category_ids(const Trip& trip) {
    std::vector<std::int64_t> ids;
    for (const PriceType& type : trip.price_types)
        ids.push_back(type.category_id);
    return ids;
}

}  // namespace

Result<Trip> Service::checked(store::Session& session, Trip before, const TripChange& change, bool fresh) {
    std::optional<Error> faults;
    if (change.difficulty_level && *change.difficulty_level &&
        !rows::has_difficulty(session, **change.difficulty_level))
        add(faults, invalid("difficulty_level", "There is no such difficulty level."));
    if (change.featured_image && *change.featured_image && !rows::has_media(session, **change.featured_image))
        add(faults, invalid("featured_image", "There is no such picture."));
    auto trip = changed(std::move(before), change, fresh);
    if (!trip)
        add(faults, trip.error());
    if (trip && change.price_types) {
        const auto known = rows::categories(session, category_ids(*trip));
        std::size_t number = 0;
        for (PriceType& type : trip->price_types) {
            ++number;
            const auto found = std::find_if(known.begin(), known.end(),
                                            [&](const auto& each) { return each.first == type.category_id; });
            if (found != known.end())
                type.category = found->second;
            else
                add(faults, invalid("price_types." + std::to_string(number) + ".category_id",
                                    "There is no such traveler category."));
        }
    }
    if (faults)
        return std::move(*faults);
    return trip;
}

Result<void> Service::write_rest(store::Transaction& tx, const Trip& trip, const TripChange& change,
                                 const Part::Writing& writing) const {
    if (change.price_types)
        rows::write_price_types(tx, trip);
    if (change.default_time_slots)
        rows::write_time_slots(tx, trip);
    std::optional<Error> faults;
    for (const auto& [name, value] : change.parts)
        for (const auto& part : parts_)
            if (part->name() == name)
                if (auto written = part->write(tx, trip, value, writing); !written)
                    add(faults, written.error());
    if (!faults && trip.is_public())
        for (const auto& part : parts_)
            if (auto fit = part->fit_to_publish(tx, trip); !fit)
                add(faults, fit.error());
    if (faults)
        return std::move(*faults);
    return {};
}

// Two writers may choose the same free slug; the one that loses chooses again.
template <class Work>
Result<Trip> Service::writing(Work work, const Kept& kept) {
    constexpr int most_tries = 5;
    for (int tries = 1;; ++tries) {
        try {
            auto trip = store_.transact<Trip>([&](store::Transaction& tx) -> Result<Trip> {
                Result<Trip> written = work(tx);
                // As it is stored: ids, names and what writers before have done included.
                if (written && kept)
                    kept(tx, find(tx, written->id).value());
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
    auto trip = checked(tx, std::move(empty), change, true);
    if (!trip)
        return trip;
    trip->slug = rows::free_slug(tx, trip->slug, 0);
    trip->id = rows::insert(tx, *trip);
    rows::remember_slug(tx, trip->id, "", trip->slug);
    rows::index(tx, trip->id, words_of(search_text(*trip)));
    hooks_.emit(tx, trip_created, {trip->id});
    if (auto rest = write_rest(tx, *trip, change, {.user_id = user_id, .now = trip->created_at}); !rest)
        return rest.error();
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
    auto trip = checked(tx, *before, change, false);
    if (!trip)
        return trip;
    if (trip->is_public())
        ++trip->version;
    if (trip->slug != before->slug)
        trip->slug = rows::free_slug(tx, trip->slug, id);
    if (trip->slug != before->slug)
        rows::remember_slug(tx, id, before->slug, trip->slug);
    trip->updated_at = clock_.now();
    trip->updated_by = user_id;
    if (!rows::update(tx, *trip))
        return changed_meanwhile();
    rows::index(tx, trip->id, words_of(search_text(*trip)));
    ++trip->row_version;
    hooks_.emit(tx, trip_updated, {id});
    if (auto rest = write_rest(tx, *trip, change, {.user_id = user_id, .now = trip->updated_at}); !rest)
        return rest.error();
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
