// A trip's state before a change, stored for reading and restoring.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shared/api/period.hpp"
#include "shared/api/route.hpp"
#include "shared/store/store.hpp"

namespace svc::catalog::trips {

struct Revision {
    std::int64_t id = 0, trip_id = 0, version = 0;
    // It was restored, or stored because another one was restored.
    bool restored = false;
    std::optional<std::int64_t> restored_from_id = {};  // which one took its place
    Instant created_at = {};
    std::optional<std::int64_t> created_by = {};
    std::optional<std::string> created_by_name = {};
    std::string snapshot = {};  // JSON; empty in lists
};

// Of the JSON in Revision::snapshot: its member `schema`.
inline constexpr int snapshot_schema = 1;
// How many revisions of a trip are stored, unless the filter svc_trip_revision_limit changes it.
inline constexpr std::int64_t revision_limit = 20;

struct RevisionFilter {
    api::Period made = {};
    std::string status = {};  // inherit, restored; empty and "all": any
};

namespace rows {

// Newest first unless the page is ascending.
std::vector<Revision> revisions(store::Session& session, std::int64_t trip_id, const RevisionFilter& filter,
                                const api::Page& page);
std::int64_t count_revisions(store::Session& session, std::int64_t trip_id, const RevisionFilter& filter);
std::optional<Revision> find_revision(store::Session& session, std::int64_t trip_id, std::int64_t id);
std::int64_t insert_revision(store::Transaction& tx, const Revision& revision);
void mark_restored(store::Transaction& tx, std::int64_t id);
// Deletes all but the newest `most`; 0 keeps all.
void prune_revisions(store::Transaction& tx, std::int64_t trip_id, std::int64_t most);

}  // namespace rows

}  // namespace svc::catalog::trips
