// SQL of refunds.
#include "base/payment/refund_repository.hpp"

namespace svc::payment {
namespace {

#define SVC_REFUND_FROM                                                                                            \
    "SELECT id, payment_id, booking_id, gateway, gateway_refund_id, call_key, amount_minor, currency, status, "    \
    "by_hand,"                                                                                                     \
    " closes, reason, last_error, source, initiated_by, gateway_response, asks, ask_at, processed_at, created_at," \
    " updated_at, reduces_total, total_reduced_minor FROM svc_refunds"

constexpr store::Columns refund_columns = "iiitttittiitttitiiiiiii";

Refunded read_refund(const store::Row& row) {
    return {.id = row.integer(0),
            .payment_id = row.integer(1),
            .booking_id = row.integer(2),
            .gateway = row.text(3),
            .gateway_refund_id = row.maybe_text(4),
            .key = row.text(5),
            .amount = Money{row.integer(6), Currency::parse(row.text(7)).value()},
            .status = row.text(8),
            .by_hand = row.flag(9),
            .closes = row.flag(10),
            .reduces_total = row.flag(21),
            .total_reduced = Money{row.integer(22), Currency::parse(row.text(7)).value()},
            .reason = row.text(11),
            .last_error = row.text(12),
            .source = row.text(13),
            .initiated_by = row.maybe_integer(14),
            .details = json::parse(row.text(15)).value(),
            .asks = row.integer(16),
            .ask_at = row.instant(17),
            .processed_at = row.maybe_instant(18),
            .created_at = row.instant(19),
            .updated_at = row.instant(20)};
}

}  // namespace

std::optional<Refunded> RefundRepository::find(store::Session& session, std::int64_t id) {
    return session.first<Refunded>(SVC_REFUND_FROM " WHERE id = :id", refund_columns, {{"id", id}}, read_refund);
}

std::optional<Refunded> RefundRepository::by_provider(store::Session& session, std::string_view gateway,
                                                      std::string_view gateway_refund_id) {
    return session.first<Refunded>(SVC_REFUND_FROM " WHERE gateway = :gateway AND gateway_refund_id = :refund_id",
                                   refund_columns, {{"gateway", gateway}, {"refund_id", gateway_refund_id}},
                                   read_refund);
}

std::vector<Refunded> RefundRepository::of_payment(store::Session& session, std::int64_t payment_id) {
    return session.all<Refunded>(SVC_REFUND_FROM " WHERE payment_id = :id ORDER BY id", refund_columns,
                                 {{"id", payment_id}}, read_refund);
}

std::int64_t RefundRepository::insert(store::Transaction& tx, const Refunded& refund) {
    return tx.insert(
        "INSERT INTO svc_refunds (payment_id, booking_id, gateway, gateway_refund_id, call_key, amount_minor,"
        " currency, status, by_hand, closes, reason, source, initiated_by, gateway_response, ask_at, processed_at,"
        " created_at, updated_at, reduces_total) VALUES (:payment_id, :booking_id, :gateway, :refund_id, :key, "
        ":amount, :currency,"
        " :status, :by_hand, :closes, :reason, :source, :initiated_by, :details, :ask_at, :processed_at, :created_at,"
        " :updated_at, :reduces_total) RETURNING id",
        {{"payment_id", refund.payment_id},
         {"booking_id", refund.booking_id},
         {"gateway", refund.gateway},
         {"refund_id", refund.gateway_refund_id},
         {"key", refund.key},
         {"amount", refund.amount.minor()},
         {"currency", refund.amount.currency().code()},
         {"status", refund.status},
         {"by_hand", refund.by_hand},
         {"closes", refund.closes},
         {"reduces_total", refund.reduces_total},
         {"reason", refund.reason},
         {"source", refund.source},
         {"initiated_by", refund.initiated_by},
         {"details", refund.details.dump()},
         {"ask_at", refund.ask_at},
         {"processed_at", refund.processed_at},
         {"created_at", refund.created_at},
         {"updated_at", refund.created_at}});
}

void RefundRepository::update(store::Transaction& tx, const Refunded& refund, Instant now) {
    tx.run(
        "UPDATE svc_refunds SET gateway_refund_id = :refund_id, status = :status, last_error = :error,"
        " gateway_response = :details, total_reduced_minor = :total_reduced, processed_at = :processed_at, updated_at "
        "= :now WHERE id = :id",
        {{"refund_id", refund.gateway_refund_id},
         {"status", refund.status},
         {"error", refund.last_error},
         {"total_reduced", refund.total_reduced.minor()},
         {"details", refund.details.dump()},
         {"processed_at", refund.processed_at},
         {"now", now},
         {"id", refund.id}});
}

std::vector<std::int64_t> RefundRepository::due(store::Session& session, Instant now, std::int64_t most) {
    return session.all<std::int64_t>(
        "SELECT id FROM svc_refunds WHERE status = 'pending' AND ask_at <= :now ORDER BY ask_at LIMIT :most", "i",
        {{"now", now}, {"most", most}}, [](const store::Row& row) { return row.integer(0); });
}

void RefundRepository::asked(store::Transaction& tx, std::int64_t id, Instant next) {
    tx.run("UPDATE svc_refunds SET asks = asks + 1, ask_at = :next WHERE id = :id", {{"next", next}, {"id", id}});
}

}  // namespace svc::payment
