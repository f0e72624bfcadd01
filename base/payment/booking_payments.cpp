// Hands on to the service and reads the rows.
#include "base/payment/booking_payments.hpp"

namespace svc::payment {

Result<void> BookingPayments::receive(store::Transaction& tx, const booking::Booking& booking, const Money& amount,
                                      std::optional<std::int64_t> user_id, Instant now) {
    // Manual, whatever the booking's gateway: staff say that the money is there.
    const Draft draft{.booking_id = booking.id,
                      .amount = amount.decimal(),
                      .gateway = booking.payment_gateway,
                      .status = std::string(status::completed),
                      .notes = "Recorded with the booking."};
    auto recorded = service_.record(tx, draft, user_id.value_or(0), now);
    return recorded ? Result<void>{} : Result<void>{recorded.error()};
}

Result<void> BookingPayments::reckon(store::Transaction& tx, const booking::Booking& booking, Instant now) {
    return service_.recompute(tx, booking, now);
}

Result<void> BookingPayments::forget(store::Transaction& tx, std::int64_t booking_id) {
    const auto payments = Repository::of_booking(tx, booking_id);
    for (const Payment& payment : payments)
        if (payment.status == status::completed || payment.status == status::refunded)
            return Error{errc::in_use, "A completed payment is an accounting record and keeps its booking."};
    for (const Payment& payment : payments)
        Repository::remove(tx, payment.id);
    return {};
}

bool BookingPayments::is_awaited(store::Session& session, std::int64_t booking_id, Instant) const {
    for (const Payment& payment : Repository::of_booking(session, booking_id))
        if (payment.status == status::completed || payment.completed_event_fired ||
            (payment.status == status::pending && payment.source == "manual"))
            return true;
    return false;
}

}  // namespace svc::payment
