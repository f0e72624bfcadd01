// The parts of refunds and checkout, from the assembly.
#include "base/app/paying.hpp"

#include <stdexcept>

#include "shared/plugin/codec_gateway.hpp"

namespace svc::app {

payment::Refunds::Parts refunds_parts(Assembly& parts) {
    return {.store = *parts.store,
            .hooks = parts.hooks,
            .payments = parts.payments,
            .bookings = parts.bookings.records,
            .clock = parts.clock,
            .situation = [&parts](const payment::OfferedGateway& one, std::optional<bool> is_test) {
                return parts.checkout.situation(one, is_test);
            }};
}

payment::Checkout::Parts checkout_parts(Assembly& parts) {
    const BaseOptions& options = parts.options;
    return {.store = *parts.store,
            .hooks = parts.hooks,
            .settings = parts.settings,
            .gateways = parts.gateways,
            .payments = parts.payments,
            .refunds = parts.refunds,
            .bookings = parts.bookings.records,
            .keyring = *parts.keyring,
            .clock = parts.clock,
            .metrics = parts.metrics,
            .limits = parts.limits,
            .run_in_place = [&parts](const hooks::Action& action,
                                     json::Array arguments) { parts.hooks.run_in_place(action, arguments); },
            .places = {.site_url = options.site_url,
                       .root = options.site_url + options.base_path,
                       .api_bases = payment::api_bases_of(options.gateway_api_bases)},
            .wake_reconciliation = [&parts] { parts.jobs.wake("payment_reconciliation"); }};
}

messaging::Service::FindCreditNote credit_notes(Assembly& parts) {
    return [&parts](const json::Value& refund) -> messaging::Service::CreditNote {
        const std::string payment_id = std::to_string(refund["payment_id"].integer());
        const std::int64_t refund_id = refund["id"].integer();
        const auto number = parts.documents.credit_note_for(refund_id);
        if (!number)
            throw std::runtime_error("refund " + std::to_string(refund_id) +
                                     " has no credit note: " + number.error().message());
        const auto payment = parts.payments.find(refund["payment_id"].integer());
        const std::string token = payment ? parts.payments.invoice_token(*payment) : std::string();
        return {.number = *number,
                .url = parts.options.site_url + parts.options.base_path + "/payment/" + payment_id +
                       "/credit-note?refund_id=" + std::to_string(refund_id) + "&invoice_token=" + token};
    };
}

plugins::Charges plugin_charges(Assembly& parts) {
    return {
        .kept = [&parts](std::int64_t payment_id) -> Result<json::Value> {
            const auto kept = parts.checkout.kept_with(payment_id);
            if (!kept)
                return kept.error();
            return json::Value::object(
                {{"method_id", kept->method_id}, {"gateway", kept->gateway}, {"keeps_methods", kept->keeps_methods}});
        },
        .charge = [&parts](const plugins::ChargeRequest& asked) -> Result<json::Value> {
            const auto outcome = parts.checkout.charge_saved({.booking_id = asked.booking_id,
                                                              .method_id = asked.method_id,
                                                              .amount = asked.amount,
                                                              .key = asked.key,
                                                              .scheduled = true});
            if (!outcome)
                return outcome.error();
            json::Value told = json::Value::object({{"progress", plugin::name_of(outcome->progress)}});
            if (const auto& payment = outcome->payment) {
                told.set("payment_id", payment->id);
                told.set("transaction_id", payment->transaction_id.value_or(""));
                told.set("gateway", payment->gateway);
                told.set("method", payment->method);
                told.set("reason", payment->notes);
            }
            return told;
        }};
}

}  // namespace svc::app
