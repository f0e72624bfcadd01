// Builds the situation of a gateway's call, and counts calls.
#include "base/sales/payment/checkout/gateway_calls.hpp"

#include <stdexcept>

namespace svc::payment {

std::map<std::string, std::string, std::less<>> api_bases_of(const std::vector<std::string>& list) {
    std::map<std::string, std::string, std::less<>> bases;
    for (const std::string& entry : list) {
        const auto at = entry.find('=');
        std::string url = at == std::string::npos ? std::string() : entry.substr(at + 1);
        while (url.ends_with('/'))
            url.pop_back();
        if (!Gateways::is_id(entry.substr(0, at)) || !url.starts_with("http"))
            throw std::runtime_error("An address of a gateway must be given as GATEWAY=URL, not \"" + entry + "\".");
        bases[entry.substr(0, at)] = url;
    }
    return bases;
}

std::string confirmation_page(const CheckoutParts& parts, const booking::Booking& booking) {
    return parts.places.site_url + "/" + parts.settings.text("booking_base") + "/confirmation/" + booking.reference;
}

Situation GatewayCalls::situation(const OfferedGateway& gateway, std::optional<bool> is_test) const {
    const std::string& id = gateway.gateway->info().id;
    const auto base = parts_.places.api_bases.find(id);
    return {.config = gateway.config,
            .sandbox = is_test.value_or(gateway.test_mode),
            .api_base = base == parts_.places.api_bases.end() ? std::string() : base->second,
            .webhook_url = parts_.places.root + "/payment/webhook/" + id,
            .now = parts_.clock.now()};
}

bool GatewayCalls::is_foreign(store::Session& session, const PaymentIntent& charge) const {
    return charge.is_test.value_or(false) && !parts_.payments.gateways.in_test_mode(session, charge.gateway);
}

Result<std::string> GatewayCalls::probe(std::string_view gateway) const {
    SVC_ASSIGN_OR_RETURN(const auto known, parts_.payments.gateways.find(gateway));
    if (!known.gateway->info().can(ability::connection))
        return errc::offline_gateway_manual;
    return known.gateway->probe(situation(known));
}

void GatewayCalls::count(std::string_view what, std::string_view gateway, std::string_view outcome) const {
    parts_.metrics
        .counter(what, "Calls of payment gateways and their events, by outcome.",
                 {{"gateway", std::string(gateway)}, {"outcome", std::string(outcome)}})
        .add();
}

}  // namespace svc::payment
