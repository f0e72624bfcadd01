// Confirms payments that pages report, and returns browsers that come back from a provider to their page.
#include "base/sales/payment/checkout/confirmations.hpp"

#include "base/sales/payment/record/intent_repository.hpp"
#include "base/settings/values/site_pages.hpp"

namespace svc::payment {

// Manual payments have no provider to ask: returns a recorded one, rejects all others.
Result<Outcome> Confirmations::recorded_by_hand(const Claim& claim, const std::optional<Payment>& recorded) {
    if (!recorded)
        return errc::offline_gateway_manual;
    if (recorded->booking_id != claim.booking_id)
        return errc::transaction_mismatch;
    Outcome outcome{.repeated = true, .booking_id = claim.booking_id};
    if (recorded->status == status::completed || recorded->status == status::refunded) {
        outcome.progress = Progress::paid;
        outcome.payment = recorded;
    } else if (recorded->status != status::pending) {
        outcome.progress = recorded->status == status::failed ? Progress::failed : Progress::cancelled;
    }
    return outcome;
}

Result<Outcome> Confirmations::confirm(const Claim& claim) {
    SVC_ASSIGN_OR_RETURN(const auto gateway, parts_.payments.gateways.find(claim.gateway));
    if (claim.transaction_id.empty())
        return missing("transaction_id");
    std::optional<PaymentIntent> intent;
    std::optional<Payment> recorded;
    parts_.store.read([&](store::Session& session) {
        recorded = Repository::find_transaction(session, claim.transaction_id);
        intent = IntentRepository::by_provider(session, claim.gateway, claim.transaction_id);
        if (!intent && !recorded)
            intent = IntentRepository::latest(session, claim.booking_id, claim.gateway);
    });
    if (!parts_.bookings.find(claim.booking_id))
        return errc::booking_not_found;  // guests never come this far with one
    if (gateway.gateway->info().is_offline)
        return recorded_by_hand(claim, recorded);
    if (!recorded && (!intent || !is_named(*intent, claim.transaction_id))) {
        SVC_ASSIGN_OR_RETURN(auto waiting, held_.claimed(claim, !intent));
        if (waiting)
            intent = std::move(waiting);
    }
    if (intent && intent->booking_id != claim.booking_id)
        return errc::transaction_mismatch;
    if (!recorded && intent && intent->status == intent_status::succeeded && is_named(*intent, claim.transaction_id))
        recorded = parts_.store.reading<std::optional<Payment>>(
            [&](store::Session& session) { return Repository::of_intent(session, intent->id); });
    if (recorded && recorded->booking_id != claim.booking_id)
        return errc::transaction_mismatch;
    if (recorded && (recorded->status == status::completed || recorded->status == status::refunded))
        return Outcome{
            .progress = Progress::paid, .payment = recorded, .repeated = true, .booking_id = claim.booking_id};
    if (!intent || !intent->provider_id)
        return Error{errc::payment_error, "No such payment was started for this booking."_sentence};
    return settlement_.look_into(*intent, claim.transaction_id, claim.proof);
}

std::string Confirmations::booking_page(std::string_view message) const {
    return with_message(settings::booking_address(parts_.settings, parts_.places.site_url), message);
}

std::string Confirmations::with_message(std::string page, std::string_view message) {
    page += page.find('?') == std::string::npos ? "?" : "&";
    return page + "payment=" + std::string(message);
}

// The page to return to; one that names the booking only for a charge of its customer.
std::string Confirmations::page_after(const PaymentIntent& charge, bool is_booked, std::string_view message) {
    const std::string& page = message == "failed" && !charge.cancel_url.empty() ? charge.cancel_url : charge.return_url;
    if (!page.empty())
        return with_message(page, message);
    const auto booking = is_booked && charge.is_proven ? parts_.bookings.find(charge.booking_id) : std::nullopt;
    return booking ? with_message(confirmation_page(parts_, *booking), message) : booking_page(message);
}

Result<std::string> Confirmations::returned(std::string_view gateway, const Return& back) {
    SVC_ASSIGN_OR_RETURN(const auto known, parts_.payments.gateways.find(gateway));
    // No provider redirects from a gateway whose payments staff record: its transaction ids can be guessed.
    if (known.gateway->info().is_offline)
        return booking_page("failed");
    std::optional<PaymentIntent> intent;
    std::optional<HeldCharge> held;
    std::optional<Payment> recorded;
    std::optional<std::int64_t> booked;
    parts_.store.read([&](store::Session& session) {
        if (!back.key.empty()) {
            intent = IntentRepository::by_key(session, back.key);
            if (!intent)
                held = HeldRepository::by_key(session, back.key);
        }
        for (const std::string& name : back.charges) {
            if (name.empty() || intent || held || recorded)
                continue;
            intent = IntentRepository::by_provider(session, gateway, name);
            if (!intent)
                held = HeldRepository::by_provider(session, gateway, name);
            if (!intent && !held)
                recorded = Repository::find_transaction(session, name);
        }
        if (held)
            booked = HeldRepository::booking_of(session, *held);
    });
    if (recorded)
        return recorded_page(gateway, back, *recorded);
    if (!intent && !held)
        return paid_page(gateway, back);
    if (held && booked && !back.cancelled)
        if (auto taken = held_.take_over(*held, *booked, HeldCharges::Wants::by_name); taken && *taken)
            intent = std::move(*taken);
    const PaymentIntent& charge = intent ? *intent : held->charge;
    if (charge.gateway != gateway || (intent && back.booking_id.value_or(intent->booking_id) != intent->booking_id))
        return booking_page("failed");
    std::string message = "failed";
    if (!intent) {
        if (!back.cancelled && charge.status != held_status::released)
            message = "pending";  // nothing is taken before there is a booking
    } else if (!back.cancelled) {
        const auto outcome = charge.provider_id ? settlement_.look_into(charge, "", json::Value::object())
                                                : Result<Outcome>(errc::payment_error);
        if (!outcome)
            message = &outcome.error().code() == &errc::gateway_unavailable ? "pending" : "failed";
        else if (outcome->progress == Progress::paid)
            message = "success";
        else if (outcome->progress == Progress::processing)
            message = "pending";
    }
    return page_after(charge, intent.has_value(), message);
}

// Found by the transaction of a recorded payment. A provider's capture id cannot be guessed; text typed by staff can.
std::string Confirmations::recorded_page(std::string_view gateway, const Return& back, const Payment& payment) {
    const bool is_paid = payment.status == status::completed || payment.status == status::refunded;
    const auto charge = parts_.store.reading<std::optional<PaymentIntent>>([&](store::Session& session) {
        return payment.intent_id ? IntentRepository::find(session, *payment.intent_id) : std::nullopt;
    });
    if (!charge || !is_paid || payment.source == "manual" || payment.gateway != gateway ||
        back.booking_id.value_or(payment.booking_id) != payment.booking_id)
        return booking_page("failed");
    return page_after(*charge, true, "success");
}

// Found by a payment id of the charge alone. The gateway decides whose it is; until then nothing about the booking is
// revealed.
std::string Confirmations::paid_page(std::string_view gateway, const Return& back) {
    if (back.payment.empty() || !back.booking_id || back.cancelled)
        return booking_page("failed");
    const auto outcome = confirm({.gateway = std::string(gateway),
                                  .booking_id = *back.booking_id,
                                  .transaction_id = back.payment,
                                  .proof = back.proof});
    if (!outcome)
        return booking_page(&outcome.error().code() == &errc::gateway_unavailable ? "pending" : "failed");
    if (!outcome->payment || outcome->payment->transaction_id != back.payment)
        return booking_page("failed");
    return recorded_page(gateway, back, *outcome->payment);
}

}  // namespace svc::payment
