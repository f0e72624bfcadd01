// Revisions read, and brought back.
#include "base/catalog/trips/editor/history.hpp"

namespace svc::catalog::trips {

Result<History::Revisions> History::revisions(std::int64_t trip_id, const RevisionFilter& filter,
                                              const api::Page& page) const {
    return needs_.store.reading<Result<Revisions>>([&](store::Session& session) -> Result<Revisions> {
        SVC_RETURN_IF_ERROR(find_trip(session, trip_id));
        return Revisions{rows::revisions(session, trip_id, filter, page),
                         rows::count_revisions(session, trip_id, filter)};
    });
}

Result<Revision> History::revision(std::int64_t trip_id, std::int64_t id) const {
    auto found = needs_.store.reading<std::optional<Revision>>(
        [&](store::Session& session) { return rows::find_revision(session, trip_id, id); });
    if (!found)
        return Error{errc::not_found, "This trip has no such revision."_sentence};
    return std::move(*found);
}

Result<Trip> History::restore_revision(std::int64_t trip_id, std::int64_t id, std::optional<std::int64_t> user_id,
                                       std::vector<std::string>& left_out, Seen seen) {
    return editor_.writing([&](store::Transaction& tx) -> Result<Trip> {
        left_out.clear();
        auto before = Editor::find_locked(tx, trip_id, seen);
        if (!before)
            return before;
        const auto revision = rows::find_revision(tx, trip_id, id);
        if (!revision)
            return Error{errc::not_found, "This trip has no such revision."_sentence};
        if (before->status == TripStatus::trash)
            return Error{errc::conflict, "The trip is in the trash. A status takes it out."_sentence};
        const auto then = json::parse(revision->snapshot, stored_limits);
        if (!then)
            return Error{errc::conflict, "This revision cannot be read any more."_sentence};
        return editor_.save(tx, *before, content_of(*then, needs_.parts),
                            {.user_id = user_id, .now = needs_.clock.now(), .lenient = true, .left_out = &left_out},
                            &*revision);
    });
}

}  // namespace svc::catalog::trips
