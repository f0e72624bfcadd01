// SQL of checkout sessions.
#include "base/sales/booking/checkout/repository.hpp"
#include "shared/record/rows.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::booking {
namespace {

const record::Rows<CheckoutSession>& session_record() {
    using record::column, record::by_server_on_create, record::stored_as;
    const auto text = api::raw_text(10'000);
    static const record::Rows<CheckoutSession> session_record{
        {.table = "svc_booking_sessions"},
        {record::id(&CheckoutSession::id),
         column("user_id", &CheckoutSession::user_id, api::id()),
         column("trip_id", &CheckoutSession::trip_id, api::id()),
         column("travel_date", &CheckoutSession::travel_date, api::date()),
         column("departure_time", &CheckoutSession::departure_time, api::time()),
         column("travelers", &CheckoutSession::travelers, api::integer(1)),
         column("travelers_chosen", &CheckoutSession::travelers_chosen, api::boolean()),
         column("traveler_counts", &CheckoutSession::traveler_counts, api::map(api::integer(0))),
         column("payment_method", &CheckoutSession::payment_method, text),
         column("payment_gateway", &CheckoutSession::payment_gateway, text),
         column("method_chosen", &CheckoutSession::method_chosen, api::boolean()),
         column("coupon_code", &CheckoutSession::coupon_code, text),
         column("country", &CheckoutSession::country, text),
         column("services", &CheckoutSession::services, api::map(api::integer(0))),
         column("draft", &CheckoutSession::draft, text, stored_as("form_data")),
         column("token_hash", &CheckoutSession::token_hash, text, by_server_on_create),
         column("status", &CheckoutSession::status, text, by_server_on_create),
         column("booking_id", &CheckoutSession::booking_id, api::id(), by_server_on_create),
         column("created_at", &CheckoutSession::created_at, api::instant(), by_server_on_create),
         column("expires_at", &CheckoutSession::expires_at, api::instant())}};
    return session_record;
}

}  // namespace

std::int64_t SessionRepository::insert(store::Transaction& tx, const CheckoutSession& session, Instant now) {
    CheckoutSession stored = session;
    session_record().insert(tx, stored, {.now = now});
    return stored.id;
}

std::optional<CheckoutSession> SessionRepository::find(store::Session& session, std::string_view token_hash) {
    static const std::string of_hash = session_record().select("WHERE r.token_hash = :token_hash");
    return session_record().first(session, of_hash, {{"token_hash", token_hash}});
}

void SessionRepository::update(store::Transaction& tx, const CheckoutSession& session) {
    // One that has become a booking meanwhile stays as it is.
    tx.run(
        "UPDATE svc_booking_sessions SET user_id = :user_id, trip_id = :trip_id, travel_date = :travel_date,"
        " departure_time = :departure_time, travelers = :travelers, travelers_chosen = :travelers_chosen,"
        " traveler_counts = :traveler_counts, payment_method = :payment_method, method_chosen = :method_chosen,"
        " coupon_code = :coupon_code, country = :country, services = :services, payment_gateway = :payment_gateway,"
        " form_data = :form_data, expires_at = :expires_at WHERE id = :id AND status = 'open'",
        session_record().params_of(&session));
}

void SessionRepository::renew(store::Transaction& tx, std::int64_t id, Instant expires_at, Instant now) {
    tx.run("UPDATE svc_booking_sessions SET expires_at = :expires_at WHERE id = :id AND expires_at > :now",
           {{"expires_at", expires_at}, {"id", id}, {"now", now}});
}

bool SessionRepository::convert(store::Transaction& tx, std::int64_t id, std::int64_t booking_id) {
    return tx.run(
               "UPDATE svc_booking_sessions SET status = 'converted', booking_id = :booking_id, form_data = ''"
               " WHERE id = :id AND status = 'open'",
               {{"booking_id", booking_id}, {"id", id}}) == 1;
}

void SessionRepository::close(store::Transaction& tx, std::int64_t id) {
    tx.run("UPDATE svc_booking_sessions SET status = 'closed', form_data = '' WHERE id = :id AND status = 'open'",
           {{"id", id}});
}

std::int64_t SessionRepository::renew_drafts(store::Transaction& tx, const crypto::Keyring& keyring, std::int64_t most,
                                             std::int64_t& last) {
    struct Sealed {
        std::int64_t id;
        std::string token_hash, text;
    };
    std::int64_t count = 0;
    for (const Sealed& row : store::all_rows(
             tx,
             "SELECT id, token_hash, form_data FROM svc_booking_sessions WHERE id > :last AND form_data <> ''"
             " ORDER BY id LIMIT :most",
             {{"last", last}, {"most", most}}, [](std::int64_t id, const std::string&hash, const std::string&text) {
                 return Sealed{id, hash, text};
             })) {
        last = row.id;
        if (const auto text = keyring.renewed(row.text, Sealing::of_session(row.token_hash)))
            count += tx.run("UPDATE svc_booking_sessions SET form_data = :text WHERE id = :id AND form_data = :before",
                            {{"text", *text}, {"id", row.id}, {"before", row.text}});
    }
    return count;
}

std::int64_t SessionRepository::remove_expired(store::Transaction& tx, Instant before, std::int64_t most) {
    // Counts sessions that had a price, so that reports know what share became bookings.
    tx.run(
        "INSERT INTO svc_session_hours (hour, sessions) SELECT created_at / 3600000000, COUNT(*) FROM"
        " svc_booking_sessions WHERE id IN (SELECT id FROM svc_booking_sessions WHERE expires_at < :before"
        " ORDER BY expires_at LIMIT :most) AND trip_id IS NOT NULL AND travel_date IS NOT NULL GROUP BY 1"
        " ON CONFLICT (hour) DO UPDATE SET sessions = svc_session_hours.sessions + excluded.sessions",
        {{"before", before}, {"most", most}});
    return tx.run(
        "DELETE FROM svc_booking_sessions WHERE id IN (SELECT id FROM svc_booking_sessions"
        " WHERE expires_at < :before ORDER BY expires_at LIMIT :most)",
        {{"before", before}, {"most", most}});
}

}  // namespace svc::booking
