// Statements on svc_sample_rows.
#include "base/operations/sample_rows.hpp"

namespace svc::operations::rows {

void remember(store::Transaction& tx, const std::string& kind, std::int64_t id, Instant now) {
    tx.run("INSERT INTO svc_sample_rows (kind, row_id, created_at) VALUES (:kind, :id, :now)",
           {{"kind", kind}, {"id", id}, {"now", now}});
}

void forget(store::Transaction& tx, const std::string& kind, std::int64_t id) {
    tx.run("DELETE FROM svc_sample_rows WHERE kind = :kind AND row_id = :id", {{"kind", kind}, {"id", id}});
}

std::vector<std::int64_t> remembered(store::Session& session, const std::string& kind) {
    return session.all<std::int64_t>("SELECT row_id FROM svc_sample_rows WHERE kind = :kind ORDER BY row_id DESC", "i",
                                     {{"kind", kind}}, [](const store::Row& row) { return row.integer(0); });
}

std::optional<Instant> import_date(store::Session& session) {
    return session.first<Instant>("SELECT created_at FROM svc_sample_rows WHERE kind = 'import'", "i", {},
                                  [](const store::Row& row) { return row.instant(0); });
}

Dates dates_of(store::Session& session, std::int64_t trip_id) {
    return {session.number("SELECT COUNT(*) FROM svc_departures WHERE trip_id = :trip", {{"trip", trip_id}}),
            session.number("SELECT COUNT(*) FROM svc_availability_rules WHERE trip_id = :trip AND deleted_at IS NULL",
                           {{"trip", trip_id}})};
}

std::optional<std::int64_t> classification(store::Session& session, const std::string& type, const std::string& slug) {
    return session.first<std::int64_t>("SELECT id FROM svc_classifications WHERE type = :type AND slug = :slug", "i",
                                       {{"type", type}, {"slug", slug}},
                                       [](const store::Row& row) { return row.integer(0); });
}

std::optional<std::string> type_of(store::Session& session, std::int64_t id) {
    return session.first<std::string>("SELECT type FROM svc_classifications WHERE id = :id", "t", {{"id", id}},
                                      [](const store::Row& row) { return row.text(0); });
}

}  // namespace svc::operations::rows
