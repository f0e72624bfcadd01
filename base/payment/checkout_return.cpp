// The browser is back from a provider: which charge that is about, and where it goes on to.
#include "base/payment/checkout.hpp"
#include "base/settings/site_pages.hpp"

namespace svc::payment {

std::string Checkout::booking_page(std::string_view said) const {
    return said_on(settings::booking_address(parts_.settings, parts_.places.site_url), said);
}

std::string Checkout::said_on(std::string page, std::string_view said) {
    page += page.find('?') == std::string::npos ? "?" : "&";
    return page + "payment=" + std::string(said);
}

// To the page that was asked for; to one that names the booking only after a charge of its customer's.
std::string Checkout::page_after(const PaymentIntent& charge, bool is_booked, std::string_view said) {
    const std::string& page = said == "failed" && !charge.cancel_url.empty() ? charge.cancel_url : charge.return_url;
    if (!page.empty())
        return said_on(page, said);
    const auto booking = is_booked && charge.is_proven ? parts_.bookings.find(charge.booking_id) : std::nullopt;
    return booking ? said_on(confirmation_page(*booking), said) : booking_page(said);
}

Result<std::string> Checkout::returned(std::string_view gateway, const Return& back) {
    const auto known = parts_.payments.known(gateway);
    if (!known)
        return known.error();
    // No provider sends anybody back from a gateway whose payments staff record: its transactions can be guessed.
    if (known->gateway->info().is_offline)
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
        if (auto taken = take_over(*held, *booked, Wants::by_name); taken && *taken)
            intent = std::move(*taken);
    const PaymentIntent& charge = intent ? *intent : held->charge;
    if (charge.gateway != gateway || (intent && back.booking_id.value_or(intent->booking_id) != intent->booking_id))
        return booking_page("failed");
    std::string said = "failed";
    if (!intent) {
        if (!back.cancelled && charge.status != held_status::released)
            said = "pending";  // nothing is taken before there is a booking
    } else if (!back.cancelled) {
        const auto outcome =
            charge.provider_id ? look_into(charge, "", json::Value::object()) : Result<Outcome>(errc::payment_error);
        if (!outcome)
            said = &outcome.error().code() == &errc::gateway_unavailable ? "pending" : "failed";
        else if (outcome->progress == Progress::paid)
            said = "success";
        else if (outcome->progress == Progress::processing)
            said = "pending";
    }
    return page_after(charge, intent.has_value(), said);
}

// Named by the transaction of a payment that has taken effect before. A provider's name of a capture cannot be guessed;
// what staff have typed can.
std::string Checkout::recorded_page(std::string_view gateway, const Return& back, const Payment& payment) {
    const bool is_paid = payment.status == status::completed || payment.status == status::refunded;
    const auto charge = parts_.store.reading<std::optional<PaymentIntent>>([&](store::Session& session) {
        return payment.intent_id ? IntentRepository::find(session, *payment.intent_id) : std::nullopt;
    });
    if (!charge || !is_paid || payment.source == "manual" || payment.gateway != gateway ||
        back.booking_id.value_or(payment.booking_id) != payment.booking_id)
        return booking_page("failed");
    return page_after(*charge, true, "success");
}

// Named by a payment of the charge alone. Whose it is, the gateway says; until it has, nothing is told of the booking.
std::string Checkout::paid_page(std::string_view gateway, const Return& back) {
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
