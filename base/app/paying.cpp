// The parts of refunds and checkout, from the assembly.
#include "base/app/paying.hpp"

namespace svc::app {

payment::Refunds::Parts refunds_parts(Assembly& parts) {
    return {.store = *parts.store,
            .hooks = parts.hooks,
            .payments = parts.payments,
            .bookings = parts.bookings,
            .clock = parts.clock,
            .situation = [&parts](const payment::OfferedGateway& one, std::optional<bool> is_test) {
                return parts.checkout.calls.situation(one, is_test);
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
            .bookings = parts.bookings,
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

}  // namespace svc::app
