// Reads the agreed terms and applies them to the booking.
#include "base/sales/booking/record/cancelling.hpp"

namespace svc::booking {
namespace {

bool was_sold(std::string_view status) {
    return status == status::pending || status == status::confirmed || status == status::processing ||
           status == status::on_hold || status == status::cancelled || status == status::refunded;
}

}  // namespace

std::optional<ShownCancellation> agreed_cancellation(store::Session& session, const Booking& booking,
                                                     const settings::Settings& settings, Instant now) {
    auto found = AgreedCancellations::find(session, booking.id, booking.currency);
    if (!found)
        return std::nullopt;
    const bool has_ended = booking.status == status::cancelled || booking.status == status::refunded;
    // One that was closed by its refund was never cancelled.
    const bool has_a_day = !has_ended || booking.cancelled_at;
    return ShownCancellation{
        .agreed = std::move(found->agreed),
        .booking = {
            .fare = {.total = booking.total, .travelers = booking.travelers_count, .departs = booking.travel_date},
            .paid = booking.amount_paid,
            .day = settings.zone().date_at(has_ended ? booking.cancelled_at.value_or(now) : now),
            .can_cost = was_sold(booking.status) && has_a_day && !found->has_expired}};
}

json::Value cancellation_of(store::Session& session, const Booking& booking, const settings::Settings& settings,
                            Instant now) {
    const auto agreed = agreed_cancellation(session, booking, settings, now);
    return agreed ? to_json(agreed->agreed, agreed->booking) : json::Value();
}

}  // namespace svc::booking
