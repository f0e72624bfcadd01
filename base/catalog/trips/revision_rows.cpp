// Statements on svc_trip_revisions.
#include "base/catalog/trips/repository.hpp"
#include "base/catalog/trips/revision.hpp"

namespace svc::catalog::trips::rows {
namespace {

#define SVC_REVISION_COLUMNS                                                                 \
    "r.id, r.trip_id, r.version, r.status, r.restored_from_id, r.created_at, r.created_by, " \
    "(SELECT display_name FROM svc_users WHERE svc_users.id = r.created_by)"
#define SVC_REVISION_FILTER                                                                                  \
    " FROM svc_trip_revisions r WHERE r.trip_id = :trip_id AND r.created_at >= :from AND r.created_at < :to" \
    " AND (:any_status = 1 OR r.status = :status)"
#define SVC_REVISION_LIST(order)                                                           \
    "SELECT " SVC_REVISION_COLUMNS ", ''" SVC_REVISION_FILTER " ORDER BY r.version " order \
    " LIMIT :limit"                                                                        \
    " OFFSET :offset"
constexpr store::Columns types = "iiitiiitt";

Revision read(const store::Row& row) {
    return {.id = row.integer(0),
            .trip_id = row.integer(1),
            .version = row.integer(2),
            .restored = row.text(3) == "restored",
            .restored_from_id = row.maybe_integer(4),
            .created_at = row.instant(5),
            .created_by = row.maybe_integer(6),
            .created_by_name = row.maybe_text(7),
            .snapshot = row.text(8)};
}

store::Params where(std::int64_t trip_id, const RevisionFilter& filter) {
    store::Params params{{"trip_id", trip_id},
                         {"any_status", filter.status.empty() || filter.status == "all"},
                         {"status", filter.status}};
    add_period(params, filter.made);
    return params;
}

}  // namespace

std::vector<Revision> revisions(store::Session& session, std::int64_t trip_id, const RevisionFilter& filter,
                                const api::Page& page) {
    store::Params params = where(trip_id, filter);
    params.emplace_back("limit", page.per_page);
    params.emplace_back("offset", page.offset());
    return session.all<Revision>(page.ascending ? SVC_REVISION_LIST("ASC") : SVC_REVISION_LIST("DESC"), types, params,
                                 read);
}

std::int64_t count_revisions(store::Session& session, std::int64_t trip_id, const RevisionFilter& filter) {
    return session.number("SELECT COUNT(*)" SVC_REVISION_FILTER, where(trip_id, filter));
}

std::optional<Revision> find_revision(store::Session& session, std::int64_t trip_id, std::int64_t id) {
    return session.first<Revision>("SELECT " SVC_REVISION_COLUMNS
                                   ", r.snapshot FROM svc_trip_revisions r WHERE r.id = :id AND r.trip_id = :trip_id",
                                   types, {{"id", id}, {"trip_id", trip_id}}, read);
}

std::int64_t insert_revision(store::Transaction& tx, const Revision& revision) {
    return tx.insert(
        "INSERT INTO svc_trip_revisions (trip_id, version, status, snapshot, restored_from_id, created_at, created_by)"
        " VALUES (:trip_id, :version, :status, :snapshot, :restored_from_id, :created_at, :created_by) RETURNING id",
        {{"trip_id", revision.trip_id},
         {"version", revision.version},
         {"status", revision.restored ? "restored" : "inherit"},
         {"snapshot", revision.snapshot},
         {"restored_from_id", revision.restored_from_id},
         {"created_at", revision.created_at},
         {"created_by", revision.created_by}});
}

void mark_restored(store::Transaction& tx, std::int64_t id) {
    tx.run("UPDATE svc_trip_revisions SET status = 'restored' WHERE id = :id", {{"id", id}});
}

void prune_revisions(store::Transaction& tx, std::int64_t trip_id, std::int64_t kept) {
    if (kept > 0)
        tx.run(
            "DELETE FROM svc_trip_revisions WHERE trip_id = :trip_id AND version <= (SELECT version"
            " FROM svc_trip_revisions WHERE trip_id = :trip_id ORDER BY version DESC LIMIT 1 OFFSET :kept)",
            {{"trip_id", trip_id}, {"kept", kept}});
}

}  // namespace svc::catalog::trips::rows
