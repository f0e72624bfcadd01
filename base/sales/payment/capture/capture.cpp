// capture(): the only way in which a payment takes effect, with the consequences for its booking.
#include "base/sales/booking/record/wire.hpp"
#include "base/sales/payment/capture/service.hpp"
#include "base/sales/payment/record/hooks.hpp"
#include "base/sales/payment/record/intent.hpp"
#include "base/sales/payment/record/wire.hpp"

namespace svc::payment {

std::string_view Service::type_of(const Ledger& before, const Money& amount, const booking::Booking& booking) {
    if (before.net() + amount >= booking.total)
        return "final";
    return before.completed.is_zero() ? "initial" : "partial";
}

// Recomputes each payment's type from the current earlier ones: one of them may be smaller, refunded or deleted, or the
// total another.
void Service::settle_types(store::Transaction& tx, const booking::Booking& booking, const Ledger& ledger, Instant now) {
    const Money nothing = Money::zero(booking.total.currency());
    Ledger before{.completed = nothing, .refunded = nothing};
    for (const Ledger::Place& place : ledger.places) {
        if (const std::string_view type = type_of(before, place.amount, booking); type != place.type)
            Repository::set_type(tx, place.id, type, now);
        before.completed += place.amount;
        before.refunded += place.refunded;
    }
}

Result<Service::Captured> Service::capture(store::Transaction& tx, const booking::Booking& booking, Payment payment,
                                           Channel channel, Instant now) {
    payment.status = status::completed;
    if (!payment.processed_at)
        payment.processed_at = now;
    // Stores money that is not due, because the booking has ended or is paid, for staff to refund. Staff may knowingly
    // record more than the balance, but may not know that the booking has ended.
    const bool is_unasked =
        !booking::holds_seats(booking.status) || (channel != Channel::offline && payment.amount > booking.balance());
    if (payment.id == 0) {
        Ledger ledger = Repository::ledger(tx, booking.id, booking.total.currency());
        Payment created = payment;
        created.type = type_of(ledger, created.amount, booking);
        created.completed_event_at = payment.updated_at;  // emitted below by the code that inserts it
        if (is_unasked)
            created.reconciliation = reconciliation::refund_due;
        if (const auto id = Repository::insert(tx, created, booking.customer_id)) {
            created.id = *id;
            created.booking_reference = booking.reference;
            created.customer_name = booking.customer_name();
            created.customer_email = booking.email;
            created.trip_title = booking.trip_title;
            ledger.add(created);
            SVC_RETURN_IF_ERROR(report_completed(tx, settle_sums(tx, booking, ledger, now), created, channel, now));
            return Captured{.payment = std::move(created)};
        }
    }
    if (payment.transaction_id)
        if (const auto known = Repository::find_transaction(tx, *payment.transaction_id);
            known && known->id != payment.id) {
            if (known->booking_id != booking.id)
                return errc::transaction_mismatch;
            if (known->status == status::completed || known->status == status::refunded)
                return Captured{.payment = *known, .repeated = true};
            payment.id = known->id;  // it was recorded as failed or pending and has come after all
            payment.recorded_by = known->recorded_by;
            if (payment.notes.empty())
                payment.notes = known->notes;
        }
    const Payment stored = Repository::find(tx, payment.id).value();
    if (payment.type.empty())
        payment.type = stored.type;
    Repository::update(tx, payment, now);
    // Each transition to completed is reported, also when the payment was completed before; saving it unchanged is
    // none.
    const bool is_transition = stored.status != status::completed && stored.status != status::refunded;
    // Payments completed before the booking ended were due.
    if (is_unasked && is_transition)
        Repository::reconcile(tx, payment.id, reconciliation::refund_due);
    const booking::Booking after =
        settle_sums(tx, booking, Repository::ledger(tx, booking.id, booking.total.currency()), now);
    payment = Repository::find(tx, payment.id).value();
    if (is_transition) {
        Repository::note_completed_event(tx, payment.id, now);
        SVC_RETURN_IF_ERROR(report_completed(tx, after, payment, channel, now));
    }
    return Captured{.payment = std::move(payment)};
}

Result<void> Service::recompute(store::Transaction& tx, const booking::Booking& booking, Instant now) {
    settle_sums(tx, booking, Repository::ledger(tx, booking.id, booking.total.currency()), now);
    return {};
}

booking::Booking Service::settle_sums(store::Transaction& tx, const booking::Booking& booking, const Ledger& ledger,
                                      Instant now) {
    settle_types(tx, booking, ledger, now);
    const Money net = max(Money::zero(booking.total.currency()), ledger.net());
    const std::string_view payment_status =
        booking::payment_status_of(booking.total, ledger.completed, ledger.refunded, ledger.last_failed);
    booking::Booking after = booking;
    // Unexpected money is due now: the excess was refunded, the total rose, or the booking was reopened.
    const bool is_wanted = net <= booking.total && booking::holds_seats(booking.status);
    if (ledger.holds_unasked && is_wanted)
        Repository::none_unasked(tx, booking.id);
    // Due or refunded: no longer flagged for a person.
    if ((is_wanted || (!ledger.holds_unasked && net.is_zero())) && booking.attention_reason &&
        booking.attention_reason->starts_with("paid while")) {
        parts_.bookings.unflag(tx, booking.id, now);
        after.needs_attention = false;
        after.attention_reason.reset();
    }
    if (net == booking.amount_paid && payment_status == booking.payment_status)
        return after;
    after = parts_.bookings.set_paid(tx, after, net, payment_status, now);
    if (net > booking.total && net > booking.amount_paid) {
        parts_.bookings.flag(tx, booking.id, "overpaid", now);
        after.needs_attention = true;
        after.attention_reason = "overpaid";
    } else if (net <= booking.total && booking.attention_reason == "overpaid") {
        parts_.bookings.unflag(tx, booking.id, now);
        after.needs_attention = false;
        after.attention_reason.reset();
    }
    if (payment_status != booking.payment_status)
        parts_.hooks.emit(tx, payment_status_changed,
                          {booking.id, booking.payment_status, payment_status, booking::to_json(after)});
    return after;
}

Result<void> Service::report_completed(store::Transaction& tx, const booking::Booking& after, const Payment& payment,
                                       Channel channel, Instant now) {
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
        // A payment for an ended booking is stored and flagged for staff; it never reopens the booking.
        if (!booking::holds_seats(after.status))
            parts_.bookings.flag(tx, after.id, "paid while " + after.status, now);
        return {};
    }
    if (confirms(tx, after.id, channel, fully_paid))
        return parts_.bookings.change(tx, after, booking::status::confirmed, booking::Cause::payment,
                                      {.kind = channel == Channel::online ? "gateway" : "system", .through = "payment"},
                                      "payment", now);
    // A capture in progress is done; only staff decide about the booking's status.
    if (after.status == booking::status::processing && channel != Channel::offline)
        return parts_.bookings.change(tx, after, booking::status::pending, booking::Cause::payment,
                                      {.kind = "gateway", .through = "payment"}, "payment", now);
    return {};
}

}  // namespace svc::payment
