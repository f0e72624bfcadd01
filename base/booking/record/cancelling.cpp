// Reads the agreed terms and applies them to the booking.
#include "base/booking/record/cancelling.hpp"

namespace svc::booking {
namespace {

bool was_sold(std::string_view status) {
    return status == status::pending || status == status::confirmed || status == status::processing ||
           status == status::on_hold || status == status::cancelled || status == status::refunded;
}

}  // namespace

json::Value cancellation_of(store::Session& session, const Booking& booking, const settings::Settings& settings,
                            Instant now) {
    const auto found = AgreedCancellations::find(session, booking.id, booking.currency);
    if (!found)
        return {};
    const bool has_ended = booking.status == status::cancelled || booking.status == status::refunded;
    return to_json(
        found->agreed,
        {.fare = {.total = booking.total, .travelers = booking.travelers_count, .departs = booking.travel_date},
         .paid = booking.amount_paid,
         .day = settings.zone().date_at(has_ended ? booking.cancelled_at.value_or(now) : now),
         .can_cost = was_sold(booking.status) && !found->has_expired});
}

}  // namespace svc::booking
