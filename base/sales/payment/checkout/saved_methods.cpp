// Payment methods saved with customers' consent, and charges with them without the customer.
#include "base/sales/payment/checkout/saved_methods.hpp"

#include "base/sales/payment/checkout/offers.hpp"
#include "base/sales/payment/record/intent_repository.hpp"
#include "base/sales/pricing/settings.hpp"
#include "shared/core/log.hpp"

namespace svc::payment {

bool SavedMethods::may_save(const OfferedGateway& gateway) const {
    return gateway.gateway->info().can(ability::saved_methods) &&
           pricing::payment_setting(parts_.settings, parts_.hooks, "allow_save_payment_methods").boolean();
}

std::string SavedMethods::customer_at(const booking::Booking& booking, const PaymentIntent& charge) {
    for (const StoredMethod& one : of_user(booking.user_id.value_or(0)))
        if (one.gateway == charge.gateway && charge.is_test && one.is_test == charge.is_test)
            return one.method.customer;
    return {};
}

std::vector<StoredMethod> SavedMethods::of_user(std::int64_t user_id) {
    return parts_.store.reading<std::vector<StoredMethod>>(
        [&](store::Session& session) { return SavedRepository::of_user(session, user_id); });
}

Result<std::vector<StoredMethod>> SavedMethods::chargeable(std::int64_t booking_id) {
    const auto booking = parts_.bookings.find(booking_id);
    if (!booking)
        return errc::booking_not_found;
    auto methods = of_user(booking->user_id.value_or(0));
    std::erase_if(methods, [&](const StoredMethod& one) {
        const auto gateway = parts_.payments.gateways.find(one.gateway);
        return !gateway || !one.is_of(gateway->test_mode) || !gateway->enabled ||
               !gateway->gateway->info().can(ability::saved_methods);
    });
    return methods;
}

Result<void> SavedMethods::forget(std::int64_t user_id, std::int64_t method_id) {
    const auto stored = parts_.store.reading<std::optional<StoredMethod>>(
        [&](store::Session& session) { return SavedRepository::of_user(session, user_id, method_id); });
    if (!stored)
        return errc::not_found;
    // Deletes our record first, so that nothing is charged with it, whatever the provider answers.
    auto removed = parts_.store.write([&](store::Transaction& tx) -> Result<void> {
        SavedRepository::detach(tx, method_id);
        return {};
    });
    if (!removed)
        return removed;
    if (const auto gateway = parts_.payments.gateways.find(stored->gateway))
        if (const auto forgotten =
                gateway->gateway->forget_saved(calls_.situation(*gateway, stored->is_test), stored->method);
            !forgotten)
            log::warning("saved_method_not_detached",
                         {{"gateway", stored->gateway}, {"cause", forgotten.error().cause()}});
    return {};
}

Result<Outcome> SavedMethods::charge(const Request& request) {
    const auto booking = parts_.bookings.find(request.booking_id);
    if (!booking)
        return errc::booking_not_found;
    std::optional<PaymentIntent> started;
    std::optional<StoredMethod> stored;
    parts_.store.read([&](store::Session& session) {
        started = IntentRepository::by_key(session, request.key);
        stored = SavedRepository::of_user(session, booking->user_id.value_or(0), request.method_id);
    });
    if (started && started->booking_id != request.booking_id)
        return errc::transaction_mismatch;
    // Reports the outcome even if the method was deleted since.
    if (started)
        return charge_known(*started);
    if (!stored)
        return errc::payment_method_unavailable;
    SVC_ASSIGN_OR_RETURN(const auto gateway, parts_.payments.gateways.find(stored->gateway));
    if (!stored->is_of(gateway.test_mode) || !gateway.enabled || !gateway.gateway->info().can(ability::saved_methods))
        return errc::payment_method_unavailable;
    // Stores the intent first, so that the charge is found again if this process ends.
    const auto intent = parts_.store.transact<PaymentIntent>([&](store::Transaction& tx) -> Result<PaymentIntent> {
        const Instant now = parts_.clock.now();
        const auto found = parts_.bookings.lock(tx, request.booking_id);
        if (!found)
            return errc::booking_not_found;
        const booking::Booking& locked = *found;
        if (auto known = IntentRepository::by_key(tx, request.key))
            return std::move(*known);
        if (!is_payable(locked.status))
            return errc::not_payable;
        const Money amount = request.amount.value_or(locked.balance());
        if (locked.balance().is_zero())
            return errc::no_balance_due;
        if (amount.is_zero() || amount.is_negative() || amount > locked.balance())
            return invalid("amount", "Enter an amount above zero and not above the balance."_sentence);
        // Paid meanwhile: what the caller reckoned with is settled, perhaps.
        if (IntentRepository::is_charging(tx, locked.id) ||
            request.balance.value_or(locked.balance()) != locked.balance())
            return errc::charge_in_progress;
        PaymentIntent fresh{.booking_id = locked.id,
                            .gateway = stored->gateway,
                            .key = request.key,
                            .purpose = request.scheduled ? "scheduled" : "remaining",
                            .amount = amount,
                            .status = std::string(intent_status::processing),
                            .is_test = gateway.test_mode,
                            .saved_method_id = stored->id,
                            .schedule_inquiry = now.plus(pause_before_inquiry(0)),
                            .expires_at = now.plus(intent_lifetime),
                            .created_at = now};
        fresh.id = IntentRepository::insert(tx, fresh);
        return fresh;
    });
    if (!intent)
        return intent.error();
    if (intent->booking_id != request.booking_id)
        return errc::transaction_mismatch;
    return charge_by(*intent, *stored, gateway, *booking);
}

Result<Outcome> SavedMethods::charge_by(const PaymentIntent& intent, const StoredMethod& stored,
                                        const OfferedGateway& gateway, const booking::Booking& booking) {
    auto charge = gateway.gateway->charge_saved(calls_.situation(gateway, intent.is_test),
                                                {.key = intent.key,
                                                 .method = stored.method,
                                                 .amount = intent.amount,
                                                 .booking_id = booking.id,
                                                 .booking_reference = booking.reference,
                                                 .description = booking.trip_title,
                                                 .customer_email = booking.email,
                                                 .customer_phone = booking.phone});
    calls_.count("svc_gateway_saved_charges_total", intent.gateway, charge ? "answered" : charge.error().code().name);
    if (!charge) {
        const Error& error = charge.error();
        if (&error.code() != &errc::payment_error && &error.code() != &errc::payment_failed) {
            // The outcome is unknown: the same key tries again.
            log::warning("gateway_unreachable", {{"gateway", intent.gateway}, {"cause", error.cause()}});
            return errc::gateway_unavailable;
        }
        charge = Charge{.progress = Progress::failed, .reason = error.message().english()};
    }
    if (charge->progress == Progress::waiting) {
        charge->progress = Progress::failed;
        charge->reason = "The bank requires the customer to approve this payment.";
    }
    bool in_review = false;
    auto outcome = parts_.store.transact<Outcome>([&](store::Transaction& tx) -> Result<Outcome> {
        const auto found = parts_.bookings.lock(tx, booking.id);
        if (!found)
            return errc::booking_not_found;
        const booking::Booking& locked = *found;
        if (!charge->intent_id.empty())
            IntentRepository::named(tx, intent.id, charge->intent_id);
        const auto present = IntentRepository::find(tx, intent.id).value();
        auto settled = settlement_.settle(tx, locked, present, *charge, channel_of(present), parts_.clock.now());
        // A rejected charge is over: the customer pays by another one.
        if (settled && settled->progress == Progress::failed)
            IntentRepository::advance(tx, intent.id, intent_status::failed, reconciliation::settled, charge->reason,
                                      parts_.clock.now());
        in_review = !settled && &settled.error().code() == &errc::payment_error;  // a change too, to be committed
        return in_review ? Outcome{.booking_id = booking.id} : std::move(settled);
    });
    if (in_review)
        return Error{errc::payment_error, "The payment does not match the charge. Our staff will review it."_sentence};
    return outcome;
}

Result<Outcome> SavedMethods::charge_known(const PaymentIntent& intent) {
    Outcome outcome{.repeated = true, .booking_id = intent.booking_id};
    if (intent.reconciliation == reconciliation::review)
        return Error{errc::payment_error, "The outcome of this charge is unknown. Our staff will review it."_sentence};
    if (intent.status == intent_status::processing)
        return intent.provider_id ? settlement_.look_into(intent, "", json::Value::object()) : charge_again(intent);
    outcome.progress = intent.status == intent_status::succeeded ? Progress::paid
                       : intent.status == intent_status::failed  ? Progress::failed
                                                                 : Progress::cancelled;
    outcome.payment = parts_.store.reading<std::optional<Payment>>(
        [&](store::Session& session) { return Repository::of_intent(session, intent.id); });
    return outcome;
}

Result<SavedMethods::Agreed> SavedMethods::agreed_with(std::int64_t payment_id) {
    std::optional<Payment> payment;
    std::optional<PaymentIntent> charge;
    parts_.store.read([&](store::Session& session) {
        payment = Repository::find(session, payment_id);
        if (payment && payment->intent_id)
            charge = IntentRepository::find(session, *payment->intent_id);
    });
    if (!payment)
        return errc::not_found;
    Agreed agreed{.gateway = payment->gateway};
    const auto gateway = parts_.payments.gateways.find(payment->gateway);
    agreed.keeps_methods = gateway && gateway->enabled && gateway->gateway->info().can(ability::saved_methods);
    if (!charge || !charge->saved_method_id)
        return agreed;
    SVC_ASSIGN_OR_RETURN(const auto methods, chargeable(payment->booking_id));
    for (const StoredMethod& one : methods)
        if (one.id == *charge->saved_method_id)
            agreed.method_id = one.id;
    return agreed;
}

// Repeats a charge without a known outcome: the provider recognizes the key, so that nothing is charged twice.
Result<Outcome> SavedMethods::charge_again(const PaymentIntent& intent) {
    const auto booking = parts_.bookings.find(intent.booking_id);
    const auto stored = parts_.store.reading<std::optional<StoredMethod>>([&](store::Session& session) {
        return SavedRepository::of_user(session, booking ? booking->user_id.value_or(0) : 0,
                                        intent.saved_method_id.value_or(0));
    });
    const auto gateway = parts_.payments.gateways.find(intent.gateway);
    // If the first request never arrived, this one charges: only while that is still intended.
    if (!stored || !booking || !gateway || !is_payable(booking->status) || intent.amount > booking->balance())
        return errc::gateway_unavailable;
    return charge_by(intent, *stored, *gateway, *booking);
}

}  // namespace svc::payment
