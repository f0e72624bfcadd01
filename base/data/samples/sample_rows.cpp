// Statements on svc_sample_rows.
#include "base/data/samples/sample_rows.hpp"

#include "base/sales/booking/upkeep/counts_due.hpp"
#include "shared/store/typed.hpp"

namespace svc::samples::rows {
namespace {

// Sales have a separate table, since it was added later.
bool is_sale(const std::string& kind) { return kind == "booking" || kind == "customer"; }

}  // namespace

void remember(store::Transaction& tx, const std::string& kind, std::int64_t id, Instant now) {
    tx.run(is_sale(kind) ? "INSERT INTO svc_sample_sales (kind, row_id, created_at) VALUES (:kind, :id, :now)"
                         : "INSERT INTO svc_sample_rows (kind, row_id, created_at) VALUES (:kind, :id, :now)",
           {{"kind", kind}, {"id", id}, {"now", now}});
}

void forget(store::Transaction& tx, const std::string& kind, std::int64_t id) {
    tx.run(is_sale(kind) ? "DELETE FROM svc_sample_sales WHERE kind = :kind AND row_id = :id"
                         : "DELETE FROM svc_sample_rows WHERE kind = :kind AND row_id = :id",
           {{"kind", kind}, {"id", id}});
}

std::vector<std::int64_t> remembered(store::Session& session, const std::string& kind) {
    return store::values<std::int64_t>(
        session,
        is_sale(kind) ? "SELECT row_id FROM svc_sample_sales WHERE kind = :kind ORDER BY row_id DESC"
                      : "SELECT row_id FROM svc_sample_rows WHERE kind = :kind ORDER BY row_id DESC",
        {{"kind", kind}});
}

void remember_step(store::Transaction& tx, std::int64_t step, std::int64_t trip_id, Instant now) {
    tx.run("INSERT INTO svc_sample_steps (step, trip_id, created_at) VALUES (:step, :trip, :now)",
           {{"step", step}, {"trip", trip_id}, {"now", now}});
}

std::map<std::int64_t, std::int64_t> steps(store::Session& session) {
    std::map<std::int64_t, std::int64_t> all;
    for (const auto& [step, trip] :
         store::tuples<std::int64_t, std::int64_t>(session, "SELECT step, trip_id FROM svc_sample_steps", {}))
        all.emplace(step, trip);
    return all;
}

void forget_steps(store::Transaction& tx) { tx.run("DELETE FROM svc_sample_steps", {}); }

bool is_new_customer(store::Session& session, std::int64_t id, Instant now) {
    return session.number("SELECT COUNT(*) FROM svc_customers WHERE id = :id AND created_at = :now",
                          {{"id", id}, {"now", now}}) > 0;
}

void forget_money(store::Transaction& tx, std::int64_t booking_id) {
    tx.run("DELETE FROM svc_refunds WHERE booking_id = :id", {{"id", booking_id}});
    tx.run("DELETE FROM svc_payments WHERE booking_id = :id", {{"id", booking_id}});
}

void remove_idle_customer(store::Transaction& tx, std::int64_t id) {
    tx.run(
        "DELETE FROM svc_customers WHERE id = :id AND user_id IS NULL"
        " AND NOT EXISTS (SELECT 1 FROM svc_bookings WHERE customer_id = :id)"
        " AND NOT EXISTS (SELECT 1 FROM svc_discount_redemptions WHERE customer_id = :id)",
        {{"id", id}});
}

void recount(store::Transaction& tx, std::int64_t trip_id) { booking::count_again(tx, std::span(&trip_id, 1)); }

std::optional<Instant> import_date(store::Session& session) {
    return store::value<Instant>(session, "SELECT created_at FROM svc_sample_rows WHERE kind = 'import'", {});
}

Dates dates_of(store::Session& session, std::int64_t trip_id) {
    return {session.number("SELECT COUNT(*) FROM svc_departures WHERE trip_id = :trip", {{"trip", trip_id}}),
            session.number("SELECT COUNT(*) FROM svc_availability_rules WHERE trip_id = :trip AND deleted_at IS NULL",
                           {{"trip", trip_id}})};
}

std::optional<std::int64_t> classification(store::Session& session, const std::string& type, const std::string& slug) {
    return store::value<std::int64_t>(session, "SELECT id FROM svc_classifications WHERE type = :type AND slug = :slug",
                                      {{"type", type}, {"slug", slug}});
}

std::optional<std::string> type_of(store::Session& session, std::int64_t id) {
    return store::value<std::string>(session, "SELECT type FROM svc_classifications WHERE id = :id", {{"id", id}});
}

}  // namespace svc::samples::rows
