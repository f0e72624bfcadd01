// Registers what modules have.
#include "base/modules/feature.hpp"

#include "base/modules/hooks.hpp"
#include "base/modules/routes.hpp"

namespace svc::modules {

void Feature::declare() {
    declare_hooks(site_.hooks);
    site_.settings.on_module_settings([this](store::Transaction& tx, std::string_view module) {
        site_.hooks.emit(tx, pro_module_settings_updated, {module});
    });
}

void Feature::add_routes() { modules::add_routes(site_.routes, modules_, site_.store, site_.settings); }

void Feature::follow_changes() {
    site_.changes.on(std::string(changes_channel), [this] { modules_.reload(); });
}

}  // namespace svc::modules
