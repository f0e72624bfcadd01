// What discounts ask of bookings.
#include "base/booking/repository.hpp"

namespace svc::booking {

bool Repository::has_booked(store::Session& session, std::string_view email_lower, std::int64_t except_booking_id) {
    return session.number(
               "SELECT COUNT(*) FROM svc_bookings b JOIN svc_customers c ON c.id = b.customer_id"
               " WHERE c.email_lower = :email AND b.id <> :except"
               " AND b.status NOT IN ('cancelled', 'failed', 'trash', 'refunded')",
               {{"email", email_lower}, {"except", except_booking_id}}) > 0;
}

}  // namespace svc::booking
