// SQL of charges that wait for their booking.
#include "base/sales/payment/checkout/held_repository.hpp"

#include "base/sales/payment/record/charge_columns.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::payment {
namespace {

const record::Rows<HeldCharge>& held_record() {
    using record::by_server_on_create, record::stored;
    static const record::Rows<HeldCharge> record{{.table = "svc_held_charges"},
                                                 {charge_columns<HeldCharge>([]<class M>(M PaymentIntent::*member) {
                                                      return record::within(&HeldCharge::charge, member);
                                                  }),
                                                  stored("session_id", &HeldCharge::session_id, by_server_on_create),
                                                  stored("user_id", &HeldCharge::user_id, by_server_on_create)}};
    return record;
}

}  // namespace

std::int64_t HeldRepository::insert(store::Transaction& tx, const HeldCharge& held) {
    HeldCharge stored = held;
    held_record().insert(tx, stored, {.now = held.charge.created_at});
    return stored.charge.id;
}

std::optional<HeldCharge> HeldRepository::find(store::Session& session, std::int64_t id) {
    return held_record().find(session, id);
}

std::optional<HeldCharge> HeldRepository::by_key(store::Session& session, std::string_view key) {
    static const std::string statement = held_record().select("WHERE r.call_key = :key");
    return held_record().first(session, statement, {{"key", key}});
}

std::optional<HeldCharge> HeldRepository::by_provider(store::Session& session, std::string_view gateway,
                                                      std::string_view provider_id) {
    static const std::string statement =
        held_record().select("WHERE r.gateway = :gateway AND r.provider_id = :provider_id");
    return held_record().first(session, statement, {{"gateway", gateway}, {"provider_id", provider_id}});
}

std::vector<HeldCharge> HeldRepository::open_of(store::Session& session, std::int64_t session_id, Instant now) {
    static const std::string statement = held_record().select(
        "WHERE r.session_id = :session_id AND r.status IN ('created', 'requires_action') AND r.expires_at > :now"
        " ORDER BY r.id DESC");
    return held_record().all(session, statement, {{"session_id", session_id}, {"now", now}});
}

void HeldRepository::store_answer(store::Transaction& tx, std::int64_t id, std::string_view provider_id,
                                  std::string_view page) {
    tx.run(
        "UPDATE svc_held_charges SET provider_id = :provider_id, page = :page,"
        " status = CASE WHEN status = 'created' THEN 'requires_action' ELSE status END WHERE id = :id",
        {{"provider_id", provider_id}, {"page", page}, {"id", id}});
}

void HeldRepository::settle(store::Transaction& tx, std::int64_t id, std::string_view status,
                            std::string_view reconciliation, std::string_view error) {
    tx.run(
        "UPDATE svc_held_charges SET status = :status, reconciliation = :reconciliation, last_error = :error"
        " WHERE id = :id",
        {{"status", status}, {"reconciliation", reconciliation}, {"error", error}, {"id", id}});
}

bool HeldRepository::release(store::Transaction& tx, std::int64_t id, Instant now) {
    return tx.run(
               "UPDATE svc_held_charges SET status = 'released', ask_at = :now WHERE id = :id"
               " AND status IN ('created', 'requires_action')",
               {{"now", now}, {"id", id}}) == 1;
}

void HeldRepository::return_to(store::Transaction& tx, const PaymentIntent& charge) {
    tx.run("UPDATE svc_held_charges SET return_url = :return_url, cancel_url = :cancel_url WHERE id = :id",
           {{"return_url", charge.return_url}, {"cancel_url", charge.cancel_url}, {"id", charge.id}});
}

bool HeldRepository::adopt(store::Transaction& tx, std::int64_t id) {
    return tx.run(
               "UPDATE svc_held_charges SET status = 'adopted', reconciliation = 'settled' WHERE id = :id"
               " AND status IN ('created', 'requires_action')",
               {{"id", id}}) == 1;
}

std::vector<HeldCharge> HeldRepository::of_booking(store::Session& session, std::int64_t booking_id) {
    static const std::string statement = held_record().select(
        "WHERE r.status IN ('created', 'requires_action') AND r.session_id IN"
        " (SELECT id FROM svc_booking_sessions WHERE booking_id = :booking_id) ORDER BY r.id DESC");
    return held_record().all(session, statement, {{"booking_id", booking_id}});
}

std::optional<std::int64_t> HeldRepository::booking_of(store::Session& session, const HeldCharge& held) {
    if (!held.session_id)
        return std::nullopt;
    return store::first_row(session,
                            "SELECT booking_id FROM svc_booking_sessions WHERE id = :id AND booking_id IS NOT NULL",
                            {{"id", *held.session_id}}, [](std::int64_t id) { return id; });
}

std::vector<std::int64_t> HeldRepository::due(store::Session& session, Instant now, std::int64_t most) {
    return store::numbers(
        session,
        "SELECT h.id FROM svc_held_charges h WHERE h.reconciliation = 'open' AND ((h.ask_at <= :now AND"
        " (h.expires_at <= :now OR h.status = 'released')) OR (h.status IN ('created', 'requires_action') AND EXISTS"
        " (SELECT 1 FROM svc_booking_sessions s WHERE s.id = h.session_id AND s.booking_id IS NOT NULL)))"
        " ORDER BY h.ask_at LIMIT :most",
        {{"now", now}, {"most", most}});
}

void HeldRepository::note_inquiry(store::Transaction& tx, std::int64_t id, Instant next) {
    tx.run("UPDATE svc_held_charges SET asks = asks + 1, ask_at = :next WHERE id = :id", {{"next", next}, {"id", id}});
}

}  // namespace svc::payment
