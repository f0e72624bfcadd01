// SQL of checkout sessions.
#include "base/booking/record/repository.hpp"

namespace svc::booking {
namespace {

std::string text_of(const std::map<std::int64_t, std::int64_t>& numbers) {
    auto counts = json::Value::object();
    for (const auto& [id, count] : numbers)
        counts.set(std::to_string(id), count);
    return counts.dump();
}

std::map<std::int64_t, std::int64_t> counts_of(const std::string& stored) {
    std::map<std::int64_t, std::int64_t> counts;
    if (const auto value = json::parse(stored); value && value->is_object())
        for (const auto& [category, count] : value->members())
            counts.emplace(std::stoll(category), count.integer());
    return counts;
}

}  // namespace

std::int64_t SessionRepository::insert(store::Transaction& tx, const CheckoutSession& session, Instant now) {
    return tx.insert(
        "INSERT INTO svc_booking_sessions (token_hash, user_id, trip_id, travel_date, departure_time, travelers,"
        " travelers_chosen, traveler_counts, payment_method, method_chosen, coupon_code, country, services,"
        " payment_gateway, form_data, status, created_at, expires_at)"
        " VALUES (:token_hash, :user_id, :trip_id, :travel_date, :departure_time, :travelers, :travelers_chosen,"
        " :traveler_counts, :payment_method, :method_chosen, :coupon_code, :country, :services,"
        " :payment_gateway, :form_data, 'open', :created_at, :expires_at) "
        "RETURNING id",
        {{"token_hash", session.token_hash},
         {"user_id", session.user_id},
         {"trip_id", session.trip_id},
         {"travel_date", session.travel_date},
         {"departure_time", session.departure_time},
         {"travelers", session.travelers},
         {"travelers_chosen", session.travelers_chosen},
         {"traveler_counts", text_of(session.traveler_counts)},
         {"payment_method", session.payment_method},
         {"method_chosen", session.method_chosen},
         {"coupon_code", session.coupon_code},
         {"country", session.country},
         {"services", text_of(session.services)},
         {"payment_gateway", session.payment_gateway},
         {"form_data", session.draft},
         {"created_at", now},
         {"expires_at", session.expires_at}});
}

std::optional<CheckoutSession> SessionRepository::find(store::Session& session, std::string_view token_hash) {
    return session.first<CheckoutSession>(
        "SELECT id, user_id, trip_id, travel_date, departure_time, travelers, payment_method, status, booking_id,"
        " created_at, expires_at, traveler_counts, coupon_code, country, services, method_chosen,"
        " travelers_chosen, payment_gateway, form_data FROM svc_booking_sessions"
        " WHERE token_hash = :token_hash",
        "iiittittiiittttiitt", {{"token_hash", token_hash}}, [&](const store::Row& row) {
            return CheckoutSession{.id = row.integer(0),
                                   .user_id = row.maybe_integer(1),
                                   .trip_id = row.maybe_integer(2),
                                   .travel_date = row.maybe_date(3),
                                   .departure_time = row.is_null(4) ? std::nullopt : ClockTime::parse(row.text(4)),
                                   .travelers = row.integer(5),
                                   .travelers_chosen = row.flag(16),
                                   .traveler_counts = counts_of(row.text(11)),
                                   .payment_method = row.text(6),
                                   .payment_gateway = row.text(17),
                                   .method_chosen = row.flag(15),
                                   .coupon_code = row.text(12),
                                   .country = row.text(13),
                                   .services = counts_of(row.text(14)),
                                   .draft = row.text(18),
                                   .token_hash = std::string(token_hash),
                                   .status = row.text(7),
                                   .booking_id = row.maybe_integer(8),
                                   .created_at = row.instant(9),
                                   .expires_at = row.instant(10)};
        });
}

void SessionRepository::update(store::Transaction& tx, const CheckoutSession& session) {
    tx.run(
        "UPDATE svc_booking_sessions SET user_id = :user_id, trip_id = :trip_id, travel_date = :travel_date,"
        " departure_time = :departure_time, travelers = :travelers, travelers_chosen = :travelers_chosen,"
        " traveler_counts = :traveler_counts, payment_method = :payment_method, method_chosen = :method_chosen, "
        "coupon_code = :coupon_code, country = :country, services = :services,"
        " payment_gateway = :payment_gateway, form_data = :form_data,"
        " expires_at = :expires_at WHERE id = :id AND status = 'open'",
        {{"user_id", session.user_id},
         {"trip_id", session.trip_id},
         {"travel_date", session.travel_date},
         {"departure_time", session.departure_time},
         {"travelers", session.travelers},
         {"travelers_chosen", session.travelers_chosen},
         {"traveler_counts", text_of(session.traveler_counts)},
         {"payment_method", session.payment_method},
         {"method_chosen", session.method_chosen},
         {"coupon_code", session.coupon_code},
         {"country", session.country},
         {"services", text_of(session.services)},
         {"payment_gateway", session.payment_gateway},
         {"form_data", session.draft},
         {"expires_at", session.expires_at},
         {"id", session.id}});
}

void SessionRepository::renew(store::Transaction& tx, std::int64_t id, Instant expires_at, Instant now) {
    tx.run("UPDATE svc_booking_sessions SET expires_at = :expires_at WHERE id = :id AND expires_at > :now",
           {{"expires_at", expires_at}, {"id", id}, {"now", now}});
}

void SessionRepository::expire_of_booking(store::Transaction& tx, std::int64_t booking_id, Instant now) {
    tx.run("UPDATE svc_booking_sessions SET expires_at = :now WHERE booking_id = :booking_id AND expires_at > :now",
           {{"now", now}, {"booking_id", booking_id}});
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
    for (const Sealed& row : tx.all<Sealed>(
             "SELECT id, token_hash, form_data FROM svc_booking_sessions WHERE id > :last AND form_data <> ''"
             " ORDER BY id LIMIT :most",
             "itt", {{"last", last}, {"most", most}}, [](const store::Row& row) {
                 return Sealed{row.integer(0), row.text(1), row.text(2)};
             })) {
        last = row.id;
        if (const auto text = keyring.renewed(row.text, Sealing::of_session(row.token_hash)))
            count += tx.run("UPDATE svc_booking_sessions SET form_data = :text WHERE id = :id AND form_data = :before",
                            {{"text", *text}, {"id", row.id}, {"before", row.text}});
    }
    return count;
}

std::int64_t SessionRepository::remove_expired(store::Transaction& tx, Instant before, std::int64_t most) {
    return tx.run(
        "DELETE FROM svc_booking_sessions WHERE id IN (SELECT id FROM svc_booking_sessions"
        " WHERE expires_at < :before ORDER BY expires_at LIMIT :most)",
        {{"before", before}, {"most", most}});
}

}  // namespace svc::booking
