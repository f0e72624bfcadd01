// Which gateways there are, and which of them can take an amount.
#include <algorithm>

#include "base/sales/booking/record/deadline.hpp"
#include "base/sales/payment/gateways/said.hpp"
#include "base/sales/payment/gateways/service.hpp"
#include "base/sales/payment/record/hooks.hpp"

namespace svc::payment {

using json::Value;

Error not_for(const Money& amount) {
    return {errc::payment_method_unavailable, "This gateway cannot take {amount}."_sentence.with("amount", amount)};
}

bool is_listed(const Value& listed, std::string_view id) {
    return std::any_of(listed.items().begin(), listed.items().end(),
                       [&](const Value& one) { return one.is_string() && one.text() == id; });
}

std::vector<OfferedGateway> GatewayService::all() {
    return in_order([](const Gateway&) { return true; });
}

std::vector<OfferedGateway> GatewayService::in_order(const std::function<bool(const Gateway&)>& is_wanted) {
    std::vector<OfferedGateway> all;
    for (const auto& gateway : parts_.gateways.all())
        if (is_wanted(*gateway) && (gateway->info().module.empty() || parts_.module_enabled(gateway->info().module)))
            all.push_back(stored(*gateway));
    const Value order = parts_.settings.get("gateway_order");
    const auto place = [&](const OfferedGateway& one) {
        const auto& named = order.items();
        return std::find_if(named.begin(), named.end(),
                            [&](const Value& id) { return id.text() == one.gateway->info().id; }) -
               named.begin();
    };
    std::stable_sort(all.begin(), all.end(),
                     [&](const OfferedGateway& one, const OfferedGateway& other) { return place(one) < place(other); });
    return all;
}

Result<OfferedGateway> GatewayService::find(std::string_view id) {
    const Gateway* gateway = parts_.gateways.find(id);
    if (!gateway || (!gateway->info().module.empty() && !parts_.module_enabled(gateway->info().module)))
        return errc::invalid_gateway;
    return stored(*gateway);
}

std::vector<OfferedGateway> GatewayService::available(const Money& amount, bool remaining) {
    std::vector<OfferedGateway> usable;
    const Value listed = parts_.settings.get("payment_gateways");
    // Most are not listed: their configuration need not be opened.
    for (OfferedGateway& one : in_order([&](const Gateway& each) { return is_listed(listed, each.info().id); }))
        if (one.enabled && !(remaining && one.gateway->info().is_offline) && one.takes(amount))
            usable.push_back(std::move(one));
    return usable;
}

Result<OfferedGateway> GatewayService::available(std::string_view id, const Money& amount) {
    const Gateway* gateway = parts_.gateways.find(id);
    if (!gateway || (!gateway->info().module.empty() && !parts_.module_enabled(gateway->info().module)))
        return errc::invalid_gateway;
    OfferedGateway found = stored(*gateway);
    if (!found.enabled)
        return errc::invalid_gateway;
    if (!found.takes(amount))
        return not_for(amount);
    return found;
}

bool GatewayService::in_test_mode(const Value& config) const {
    return parts_.settings.flag("payment_test_mode") || config.maybe_boolean("test_mode").value_or(false);
}

bool GatewayService::in_test_mode(store::Session& session, const std::string& gateway) {
    return in_test_mode(plain_config(session, gateway));
}

// Or the error that names each detail without which the gateway takes no payment.
Result<void> GatewayService::is_complete(const OfferedGateway& offered) {
    std::optional<Error> lacking;
    for (const GatewayField& field : offered.gateway->info().fields) {
        if (!field.required || field.test_mode.value_or(offered.test_mode) != offered.test_mode)
            continue;
        const Value& given = offered.config[field.id];
        const bool is_blank =
            given.is_null() || (given.is_string() && given.text().find_first_not_of(" \t\r\n") == std::string::npos);
        if (!is_blank)
            continue;
        const Sentence sentence =
            "{label} is missing. Enter it to accept payments."_sentence.with("label", field.label);
        if (lacking)
            lacking->at(field.id, sentence);
        else
            lacking = invalid(field.id, sentence);
    }
    return lacking ? Result<void>(std::move(*lacking)) : Result<void>{};
}

std::string GatewayService::instructions(const OfferedGateway& offered, const Value& booking,
                                         std::string_view locale) const {
    auto lines = offered.gateway->instructions(offered.config, booking.is_null() ? Value::object() : booking);
    if (lines.empty() && offered.gateway->info().id == "pay_later")
        lines.push_back(Sentence::verbatim(shipped_instructions(parts_.settings, locale)));
    return instructions_in(locale, lines, booking.is_null() ? std::string() : booking.text_or("reference"));
}

std::string GatewayService::offline_instructions(const std::string& id, const Value& booking, std::string_view locale) {
    const auto one = available(id, Money::zero(parts_.settings.currency()));
    return one && one->gateway->info().is_offline ? instructions(*one, booking, locale) : std::string();
}

std::string GatewayService::way(const std::string& id, std::string_view locale) {
    const auto one = find(id);
    const std::string title = one ? one->config.text_or("title") : std::string();
    return way_in(locale, !title.empty() ? title : one ? one->gateway->info().title : id);
}

std::optional<Instant> GatewayService::pay_by(const OfferedGateway& offered,
                                              const std::optional<booking::Departs>& departs) const {
    return booking::pay_by_of(parts_.settings, time_to_pay_of(offered.config), parts_.clock.now(), departs);
}

std::vector<OfferedGateway> GatewayService::bookable(const Money& amount) {
    auto usable = available(amount, false);
    if (!parts_.hooks.filtered(valid_gateways.name))
        return usable;
    Value ids = json::array_of(usable, [&](const OfferedGateway& one) { return one.gateway->info().id; });
    const Value valid = parts_.hooks.apply(valid_gateways, std::move(ids), {amount});
    std::erase_if(usable, [&](const OfferedGateway& one) {
        return std::none_of(valid.items().begin(), valid.items().end(),
                            [&](const Value& id) { return id.text() == one.gateway->info().id; });
    });
    return usable;
}

Result<OfferedGateway> GatewayService::bookable(std::string_view id, const Money& amount) {
    auto found = available(id, amount);
    if (!found || !parts_.hooks.filtered(valid_gateways.name))
        return found;
    for (const OfferedGateway& one : bookable(amount))
        if (one.gateway->info().id == id)
            return found;
    return errc::invalid_gateway;
}

}  // namespace svc::payment
