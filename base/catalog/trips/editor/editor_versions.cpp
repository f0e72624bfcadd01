// Versions of trips: stored before a change, and copied into new trips.
#include "base/catalog/trips/editor/editor.hpp"
#include "base/catalog/trips/record/hooks.hpp"
#include "base/catalog/trips/record/repository.hpp"
#include "base/catalog/trips/record/texts.hpp"
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

}  // namespace

TripChange content_of(const json::Value& snapshot, const Parts& parts) {
    TripChange change = change_of(snapshot, parts);
    change.status.reset();
    change.row_version.reset();
    change.scheduled_publish_at.reset();
    change.scheduled_unpublish_at.reset();
    return change;
}

json::Value Editor::snapshot(store::Session& session, const Trip& trip) const {
    auto value = staff_json(session, trip, showing_, needs_.hooks, Members::of_content);
    value.set("schema", snapshot_schema);
    return value;
}

void Editor::keep_revision(store::Transaction& tx, const Trip& before, const Part::Writing& writing,
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
    rows::prune_revisions(tx, before.id,
                          limit_of(needs_.hooks.apply(trip_revision_limit, revision_limit, {before.id}, &tx)));
}

Result<Trip> Editor::begin_change(store::Transaction& tx, std::int64_t id, std::optional<std::int64_t> user_id,
                                  Seen seen) const {
    auto trip = find_locked(tx, id, seen);
    if (trip && trip->status == TripStatus::trash)
        return Error{errc::conflict, "The trip is in the trash."_sentence};
    if (trip && trip->is_public())
        keep_revision(tx, *trip, {.user_id = user_id, .now = needs_.clock.now()}, nullptr);
    return trip;
}

void Editor::end_change(store::Transaction& tx, std::int64_t id, std::optional<std::int64_t> user_id) {
    rows::touch(tx, id, user_id, needs_.clock.now());
    read_mentions(tx, id);
    needs_.hooks.emit(tx, trip_updated_with_relations, {id});
    store::touch(tx, channel);
}

Result<Trip> Editor::duplicate(std::int64_t id, std::optional<std::int64_t> user_id) {
    auto copy = writing([&](store::Transaction& tx) -> Result<Trip> {
        auto source = find_trip(tx, id);
        if (!source)
            return source;
        TripChange change = content_of(snapshot(tx, *source), needs_.parts);
        change.title = std::string(text::first(source->title, longest_title - copied.size())) + std::string(copied);
        change.slug.reset();
        std::vector<std::string> missing;  // nothing that a trip refers to is deleted under it
        auto inserted = insert(tx, change, source->currency,
                               {.user_id = user_id,
                                .now = needs_.clock.now(),
                                .lenient = true,
                                .left_out = &missing,
                                .copy_of = &*source});
        if (inserted && copying_.copy)
            copying_.copy(tx, id, inserted->id, user_id);
        if (inserted)
            needs_.hooks.emit(tx, trip_duplicated, {inserted->id, id});
        return inserted;
    });
    if (copy && copying_.copied)
        copying_.copied(copy->id);
    return copy;
}

}  // namespace svc::catalog::trips
