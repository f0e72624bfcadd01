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

std::string Checkout::returned(std::string_view gateway, const Return& back) {
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
    const std::string page = said == "failed" && !charge.cancel_url.empty() ? charge.cancel_url : charge.return_url;
    if (page.empty() && !intent)
        return booking_page(said);
    return said_on(page.empty() ? confirmation_page(parts_.bookings.find(charge.booking_id).value()) : page, said);
}

// Named by the transaction of a payment that has taken effect before.
std::string Checkout::recorded_page(std::string_view gateway, const Return& back, const Payment& payment) {
    const bool is_paid = payment.status == status::completed || payment.status == status::refunded;
    const auto booking = parts_.bookings.find(payment.booking_id);
    if (!booking || !is_paid || payment.gateway != gateway || back.booking_id.value_or(booking->id) != booking->id)
        return booking_page("failed");
    return said_on(confirmation_page(*booking), "success");
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
