// Statements on svc_trip_revisions.
#include "base/catalog/trips/record/repository.hpp"
#include "base/catalog/trips/record/revision.hpp"
#include "shared/record/rows.hpp"

namespace svc::catalog::trips::rows {
namespace {

#define SVC_REVISION_FILTER                                                        \
    " WHERE r.trip_id = :trip_id AND r.created_at >= :from AND r.created_at < :to" \
    " AND (:any_status = 1 OR r.status = :status)"

using record::stored;

// Lists leave the snapshot out.
std::vector<record::Entry<Revision>> revision_columns(bool with_snapshot) {
    std::vector<record::Entry<Revision>> columns{
        stored("id", &Revision::id),
        stored("trip_id", &Revision::trip_id),
        stored("version", &Revision::version),
        record::converted<Revision, std::string>(
            "status", [](const Revision& one) { return std::string(one.restored ? "restored" : "inherit"); },
            [](Revision& one, std::string status) { one.restored = status == "restored"; }, api::text(20),
            record::hidden),
        stored("restored_from_id", &Revision::restored_from_id),
        stored("created_at", &Revision::created_at),
        stored("created_by", &Revision::created_by),
        record::derived("created_by_name", &Revision::created_by_name,
                        "(SELECT u.display_name FROM svc_users u WHERE u.id = r.created_by)", api::text(255), {},
                        record::hidden)};
    if (with_snapshot)
        columns.push_back(stored("snapshot", &Revision::snapshot));
    return columns;
}

const record::Rows<Revision>& listed_revision() {
    static const record::Rows<Revision> record{{.table = "svc_trip_revisions"}, revision_columns(false)};
    return record;
}

const record::Rows<Revision>& whole_revision() {
    static const record::Rows<Revision> record{{.table = "svc_trip_revisions"}, revision_columns(true)};
    return record;
}

store::Params revisions_where(std::int64_t trip_id, const RevisionFilter& filter) {
    store::Params params{{"trip_id", trip_id},
                         {"any_status", filter.status.empty() || filter.status == "all"},
                         {"status", filter.status}};
    add_period(params, filter.made);
    return params;
}

}  // namespace

std::vector<Revision> revisions(store::Session& session, std::int64_t trip_id, const RevisionFilter& filter,
                                const api::Page& page) {
    store::Params params = revisions_where(trip_id, filter);
    params.emplace_back("limit", page.per_page);
    params.emplace_back("offset", page.offset());
    static const record::Head head{listed_revision().select(SVC_REVISION_FILTER)};
    static const record::Orders revision_orders{"r.id", {{"version", {"r.version"}}}};
    return listed_revision().all(session, revision_orders.page(head, page.order_by, page.ascending), params);
}

std::int64_t count_revisions(store::Session& session, std::int64_t trip_id, const RevisionFilter& filter) {
    return session.number("SELECT COUNT(*) FROM svc_trip_revisions r" SVC_REVISION_FILTER,
                          revisions_where(trip_id, filter));
}

std::optional<Revision> find_revision(store::Session& session, std::int64_t trip_id, std::int64_t id) {
    static const auto statement = whole_revision().select("WHERE r.id = :id AND r.trip_id = :trip_id");
    return whole_revision().first(session, statement, {{"id", id}, {"trip_id", trip_id}});
}

std::int64_t insert_revision(store::Transaction& tx, const Revision& revision) {
    Revision stored = revision;
    whole_revision().insert(tx, stored, {.user_id = revision.created_by, .now = revision.created_at});
    return stored.id;
}

void mark_restored(store::Transaction& tx, std::int64_t id) {
    tx.run("UPDATE svc_trip_revisions SET status = 'restored' WHERE id = :id", {{"id", id}});
}

void prune_revisions(store::Transaction& tx, std::int64_t trip_id, std::int64_t most) {
    if (most > 0)
        tx.run(
            "DELETE FROM svc_trip_revisions WHERE trip_id = :trip_id AND version <= (SELECT version"
            " FROM svc_trip_revisions WHERE trip_id = :trip_id ORDER BY version DESC LIMIT 1 OFFSET :kept)",
            {{"trip_id", trip_id}, {"kept", most}});
}

}  // namespace svc::catalog::trips::rows
