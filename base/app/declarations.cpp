// Says to the registries what there is: hooks and settings of the features, gateways, modules that are absent.
#include "base/app/assembly.hpp"
#include "base/app/settings.hpp"
#include "base/availability/hooks.hpp"
#include "base/availability/settings.hpp"
#include "base/booking/record/hooks.hpp"
#include "base/booking/record/settings.hpp"
#include "base/catalog/attributes/hooks.hpp"
#include "base/catalog/classifications/hooks.hpp"
#include "base/catalog/classifications/permalink.hpp"
#include "base/catalog/itineraries/hooks.hpp"
#include "base/catalog/media/repository.hpp"
#include "base/catalog/trips/hooks.hpp"
#include "base/customers/hooks.hpp"
#include "base/documents/hooks.hpp"
#include "base/documents/settings.hpp"
#include "base/identity/capabilities.hpp"
#include "base/identity/hooks.hpp"
#include "base/identity/human_check.hpp"
#include "base/identity/registration.hpp"
#include "base/messaging/hooks.hpp"
#include "base/messaging/settings.hpp"
#include "base/payment/hooks.hpp"
#include "base/payment/settings.hpp"
#include "base/pricing/hooks.hpp"
#include "base/pricing/settings.hpp"
#include "shared/plugin/pro_modules.hpp"

namespace svc::app {

void Assembly::declare() {
    identity::declare_hooks(hooks);
    identity::declare_human_check(settings, hooks);
    identity::declare_address_proof(hooks);
    identity::declare_registration(settings, hooks);
    catalog::classifications::declare_hooks(hooks);
    catalog::trips::declare_hooks(hooks);
    catalog::attributes::declare_hooks(hooks);
    catalog::itineraries::declare_hooks(hooks);
    availability::declare_hooks(hooks);
    pricing::declare_hooks(hooks);
    customers::declare_hooks(hooks);
    booking::declare_hooks(hooks);
    payment::declare_hooks(hooks);
    documents::declare_hooks(hooks);
    messaging::declare_hooks(hooks);

    app::declare_settings(settings);
    catalog::classifications::declare_settings(settings);
    availability::declare_settings(settings);
    pricing::declare_settings(settings);
    settings.declare_together(
        [&](const settings::SiteSettings::Get& get) { return pricing::check_deposit(settings, get); });
    booking::declare_settings(settings, hooks);
    settings.declare_together(catalog::classifications::check_bases);
    payment::declare_settings(settings);
    for (const char* key : {"payment_gateways", "gateway_order"})
        settings.declare_together([this, key](const settings::SiteSettings::Get& get) {
            return payment::may_list(gateways, key, get(key), settings.get(key));
        });
    settings.declare_naming("seo_trip_meta_image", [](store::Session& session, const json::Value& id) {
        const auto picture = catalog::media::rows::find(session, id.integer());
        if (id.integer() == 0 || (picture && picture->is_picture() && !picture->is_private))
            return Result<void>{};
        return Result<void>{Error(errc::validation_error, "Enter the id of a public picture.")};
    });
    documents::declare_settings(settings);
    messaging::declare_settings(settings, hooks);
}

// What it has brought, and the modules of Pro that it did not bring: those are listed as unavailable.
void Assembly::take_in_plugin() {
    gatekeeper.know_besides(identity::told_capabilities(hooks));
    for (const plugin::ProModule& row : plugin::pro_modules)
        if (!modules.find(row.slug)) {
            modules::Module absent{.slug = std::string(row.slug),
                                   .name = std::string(row.name),
                                   .description = std::string(row.description),
                                   .category = std::string(row.category),
                                   .plan = std::string(row.plan),
                                   .requires_pro = true,
                                   .is_absent = true};
            if (!row.depends_on.empty())
                absent.depends_on.emplace_back(row.depends_on);
            modules.declare(std::move(absent));
        }
}

// Without the database: a start answers as soon as it can, on a database that is away too.
void Assembly::begin_serving() {
    modules.turn_on_defaults();
    json::Array ids;
    for (const auto& gateway : gateways.all())
        ids.emplace_back(gateway->info().id);
    hooks.run_in_place(payment::gateways_registered, {json::Value(std::move(ids))});
    gateways.close();
}

}  // namespace svc::app
