// SQL of charges that wait for their booking.
#include "base/payment/held_repository.hpp"

#include "base/payment/charge_params.hpp"

namespace svc::payment {
namespace {

#define SVC_HELD_FROM                                                                                                \
    "SELECT id, session_id, user_id, gateway, provider_id, call_key, amount_minor, currency, client_amount, status," \
    " page, return_url, cancel_url, save_method, is_test, last_error, reconciliation, asks, ask_at, expires_at,"     \
    " created_at FROM svc_held_charges"

constexpr store::Columns held_columns = "iiitttittttttiittiiii";

HeldCharge read_held(const store::Row& row) {
    return {.charge = {.id = row.integer(0),
                       .gateway = row.text(3),
                       .provider_id = row.maybe_text(4),
                       .key = row.text(5),
                       .purpose = "checkout",
                       .amount = Money{row.integer(6), Currency::parse(row.text(7)).value()},
                       .client_amount = row.maybe_text(8),
                       .status = row.text(9),
                       .page = row.maybe_text(10),
                       .return_url = row.text(11),
                       .cancel_url = row.text(12),
                       .save_method = row.flag(13),
                       .is_test = row.flag(14),
                       .last_error = row.text(15),
                       .reconciliation = row.text(16),
                       .asks = row.integer(17),
                       .ask_at = row.instant(18),
                       .expires_at = row.instant(19),
                       .created_at = row.instant(20)},
            .session_id = row.maybe_integer(1),
            .user_id = row.maybe_integer(2)};
}

}  // namespace

std::int64_t HeldRepository::insert(store::Transaction& tx, const HeldCharge& held) {
    store::Params params = charge_params(held.charge);
    params.emplace_back("session_id", held.session_id);
    params.emplace_back("user_id", held.user_id);
    return tx.insert(
        "INSERT INTO svc_held_charges (session_id, user_id, gateway, call_key, amount_minor, currency, client_amount,"
        " status, return_url, cancel_url, save_method, is_test, ask_at, expires_at, created_at) VALUES (:session_id,"
        " :user_id, :gateway, :key, :amount, :currency, :client_amount, :status, :return_url, :cancel_url,"
        " :save_method, :is_test, :ask_at, :expires_at, :created_at) RETURNING id",
        params);
}

std::optional<HeldCharge> HeldRepository::find(store::Session& session, std::int64_t id) {
    return session.first<HeldCharge>(SVC_HELD_FROM " WHERE id = :id", held_columns, {{"id", id}}, read_held);
}

std::optional<HeldCharge> HeldRepository::by_key(store::Session& session, std::string_view key) {
    return session.first<HeldCharge>(SVC_HELD_FROM " WHERE call_key = :key", held_columns, {{"key", key}}, read_held);
}

std::optional<HeldCharge> HeldRepository::by_provider(store::Session& session, std::string_view gateway,
                                                      std::string_view provider_id) {
    return session.first<HeldCharge>(SVC_HELD_FROM " WHERE gateway = :gateway AND provider_id = :provider_id",
                                     held_columns, {{"gateway", gateway}, {"provider_id", provider_id}}, read_held);
}

std::vector<HeldCharge> HeldRepository::open_of(store::Session& session, std::int64_t session_id, Instant now) {
    return session.all<HeldCharge>(SVC_HELD_FROM
                                   " WHERE session_id = :session_id AND status IN ('created', 'requires_action')"
                                   " AND expires_at > :now ORDER BY id DESC",
                                   held_columns, {{"session_id", session_id}, {"now", now}}, read_held);
}

void HeldRepository::answered(store::Transaction& tx, std::int64_t id, std::string_view provider_id,
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

std::optional<HeldCharge> HeldRepository::of_booking(store::Session& session, std::int64_t booking_id,
                                                     std::string_view gateway) {
    return session.first<HeldCharge>(SVC_HELD_FROM
                                     " WHERE gateway = :gateway AND status IN ('created', 'requires_action')"
                                     " AND session_id IN (SELECT id FROM svc_booking_sessions WHERE booking_id ="
                                     " :booking_id) ORDER BY id DESC LIMIT 1",
                                     held_columns, {{"gateway", gateway}, {"booking_id", booking_id}}, read_held);
}

std::optional<std::int64_t> HeldRepository::booking_of(store::Session& session, const HeldCharge& held) {
    if (!held.session_id)
        return std::nullopt;
    return session.first<std::int64_t>(
        "SELECT booking_id FROM svc_booking_sessions WHERE id = :id AND booking_id IS NOT NULL", "i",
        {{"id", *held.session_id}}, [](const store::Row& row) { return row.integer(0); });
}

std::vector<std::int64_t> HeldRepository::due(store::Session& session, Instant now, std::int64_t most) {
    return session.all<std::int64_t>(
        "SELECT h.id FROM svc_held_charges h WHERE h.reconciliation = 'open' AND ((h.ask_at <= :now AND"
        " (h.expires_at <= :now OR h.status = 'released')) OR (h.status IN ('created', 'requires_action') AND EXISTS"
        " (SELECT 1 FROM svc_booking_sessions s WHERE s.id = h.session_id AND s.booking_id IS NOT NULL)))"
        " ORDER BY h.ask_at LIMIT :most",
        "i", {{"now", now}, {"most", most}}, [](const store::Row& row) { return row.integer(0); });
}

void HeldRepository::asked(store::Transaction& tx, std::int64_t id, Instant next) {
    tx.run("UPDATE svc_held_charges SET asks = asks + 1, ask_at = :next WHERE id = :id", {{"next", next}, {"id", id}});
}

}  // namespace svc::payment
