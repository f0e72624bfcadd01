// SQL over what an account owns.
#include "base/people/my_account/repository.hpp"

#include "shared/record/orders.hpp"
#include "shared/store/typed.hpp"

namespace svc::my_account {
namespace {

#define SVC_STANDING_BOOKINGS                                                                             \
    "(SELECT id, trip_id, reference, trip_title, contact_email, updated_at, created_at FROM svc_bookings" \
    " WHERE user_id = :user AND status IN ('confirmed', 'completed') ORDER BY created_at DESC, id DESC LIMIT 100) b"

std::string text_of_user(store::Session& session, std::string_view sql, std::int64_t user_id) {
    return store::value<std::string>(session, sql, {{"id", user_id}}).value_or("");
}

#define SVC_OWN_PAYMENTS                                                                                \
    " FROM svc_payments p JOIN svc_bookings b ON b.id = p.booking_id"                                   \
    " WHERE b.user_id = :user AND b.status <> 'trash' AND p.created_at >= :from AND p.created_at < :to" \
    " AND p.updated_at >= :updated_since"

store::Params own_payments_of(std::int64_t user_id, const api::Period& period) {
    return {{"user", user_id},
            {"from", period.from.value_or(Instant::from_micros(INT64_MIN))},
            {"to", period.to.value_or(Instant::from_micros(INT64_MAX))},
            {"updated_since", period.updated_since.value_or(Instant::from_micros(INT64_MIN))}};
}

const record::Orders& payment_orders() {
    static const record::Orders orders{"p.id", {{"created_at", {"p.created_at"}}, {"updated_at", {"p.updated_at"}}}};
    return orders;
}

}  // namespace

Repository::Totals Repository::totals(store::Session& session, std::int64_t user_id, Currency currency) {
    Totals totals{.spent = Money::zero(currency)};
    store::each_row(
        session,
        "SELECT COUNT(*), CAST(COALESCE(SUM(travelers_count), 0) AS BIGINT), CAST(COALESCE(SUM(CASE WHEN currency ="
        " :currency THEN amount_paid_minor ELSE 0 END), 0) AS BIGINT), MAX(created_at), MAX(travel_date) FROM"
        " svc_bookings WHERE user_id = :user AND status NOT IN ('cancelled', 'failed', 'refunded', 'trash')",
        {{"currency", currency.code()}, {"user", user_id}},
        [&](std::int64_t bookings, std::int64_t travelers, std::int64_t spent, std::optional<Instant> last_booked_at,
            std::optional<Date> last_travel_date) {
            totals = {bookings, travelers, Money(spent, currency), last_booked_at, last_travel_date};
        });
    return totals;
}

std::vector<std::string> payment_sort_keys() { return payment_orders().keys(); }

std::vector<OwnPayment> Repository::payments(store::Session& session, std::int64_t user_id, const api::Period& period,
                                             const api::Page& page) {
    static const record::Head head{.sql = "SELECT p.id, p.booking_id" SVC_OWN_PAYMENTS};
    store::Params params = own_payments_of(user_id, period);
    params.emplace_back("limit", page.per_page);
    params.emplace_back("offset", page.offset());
    return store::structs<OwnPayment, std::int64_t, std::int64_t>(
        session, payment_orders().page(head, page.order_by, page.ascending), params);
}

std::int64_t Repository::count_payments(store::Session& session, std::int64_t user_id, const api::Period& period) {
    return session.number("SELECT COUNT(*)" SVC_OWN_PAYMENTS, own_payments_of(user_id, period));
}

std::vector<OwnDocument> Repository::documents(store::Session& session, std::int64_t user_id) {
    using Text = std::string;
    return store::structs<OwnDocument, Text, std::int64_t, std::int64_t, Text, Text, Text, Text, Instant>(
        session,
        "SELECT kind, id, booking_id, reference, trip_title, email, title, updated_at FROM ("
        "SELECT 'voucher' AS kind, b.id AS id, b.id AS booking_id, b.reference, b.trip_title, b.contact_email AS email,"
        " '' AS title, b.updated_at AS updated_at, b.created_at AS since, 1 AS place FROM " SVC_STANDING_BOOKINGS
        " UNION ALL SELECT 'itinerary', b.id, b.id, b.reference, b.trip_title, b.contact_email, '', b.updated_at,"
        " b.created_at, 2 FROM " SVC_STANDING_BOOKINGS
        " UNION ALL SELECT 'invoice', p.id, b.id, b.reference, b.trip_title, b.contact_email, '', p.updated_at,"
        " b.created_at, 3 FROM svc_bookings b JOIN svc_payments p ON p.booking_id = b.id"
        " AND p.status IN ('completed', 'refunded') WHERE b.user_id = :user AND b.status <> 'trash'"
        " UNION ALL SELECT 'download', d.id, b.id, b.reference, b.trip_title, b.contact_email, d.title, d.updated_at,"
        " b.created_at, 4 FROM " SVC_STANDING_BOOKINGS
        " JOIN svc_trip_downloads d ON d.trip_id = b.trip_id AND d.is_active = 1) AS found"
        " ORDER BY since DESC, booking_id DESC, place, id LIMIT 500",
        {{"user", user_id}});
}

std::string Repository::display_name(store::Session& session, std::int64_t user_id) {
    return text_of_user(session, "SELECT display_name FROM svc_users WHERE id = :id", user_id);
}

std::string Repository::locale(store::Session& session, std::int64_t user_id) {
    const std::string chosen =
        text_of_user(session, "SELECT preferred_language FROM svc_customers WHERE user_id = :id", user_id);
    return chosen == "en" ? std::string() : chosen;
}

std::string Repository::email(store::Session& session, std::int64_t user_id) {
    return text_of_user(session, "SELECT email FROM svc_users WHERE id = :id", user_id);
}

}  // namespace svc::my_account
