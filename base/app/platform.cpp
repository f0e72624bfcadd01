// Opens the database and builds the platform's services over it.
#include "base/app/platform.hpp"

#include <stdexcept>

#include "base/app/key_mark.hpp"
#include "base/data/import_export/whole.hpp"
#include "base/platform/store/migrate.hpp"

namespace svc::app {

store::StoreOptions store_options(const BaseOptions& options) {
    return {.url = options.database,
            .sessions = options.database_sessions,
            .lease_time = options.lease_time,
            .require_durable = options.require_durable};
}

std::string media_folder(const BaseOptions& options) { return options.data_dir + "/media"; }

std::unique_ptr<store::Store> open_current(const BaseOptions& options) {
    auto store = store::open(store_options(options));
    if (auto current = store::check_current(*store, "base", embedded::base_steps()); !current)
        throw std::runtime_error(current.error().message().english());
    if (!store->reading<std::string>(import_export::moving_source).empty())
        throw std::runtime_error("An import of everything stopped halfway. Run the same svc import again first.");
    return store;
}

Platform::Platform(const BaseOptions& given)
    : options(given),
      store(open_current(options)),
      keyring(keyring_of(options, *store)),
      hooks(*store, clock, metrics, {.module_enabled = [this](std::string_view slug) { return modules.is_on(slug); }}),
      modules(*store, keyring, hooks, clock),
      settings(*store, keyring, clock, [this](std::string_view slug) { return modules.enabled(slug); }),
      limits(clock, store.get()),
      keeper(*store, keyring, clock, [this] { return bound_for_strangers(settings); }),
      jobs(
          *store, clock, [this] { return settings.zone(); }, metrics),
      housekeeping(*store),
      changes(store_options(options)),
      site{.store = *store,
           .hooks = hooks,
           .events = hooks,
           .settings = settings,
           .clock = clock,
           .keyring = keyring,
           .metrics = metrics,
           .limits = limits,
           .routes = routes,
           .jobs = jobs,
           .housekeeping = housekeeping,
           .changes = changes,
           .features = features,
           .module_enabled = [this](std::string_view slug) { return modules.enabled(slug); },
           .fetch = [allowed = outbound::Allowed(options.allowed_private_hosts)](
                        const outbound::FetchRequest& request) { return outbound::fetch(request, allowed); },
           .installation = {.address = options.site_url,
                            .root = options.site_url + options.base_path,
                            .media_folder = media_folder(options),
                            .theme_folder = options.data_dir + "/theme",
                            .cookie_secure = options.cookie_secure,
                            .trusted_proxies = limits::AddressSet(options.trusted_proxies),
                            .allowed = outbound::Allowed(options.allowed_private_hosts),
                            .gateway_api_bases = options.gateway_api_bases,
                            .serves = options.serves}} {}

}  // namespace svc::app
