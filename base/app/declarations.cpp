// Says to the registries what there is: hooks and settings of the features, gateways, modules that are absent.
#include "base/app/assembly.hpp"
#include "base/booking/record/hooks.hpp"
#include "base/booking/record/settings.hpp"
#include "base/payment/hooks.hpp"

namespace svc::app {

void Assembly::declare() {
    booking::declare_hooks(hooks);

    booking::declare_settings(settings, hooks);
}

// Without the database: a start answers as soon as it can, on a database that is away too.
void Assembly::begin_serving() {
    modules.turn_on_defaults();
    json::Array ids;
    for (const auto& gateway : payments.gateways.all())
        ids.emplace_back(gateway->info().id);
    hooks.run_in_place(payment::gateways_registered, {json::Value(std::move(ids))});
    payments.gateways.close();
}

}  // namespace svc::app
