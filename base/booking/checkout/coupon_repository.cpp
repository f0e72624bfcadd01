// What discounts ask of bookings.
#include "base/booking/record/repository.hpp"

namespace svc::booking {

// Two questions, as each has an index of its own.
bool Repository::has_booked(store::Session& session, std::string_view email_lower, std::int64_t user_id,
                            std::int64_t except_booking_id) {
    return session.number(
               "SELECT COUNT(*) FROM svc_bookings b JOIN svc_customers c ON c.id = b.customer_id"
               " WHERE (c.email_lower = :email"
               " OR c.email_lower = (SELECT u.email_lower FROM svc_users u WHERE u.id = :user))"
               " AND b.id <> :except AND b.status NOT IN ('cancelled', 'failed', 'trash', 'refunded')",
               {{"email", email_lower}, {"user", user_id}, {"except", except_booking_id}}) > 0 ||
           (user_id > 0 &&
            session.number("SELECT COUNT(*) FROM svc_bookings b WHERE b.user_id = :user AND b.id <> :except"
                           " AND b.status NOT IN ('cancelled', 'failed', 'trash', 'refunded')",
                           {{"user", user_id}, {"except", except_booking_id}}) > 0);
}

}  // namespace svc::booking
