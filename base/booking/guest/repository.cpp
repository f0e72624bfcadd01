// SQL of whose bookings they are.
#include "base/booking/guest/repository.hpp"

#include "shared/core/text.hpp"

namespace svc::booking {

void GuestRepository::set_verified(store::Transaction& tx, std::int64_t id, Instant now) {
    tx.run("UPDATE svc_bookings SET verified_at = :now WHERE id = :id", {{"now", now}, {"id", id}});
}

std::int64_t GuestRepository::count_unowned(store::Session& session, std::string_view email) {
    return session.number(
        "SELECT COUNT(*) FROM svc_bookings b JOIN svc_customers c ON c.id = b.customer_id"
        " WHERE c.email_lower = :email AND b.user_id IS NULL",
        {{"email", text::folded(email)}});
}

std::int64_t GuestRepository::own(store::Transaction& tx, std::int64_t user_id, std::string_view email, Instant now) {
    return tx.run(
        "UPDATE svc_bookings SET user_id = :user_id, row_version = row_version + 1, updated_at = :now"
        " WHERE user_id IS NULL AND customer_id IN (SELECT id FROM svc_customers WHERE email_lower = :email)",
        {{"user_id", user_id}, {"now", now}, {"email", text::folded(email)}});
}

}  // namespace svc::booking
