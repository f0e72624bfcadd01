// Calls the payment service for bookings, and reads payments' rows.
#include "base/sales/payment/booking_payments.hpp"

#include <algorithm>

#include "base/sales/booking/record/price.hpp"
#include "base/sales/payment/gateways/said.hpp"
#include "base/sales/payment/record/intent_repository.hpp"
#include "base/sales/payment/record/wire.hpp"

namespace svc::payment {

Result<void> BookingPayments::receive(store::Transaction& tx, const booking::Booking& booking, const Money& amount,
                                      std::optional<std::int64_t> user_id, Instant now) {
    // Manual whatever the booking's gateway: staff report the money as received.
    const Draft draft{.booking_id = booking.id,
                      .amount = amount.decimal(),
                      .gateway = service_.takes(booking.payment_gateway) ? booking.payment_gateway : "other",
                      .status = std::string(status::completed),
                      .notes = "Recorded with the booking."};
    auto recorded = service_.record(tx, draft, user_id.value_or(0), now);
    return recorded ? Result<void>{} : Result<void>{recorded.error()};
}

Result<void> BookingPayments::reckon(store::Transaction& tx, const booking::Booking& booking, Instant now) {
    return service_.recompute(tx, booking, now);
}

void BookingPayments::called_off(store::Transaction& tx, std::int64_t booking_id, Instant now) {
    IntentRepository::call_off(tx, booking_id, now);
}

void BookingPayments::add_payments(store::Session& session, std::int64_t booking_id, bool for_staff,
                                   json::Value& detail) const {
    json::Value all = json::Value::array();
    std::optional<std::string> transaction;
    for (const Payment& payment : Repository::of_booking(session, booking_id)) {
        all.push(for_staff ? to_json(payment) : to_own_json(payment));
        if (payment.transaction_id)
            transaction = payment.transaction_id;
    }
    detail.set("payments", std::move(all));
    detail.set("payment_transaction_id", transaction);
}

Result<void> BookingPayments::forget(store::Transaction& tx, std::int64_t booking_id) {
    const auto payments = Repository::of_booking(tx, booking_id);
    for (const Payment& payment : payments)
        if (payment.status == status::completed || payment.status == status::refunded)
            return Error{
                errc::in_use,
                "Bookings with completed payments cannot be deleted: the payments are accounting records."_sentence};
    for (const Payment& payment : payments)
        Repository::remove(tx, payment.id);
    return {};
}

std::optional<Rate> BookingPayments::deposit_of(store::Session& session, const std::string& gateway) const {
    if (gateway != "pay_later")
        return {};
    return booking::deposit_asked_by(service_.gateways.plain_config(session, gateway));
}

booking::TimeToPay BookingPayments::time_to_pay(store::Session& session, const std::string& gateway) const {
    return time_to_pay_of(service_.gateways.plain_config(session, gateway));
}

booking::Payments::Reminders BookingPayments::reminders() const {
    const auto offered = service_.gateways.find("pay_later");
    if (!offered || !offered->enabled)
        return {};
    Reminders reminders{.gateway = "pay_later", .days = {}};
    // "7,3,1": skips anything but numbers of days.
    std::int64_t days = -1;
    for (const char c : offered->config.text_or("reminder_days", "7,3,1") + ",") {
        if (c >= '0' && c <= '9' && days < 1000)
            days = std::max<std::int64_t>(days, 0) * 10 + (c - '0');
        else if (c == ',' && days >= 0)
            reminders.days.push_back(std::exchange(days, -1));
    }
    std::sort(reminders.days.rbegin(), reminders.days.rend());
    return reminders;
}

Money BookingPayments::refunded(store::Session& session, const booking::Booking& booking) const {
    Money sum = Money::zero(booking.total.currency());
    for (const Payment& payment : Repository::of_booking(session, booking.id))
        if (payment.refunded.currency() == sum.currency())
            sum += payment.refunded;
    return sum;
}

bool BookingPayments::is_awaited(store::Session& session, std::int64_t booking_id, Instant now) const {
    // Waits while the customer is on a provider's page; an hour without an event counts as left.
    if (IntentRepository::is_under_way(session, booking_id, now))
        return true;
    for (const Payment& payment : Repository::of_booking(session, booking_id))
        if (payment.status == status::completed || payment.completed_event_at ||
            (payment.status == status::pending && payment.source == "manual"))
            return true;
    return false;
}

}  // namespace svc::payment
