// SQL of refunds.
#include "base/sales/payment/record/refund_repository.hpp"

#include "shared/store/read_rows.hpp"

namespace svc::payment {
const record::Record<Refunded>& refund_record() {
    using record::by_other, record::by_server, record::by_server_on_create, record::column, record::stored, api::text;
    static const auto amount = record::currency_of(&Refunded::amount);
    static const record::Record<Refunded> record{
        {.table = "svc_refunds", .component = "Refund"},
        {record::id(&Refunded::id),
         record::computed<Refunded>(
             "reference", text(20), [](const Refunded& refund) { return json::Value(refund.reference()); }, {}, {},
             "The refund's reference: CN- and six digits. The credit note has a separate number."),
         column("payment_id", &Refunded::payment_id, api::id(), by_server_on_create),
         column("booking_id", &Refunded::booking_id, api::id(), by_server_on_create),
         column("gateway", &Refunded::gateway, text(50), by_server_on_create),
         column("gateway_refund_id", &Refunded::gateway_refund_id, text(191), by_server, "The provider's."),
         record::money("amount", &Refunded::amount, amount, api::money(), by_server_on_create),
         column("currency", amount, text(3), by_server_on_create),
         column("status", &Refunded::status, api::choice({"pending", "completed", "failed"}), by_server,
                "pending: the provider has not decided yet."),
         column("by_hand", &Refunded::by_hand, api::boolean(), by_server_on_create, "Refunded outside this server."),
         column("reduces_total", &Refunded::reduces_total, api::boolean(), by_server_on_create,
                "Whether the refund reduces the booking's total."),
         record::money("total_reduced", &Refunded::total_reduced, amount, api::money(), by_server,
                       "The reduction of the total; zero until the refund is completed."),
         column("reason", &Refunded::reason, api::raw_text(1000), by_server_on_create),
         column("last_error", &Refunded::last_error, api::raw_text(1000), by_server,
                "The provider's reason for a failure."),
         column("source", &Refunded::source, api::choice({"admin", "gateway_event", "customer"}), by_server_on_create),
         column("processed_at", &Refunded::processed_at, api::instant(), by_server),
         column("created_at", &Refunded::created_at, api::instant(), by_server_on_create),
         stored("call_key", &Refunded::key, by_server_on_create),
         stored("closes", &Refunded::closes, by_server_on_create),
         stored("initiated_by", &Refunded::initiated_by, by_server_on_create),
         stored("gateway_response", &Refunded::details),
         stored("asks", &Refunded::asks, by_other),
         stored("ask_at", &Refunded::schedule_inquiry, by_server_on_create),
         stored("updated_at", &Refunded::updated_at)}};
    return record;
}

std::optional<Refunded> RefundRepository::find(store::Session& session, std::int64_t id) {
    return refund_record().find(session, id);
}

std::optional<Refunded> RefundRepository::by_provider(store::Session& session, std::string_view gateway,
                                                      std::string_view gateway_refund_id) {
    static const std::string statement =
        refund_record().select("WHERE r.gateway = :gateway AND r.gateway_refund_id = :refund_id");
    return refund_record().first(session, statement, {{"gateway", gateway}, {"refund_id", gateway_refund_id}});
}

std::vector<Refunded> RefundRepository::of_payment(store::Session& session, std::int64_t payment_id) {
    static const std::string statement = refund_record().select("WHERE r.payment_id = :id ORDER BY r.id");
    return refund_record().all(session, statement, {{"id", payment_id}});
}

std::int64_t RefundRepository::insert(store::Transaction& tx, const Refunded& refund) {
    Refunded stored = refund;
    refund_record().insert(tx, stored, {.now = refund.created_at});
    return stored.id;
}

void RefundRepository::update(store::Transaction& tx, const Refunded& refund, Instant now) {
    Refunded written = refund;
    refund_record().update(tx, written, {.now = now});
}

std::vector<std::int64_t> RefundRepository::due(store::Session& session, Instant now, std::int64_t most) {
    return store::numbers(
        session, "SELECT id FROM svc_refunds WHERE status = 'pending' AND ask_at <= :now ORDER BY ask_at LIMIT :most",
        {{"now", now}, {"most", most}});
}

void RefundRepository::note_inquiry(store::Transaction& tx, std::int64_t id, Instant next) {
    tx.run("UPDATE svc_refunds SET asks = asks + 1, ask_at = :next WHERE id = :id", {{"next", next}, {"id", id}});
}

}  // namespace svc::payment
