// capture(): the one way a payment takes effect, and what it means for its booking.
#include "base/booking/wire.hpp"
#include "base/payment/hooks.hpp"
#include "base/payment/intent.hpp"
#include "base/payment/service.hpp"
#include "base/payment/wire.hpp"

namespace svc::payment {

std::string_view Service::type_of(store::Session& session, const Money& amount, const booking::Booking& booking) {
    const Ledger before = Repository::ledger(session, booking.id, amount.currency());
    if (before.net() + amount >= booking.total)
        return "final";
    return before.completed.is_zero() ? "initial" : "partial";
}

Result<Service::Captured> Service::capture(store::Transaction& tx, const booking::Booking& booking, Payment payment,
                                           Channel channel, Instant now) {
    if (payment.transaction_id)
        if (const auto known = Repository::find_transaction(tx, *payment.transaction_id);
            known && known->id != payment.id) {
            if (known->booking_id != booking.id)
                return errc::transaction_mismatch;
            if (known->status == status::completed || known->status == status::refunded)
                return Captured{.payment = *known, .repeated = true};
            payment.id = known->id;  // it was recorded as failed or pending and has come after all
        }
    payment.status = status::completed;
    if (!payment.processed_at)
        payment.processed_at = now;
    if (payment.id == 0) {
        payment.type = type_of(tx, payment.amount, booking);
        const auto id = Repository::insert(tx, payment, booking.customer_id);
        if (!id)  // the other writer committed between our look and our insert
            return errc::transaction_mismatch;
        payment.id = *id;
    } else {
        Repository::update(tx, payment, now);
    }
    // Money that nothing asks for, because the booking has ended or is paid, is kept for a person to send back.
    if (channel != Channel::offline && (!booking::holds_seats(booking.status) || booking.balance().is_zero()))
        Repository::reconcile(tx, payment.id, reconciliation::refund_due);
    payment = Repository::find(tx, payment.id).value();
    if (auto sums = recompute(tx, booking, now); !sums)
        return sums.error();
    if (auto told = tell_completed(tx, booking.id, payment, channel, now); !told)
        return told.error();
    return Captured{.payment = std::move(payment)};
}

Result<void> Service::recompute(store::Transaction& tx, const booking::Booking& booking, Instant now) {
    const Ledger ledger = Repository::ledger(tx, booking.id, booking.total.currency());
    const Money net = max(Money::zero(booking.total.currency()), ledger.net());
    const std::string_view payment_status =
        booking::payment_status_of(booking.total, ledger.completed, ledger.refunded, ledger.last_failed);
    if (net == booking.amount_paid && payment_status == booking.payment_status)
        return {};
    parts_.bookings.set_paid(tx, booking.id, net, payment_status, now);
    if (net > booking.total && net > booking.amount_paid)
        parts_.bookings.flag(tx, booking.id, "overpaid", now);
    if (payment_status != booking.payment_status)
        parts_.hooks.emit(tx, payment_status_changed,
                          {booking.id, booking.payment_status, payment_status,
                           booking::to_json(parts_.bookings.read(tx, booking.id).value())});
    return {};
}

Result<void> Service::tell_completed(store::Transaction& tx, std::int64_t booking_id, const Payment& payment,
                                     Channel channel, Instant now) {
    if (!Repository::claim_completed_event(tx, payment.id, now))
        return {};
    const booking::Booking after = parts_.bookings.read(tx, booking_id).value();
    const bool fully_paid = after.balance().is_zero();

    json::Value data = to_json(payment);
    data.set("payment_id", payment.id);
    data.set("payment_type", payment.type);
    data.set("fully_paid", fully_paid);
    data.set("amount_due", after.balance());
    data.set("source", payment.source);
    const bool send = payment.source != "manual" ||
                      parts_.hooks.apply(send_manual_payment_emails, true, {after.id, data}, &tx).boolean();
    data.set("send_emails", send);
    parts_.hooks.emit(tx, payment_completed, {data});
    if (channel != Channel::offline)
        emit_if_declared(parts_.hooks, tx, "svc_" + payment.gateway + "_payment_completed", data);

    if (after.status != booking::status::pending && after.status != booking::status::processing) {
        // Money for a booking that no longer stands is kept and shown to a person; it never brings it back.
        if (!booking::holds_seats(after.status))
            parts_.bookings.flag(tx, after.id, "paid while " + after.status, now);
        return {};
    }
    const Confirmation decided = confirmation(parts_.settings.text("auto_confirm_mode"), channel, fully_paid);
    const bool confirm =
        parts_.hooks.apply(confirm_on_payment, decided.should, {fully_paid, after.id, decided.automatic}, &tx)
            .boolean();
    if (confirm)
        return parts_.bookings.change(tx, after, booking::status::confirmed, booking::Cause::payment,
                                      {.kind = channel == Channel::online ? "gateway" : "system"}, "payment", now);
    // A capture that was under way is over; whether the booking stands is for our staff to say.
    if (after.status == booking::status::processing && channel != Channel::offline)
        return parts_.bookings.change(tx, after, booking::status::pending, booking::Cause::payment, {.kind = "gateway"},
                                      "payment", now);
    return {};
}

}  // namespace svc::payment
