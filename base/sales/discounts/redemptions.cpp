// Which bookings hold a discount, counted under its lock where it is limited.
#include "base/sales/discounts/repository.hpp"
#include "shared/core/mailbox.hpp"

namespace svc::discounts::rows {
namespace {

const record::Rows<Released>& released_record() {
    using namespace record;
    static const record::Rows<Released> released{
        {.table = "svc_discount_redemptions",
         .joins = "JOIN svc_discounts d ON d.id = r.discount_id JOIN svc_bookings b ON b.id = r.booking_id"},
        {id(&Released::id), column("discount_id", &Released::discount_id, api::id()),
         column("customer_id", &Released::customer_id, api::id()),
         column("email_lower", &Released::email_lower, api::email()),
         column("is_coupon", &Released::is_coupon, api::boolean()),
         derived("user_id", &Released::user_id, "COALESCE(b.user_id, 0)", api::id())}};
    return released;
}

}  // namespace

bool keep(store::Transaction& tx, std::int64_t id) {
    return tx.number(tx.dialect() == store::Dialect::postgresql
                         ? "SELECT id FROM svc_discounts WHERE id = :id FOR KEY SHARE"
                         : "SELECT id FROM svc_discounts WHERE id = :id",
                     {{"id", id}}) != 0;
}

void lock(store::Transaction& tx, std::int64_t id) {
    tx.run("UPDATE svc_discounts SET updated_at = updated_at WHERE id = :id", {{"id", id}});
}

std::int64_t uses(store::Session& session, std::int64_t id) {
    return session.number("SELECT COUNT(*) FROM svc_discount_redemptions WHERE discount_id = :id AND status = 'active'",
                          {{"id", id}});
}

std::int64_t uses_of(store::Session& session, std::int64_t id, std::int64_t customer_id, std::string_view email_lower,
                     std::int64_t user_id) {
    return session.number(
        "SELECT COUNT(*) FROM svc_discount_redemptions r JOIN svc_bookings b ON b.id = r.booking_id"
        " WHERE r.discount_id = :id AND r.status = 'active' AND (r.customer_id = :customer OR r.email_lower = :email"
        " OR b.user_id = :user OR r.email_lower = (SELECT u.email_lower FROM svc_users u WHERE u.id = :account)"
        // Another spelling of the same mailbox is the same customer.
        " OR r.customer_id IN (SELECT c.id FROM svc_customers c WHERE c.email_key <> '' AND (c.email_key = :mailbox"
        " OR c.email_key IN (SELECT k.email_key FROM svc_customers k WHERE k.user_id = :holder))))",
        {{"id", id},
         {"customer", customer_id},
         {"email", email_lower},
         {"user", user_id},
         {"account", user_id},
         {"mailbox", mailbox_key(email_lower)},
         {"holder", user_id}});
}

bool was_used(store::Session& session, std::int64_t id) {
    return session.number("SELECT COUNT(*) FROM svc_discount_redemptions WHERE discount_id = :id", {{"id", id}}) > 0;
}

void redeem(store::Transaction& tx, std::int64_t id, const Redemption& redemption, Instant now) {
    tx.run(
        "INSERT INTO svc_discount_redemptions (discount_id, booking_id, customer_id, email_lower, is_coupon,"
        " amount_minor, currency, status, created_at, updated_at) VALUES (:id, :booking, :customer, :email,"
        " :is_coupon, :amount, :currency, 'active', :now, :now)"
        // A recalculated booking takes back the uses it has just released.
        " ON CONFLICT (discount_id, booking_id) DO UPDATE SET customer_id = excluded.customer_id,"
        " email_lower = excluded.email_lower, is_coupon = excluded.is_coupon, amount_minor = excluded.amount_minor,"
        " currency = excluded.currency, status = 'active', updated_at = excluded.updated_at",
        {{"id", id},
         {"booking", redemption.booking_id},
         {"customer", redemption.customer_id},
         {"email", redemption.email_lower},
         {"is_coupon", redemption.is_coupon},
         {"amount", redemption.amount.minor()},
         {"currency", redemption.amount.currency().code()},
         {"now", now}});
}

std::vector<Released> released(store::Session& session, std::int64_t booking_id) {
    // A code that staff took off the booking does not come back with it.
    static const std::string statement = released_record().select(
        "WHERE r.booking_id = :booking AND r.status = 'released' AND (r.is_coupon = 0 OR d.code = b.coupon_code)"
        " ORDER BY r.discount_id");
    return released_record().all(session, statement, {{"booking", booking_id}});
}

void release(store::Transaction& tx, std::int64_t booking_id, Instant now) {
    tx.run(
        "UPDATE svc_discount_redemptions SET status = 'released', updated_at = :now WHERE booking_id = :booking"
        " AND status = 'active'",
        {{"booking", booking_id}, {"now", now}});
}

void revive(store::Transaction& tx, std::int64_t booking_id, std::int64_t discount_id, Instant now) {
    tx.run(
        "UPDATE svc_discount_redemptions SET status = 'active', updated_at = :now WHERE booking_id = :booking"
        " AND discount_id = :id",
        {{"booking", booking_id}, {"id", discount_id}, {"now", now}});
}

}  // namespace svc::discounts::rows
