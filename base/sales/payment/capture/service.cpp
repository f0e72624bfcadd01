// Recording payments and settling bookings.
#include "base/sales/payment/capture/service.hpp"

#include <algorithm>

#include "base/sales/booking/record/invoice_token.hpp"
#include "base/sales/booking/record/wire.hpp"
#include "base/sales/payment/record/hooks.hpp"
#include "base/sales/payment/record/refund_repository.hpp"
#include "base/sales/payment/record/wire.hpp"
#include "shared/core/exact_money.hpp"

namespace svc::payment {
namespace {

constexpr int earliest_year = 2000;  // of a payment

// Besides registered gateways: manual payments and kinds of instruments.
constexpr std::string_view by_hand[] = {"cash", "cheque", "other", "card", "wallet", "regional", "bank_transfer"};

Error unknown_booking() { return invalid("booking_id", "This booking does not exist."_sentence); }

bool is_status(std::string_view value) {
    for (const std::string_view one : status::all)
        if (one == value)
            return true;
    return false;
}

bool is_of_same_money(const Payment& one, const Payment& other) {
    return one.amount == other.amount && one.transaction_id == other.transaction_id && one.gateway == other.gateway;
}

}  // namespace

bool Service::takes(std::string_view gateway) const {
    return parts_.gateways.find(gateway) ||
           std::find(std::begin(by_hand), std::end(by_hand), gateway) != std::end(by_hand);
}

Result<void> Service::apply_gateway(Payment& payment, const Draft& draft) const {
    auto [gateway, label] = std::pair(draft.gateway, draft.method);
    const bool by_method = !gateway && label && (payment.id == 0 || takes(*label));
    if (by_method)
        gateway.swap(label);
    if (draft.method_label)
        label = draft.method_label;
    // A payment keeps its method even if the gateway no longer exists.
    if (gateway && *gateway != payment.gateway && !takes(*gateway))
        return invalid(by_method ? "method" : "gateway", "This payment gateway does not exist."_sentence);
    if (gateway)
        payment.gateway = *gateway;
    if (label || gateway) {
        const Gateway* registered = parts_.gateways.find(payment.gateway);
        payment.method = label.value_or(registered ? registered->info().title : payment.gateway);
    }
    return {};
}

Result<void> Service::apply(Payment& payment, const Draft& draft, const booking::Booking& booking) const {
    const Currency currency = booking.total.currency();
    if (draft.currency && currency_named(*draft.currency) != currency)
        return invalid("currency",
                       "The currency must match the booking's, {currency}."_sentence.with("currency", currency.code()));
    if (draft.amount) {
        auto amount = parse_exact(*draft.amount, currency);
        if (!amount)
            return invalid("amount", amount.error().message());
        if (amount->is_zero() || amount->is_negative())
            return invalid("amount", "Enter an amount above zero."_sentence);
        payment.amount = *amount;
    }
    if (draft.status && !is_status(*draft.status))
        return invalid("status", "Unknown payment status."_sentence);
    SVC_RETURN_IF_ERROR(apply_gateway(payment, draft));
    if (draft.transaction_id)
        payment.transaction_id = draft.transaction_id->empty() ? std::nullopt : draft.transaction_id;
    if (draft.notes)
        payment.notes = *draft.notes;
    if (draft.type)
        payment.type = *draft.type;
    if (draft.date) {
        if (*draft.date > parts_.settings.zone().date_at(parts_.clock.now()))
            return invalid("date", "The payment date must not be in the future."_sentence);
        if (draft.date->year() < earliest_year)
            return invalid("date", "The payment date must not be before 2000."_sentence);
        payment.date = *draft.date;
    }
    return {};
}

Result<Payment> Service::record(const Draft& draft, std::int64_t user_id) {
    return parts_.store.transact<Payment>(
        [&](store::Transaction& tx) { return record(tx, draft, user_id, parts_.clock.now()); });
}

Result<Payment> Service::record(store::Transaction& tx, const Draft& draft, std::int64_t user_id, Instant now) {
    const auto booking = parts_.bookings.lock(tx, draft.booking_id.value_or(0));
    if (!booking)
        return unknown_booking();
    Payment payment{.booking_id = booking->id,
                    .amount = Money::zero(booking->total.currency()),
                    .status = draft.status.value_or(std::string(status::pending)),
                    .source = "manual",
                    .date = parts_.settings.zone().date_at(now),
                    .recorded_by = user_id ? std::optional(user_id) : std::nullopt,
                    .created_at = now,
                    .updated_at = now};
    if (!draft.amount)
        return missing("amount");
    if (!draft.gateway && !draft.method)
        return missing("gateway");
    SVC_RETURN_IF_ERROR(apply(payment, draft, *booking));
    if (payment.status == status::refunded)
        return invalid("status", "Create refunds at {path}."_sentence.with("path", "/payments/{id}/refunds"));
    if (payment.transaction_id)
        if (const auto other = Repository::find_transaction(tx, *payment.transaction_id))
            return Error{other->booking_id == booking->id ? errc::duplicate_transaction : errc::transaction_mismatch};
    if (payment.status == status::completed) {
        SVC_ASSIGN_OR_RETURN(auto captured, capture(tx, *booking, payment, Channel::offline, now));
        payment = std::move(captured.payment);
    } else {
        if (payment.type.empty())
            payment.type =
                type_of(Repository::ledger(tx, booking->id, payment.amount.currency()), payment.amount, *booking);
        const auto id = Repository::insert(tx, payment, booking->customer_id);
        if (!id)  // the other writer committed between our look and our insert
            return Error{errc::transaction_mismatch};
        payment = Repository::find(tx, *id).value();
        SVC_RETURN_IF_ERROR(recompute(tx, *booking, now));
    }
    parts_.hooks.emit(tx, manual_payment_recorded, {booking->id, payment.amount, payment.gateway});
    if (payment.status == status::failed)
        parts_.hooks.emit(tx, payment_failed, {to_json(payment)});
    return payment;
}

Result<Payment> Service::update(std::int64_t id, const Draft& draft, std::int64_t user_id) {
    return parts_.store.transact<Payment>([&](store::Transaction& tx) -> Result<Payment> {
        const Instant now = parts_.clock.now();
        auto known_payment = Repository::find(tx, id);
        if (!known_payment)
            return errc::payment_not_found;
        const auto locked = parts_.bookings.lock(tx, known_payment->booking_id);
        auto found = Repository::find(tx, id);  // again, under the booking's lock
        if (!locked || !found)
            return errc::payment_not_found;
        const booking::Booking& booking = *locked;
        Payment payment = std::move(*found);
        const std::string before = payment.status;
        const Payment was = payment;
        SVC_RETURN_IF_ERROR(apply(payment, draft, booking));
        // Unchanged values are accepted: a form sends the whole record.
        if (before == status::refunded && !is_of_same_money(was, payment))
            return Error{errc::conflict, "A refunded payment cannot be changed."_sentence};
        // The provider's later events find the payment by these, and its refund needs them.
        if (before == status::completed && was.source != "manual" && !is_of_same_money(was, payment))
            return Error{
                errc::conflict,
                "Amount, transaction and gateway of a captured payment cannot be changed. Refund it instead."_sentence};
        // Only refunds return a whole payment, and end it.
        if (before == status::completed && !payment.refunded.is_zero() && payment.amount <= payment.refunded)
            return invalid("amount", "The amount must be above the refunded amount."_sentence);
        if (payment.transaction_id)
            if (const auto other = Repository::find_transaction(tx, *payment.transaction_id); other && other->id != id)
                return Error{other->booking_id == booking.id ? errc::duplicate_transaction
                                                             : errc::transaction_mismatch};
        if (draft.status) {
            if (!may_change(before, *draft.status, payment.source))
                return Error{errc::invalid_transition};
            if (before == status::completed && *draft.status != before && !payment.refunded.is_zero())
                return Error{errc::conflict, "This payment was partly refunded and must remain completed."_sentence};
            payment.status = *draft.status;
        }
        if (payment.status == status::completed) {
            // Staff report it as received: they may undo it, whoever created it.
            if (before != status::completed) {
                payment.recorded_by = user_id ? std::optional(user_id) : std::nullopt;
                payment.source = "manual";
                payment.reconciliation = std::string(reconciliation::manual);
            }
            auto captured = capture(tx, booking, payment, Channel::offline, now);
            return captured ? Result<Payment>(std::move(captured->payment)) : Result<Payment>(captured.error());
        }
        if (before == status::completed)
            payment.processed_at.reset();
        Repository::update(tx, payment, now);
        payment = Repository::find(tx, id).value();
        if (payment.status == status::failed && before != status::failed)
            parts_.hooks.emit(tx, payment_failed, {to_json(payment)});
        // Taken back by hand: the sums follow, the booking's own status is for a person to decide.
        if (before == status::completed)
            parts_.bookings.flag(tx, booking.id, "a completed payment was taken back", now);
        SVC_RETURN_IF_ERROR(recompute(tx, booking, now));
        return payment;
    });
}

Result<void> Service::remove(std::int64_t id) {
    return parts_.store.write([&](store::Transaction& tx) -> Result<void> {
        const auto found = Repository::find(tx, id);
        if (!found)
            return errc::payment_not_found;
        const auto booking = parts_.bookings.lock(tx, found->booking_id);
        const auto payment = Repository::find(tx, id);  // again, under the booking's lock: it may have been captured
        if (!booking || !payment)
            return errc::payment_not_found;
        if (payment->source != "manual" && payment->status == status::completed)
            return Error{errc::conflict, "A captured payment cannot be deleted; refund it instead."_sentence};
        if (!payment->refunded.is_zero() || payment->status == status::refunded ||
            !RefundRepository::of_payment(tx, id).empty())
            return Error{errc::conflict,
                         "A payment with refunds is an accounting record and cannot be deleted."_sentence};
        Repository::remove(tx, id);
        return recompute(tx, *booking, parts_.clock.now());
    });
}

Result<Payment> Service::find(std::int64_t id) {
    return parts_.store.reading<Result<Payment>>([&](store::Session& session) -> Result<Payment> {
        if (auto payment = Repository::find(session, id))
            return std::move(*payment);
        return errc::payment_not_found;
    });
}

Result<Payment> Service::seen(std::int64_t id, const api::Caller& staff) {
    auto payment = find(id);
    if (payment && !parts_.bookings.seen(payment->booking_id, staff))
        return errc::payment_not_found;
    return payment;
}

std::string Service::invoice_token(const Payment& payment) const {
    return booking::InvoiceTokens{parts_.keyring}.issue({payment.id, payment.booking_id, payment.customer_email},
                                                        parts_.clock.now());
}

bool Service::confirms_new(store::Transaction& tx, const booking::Booking& booking) const {
    const bool settled = booking.balance().is_zero();
    const Gateway* gateway = parts_.gateways.find(booking.payment_gateway);
    if (!settled && !(gateway && gateway->info().is_offline))
        return false;  // an online payment is still to come
    return confirms(tx, booking.id, settled ? Channel::online : Channel::offline, settled);
}

bool Service::confirms(store::Transaction& tx, std::int64_t booking_id, Channel channel, bool settles) const {
    return confirms(&tx, booking_id, channel, settles);
}

bool Service::confirms(store::Transaction* tx, std::int64_t booking_id, Channel channel, bool settles) const {
    const Confirmation decided = confirmation(parts_.settings.text("auto_confirm_mode"), channel, settles);
    return parts_.hooks.apply(confirm_on_payment, decided.should, {settles, booking_id, decided.automatic}, tx)
        .boolean();
}

Result<bool> Service::would_confirm(std::int64_t booking_id, bool settles) const {
    const auto booking = parts_.bookings.find(booking_id);
    if (!booking || booking->status == booking::status::trash)
        return errc::booking_not_found;
    return booking::may_change(booking->status, booking::status::confirmed, booking::Cause::payment) &&
           confirms(nullptr, booking_id, Channel::online, settles);
}

}  // namespace svc::payment
