// What trips were before, and trips made of others.
#include "base/catalog/trips/hooks.hpp"
#include "base/catalog/trips/service.hpp"
#include "base/catalog/trips/texts.hpp"
#include "base/platform/store/changes.hpp"
#include "shared/core/text.hpp"

namespace svc::catalog::trips {
namespace {

constexpr std::string_view copied = " (Copy)";
constexpr std::size_t longest_title = 255;

std::int64_t limit_of(const json::Value& answer) {
    const auto number = api::integer(0).check(answer, "limit");
    return number ? number->integer() : revision_limit;
}

// What a snapshot says, without what belongs to its moment.
TripChange content_of(const json::Value& snapshot, const Parts& parts) {
    TripChange change = change_of(snapshot, parts);
    change.status.reset();
    change.row_version.reset();
    change.scheduled_publish_at.reset();
    change.scheduled_unpublish_at.reset();
    return change;
}

}  // namespace

json::Value Service::snapshot(store::Session& session, const Trip& trip) const {
    auto value =
        staff_json(whole(session, trip, Members::of_content), display_of(trip, hooks_, showing_.asks), showing_);
    value.set("schema", snapshot_schema);
    return value;
}

void Service::keep_revision(store::Transaction& tx, const Trip& before, const Part::Writing& writing,
                            const Revision* restored) const {
    rows::insert_revision(tx, {.trip_id = before.id,
                               .version = before.version,
                               .restored = restored != nullptr,
                               .restored_from_id = restored ? std::optional(restored->id) : std::nullopt,
                               .created_at = writing.now,
                               .created_by = writing.user_id,
                               .snapshot = snapshot(tx, before).dump()});
    if (restored)
        rows::mark_restored(tx, restored->id);
    rows::prune_revisions(tx, before.id, limit_of(hooks_.apply(trip_revision_limit, revision_limit, {before.id}, &tx)));
}

Result<Service::Revisions> Service::revisions(std::int64_t trip_id, const RevisionFilter& filter,
                                              const api::Page& page) const {
    return store_.reading<Result<Revisions>>([&](store::Session& session) -> Result<Revisions> {
        if (auto trip = find(session, trip_id); !trip)
            return trip.error();
        return Revisions{rows::revisions(session, trip_id, filter, page),
                         rows::count_revisions(session, trip_id, filter)};
    });
}

Result<Revision> Service::revision(std::int64_t trip_id, std::int64_t id) const {
    auto found = store_.reading<std::optional<Revision>>(
        [&](store::Session& session) { return rows::find_revision(session, trip_id, id); });
    if (!found)
        return Error{errc::not_found, "This revision does not exist."};
    return std::move(*found);
}

Result<Trip> Service::restore_revision(std::int64_t trip_id, std::int64_t id, std::optional<std::int64_t> user_id,
                                       std::vector<std::string>& left_out, const Kept& kept, Seen seen) {
    return writing(
        [&](store::Transaction& tx) -> Result<Trip> {
            left_out.clear();
            auto before = find_locked(tx, trip_id, seen);
            if (!before)
                return before;
            const auto revision = rows::find_revision(tx, trip_id, id);
            if (!revision)
                return Error{errc::not_found, "This revision does not exist."};
            if (before->status == TripStatus::trash)
                return Error{errc::conflict, "The trip is in the trash. Restore it or set a status first."};
            const auto then = json::parse(revision->snapshot, stored_limits);
            if (!then)
                return Error{errc::conflict, "This revision is unreadable and cannot be restored."};
            return save(tx, *before, content_of(*then, parts_),
                        {.user_id = user_id, .now = clock_.now(), .lenient = true, .left_out = &left_out}, &*revision);
        },
        kept);
}

Result<Trip> Service::begin_change(store::Transaction& tx, std::int64_t id, std::optional<std::int64_t> user_id,
                                   Seen seen) const {
    auto trip = find_locked(tx, id, seen);
    if (trip && trip->status == TripStatus::trash)
        return Error{errc::conflict, "The trip is in the trash. Restore it first."};
    if (trip && trip->is_public())
        keep_revision(tx, *trip, {.user_id = user_id, .now = clock_.now()}, nullptr);
    return trip;
}

void Service::end_change(store::Transaction& tx, std::int64_t id, std::optional<std::int64_t> user_id) {
    rows::touch(tx, id, user_id, clock_.now());
    read_mentions(tx, id);
    hooks_.emit(tx, trip_updated_with_relations, {id});
    store::touch(tx, channel);
}

Result<Trip> Service::duplicate(std::int64_t id, std::optional<std::int64_t> user_id, const Kept& kept) {
    auto copy = writing(
        [&](store::Transaction& tx) -> Result<Trip> {
            auto source = find(tx, id);
            if (!source)
                return source;
            TripChange change = content_of(snapshot(tx, *source), parts_);
            change.title = std::string(text::first(source->title, longest_title - copied.size())) + std::string(copied);
            change.slug.reset();
            std::vector<std::string> gone;  // nothing that a trip refers to is deleted under it
            auto made = insert(
                tx, change, source->currency,
                {.user_id = user_id, .now = clock_.now(), .lenient = true, .left_out = &gone, .copy_of = &*source});
            if (made && copying_.copy)
                copying_.copy(tx, id, made->id, user_id);
            return made;
        },
        kept);
    if (copy && copying_.copied)
        copying_.copied(copy->id);
    return copy;
}

}  // namespace svc::catalog::trips
