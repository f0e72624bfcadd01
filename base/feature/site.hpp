// The parts that a feature is built from: the services of the platform, by reference, and the installation.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/platform/crypto/crypto.hpp"
#include "base/platform/events/events.hpp"
#include "base/platform/jobs/housekeeping.hpp"
#include "base/platform/jobs/jobs.hpp"
#include "base/platform/limits/client_address.hpp"
#include "base/platform/limits/rate_limits.hpp"
#include "base/platform/metrics/metrics.hpp"
#include "base/platform/outbound/fetch.hpp"
#include "base/platform/store/changes.hpp"
#include "base/settings/values/site_settings.hpp"
#include "shared/api/route.hpp"
#include "shared/hooks/hooks.hpp"
#include "shared/store/store.hpp"

namespace svc {

class Features;

// The operator's configuration.
struct Installation {
    std::string address;            // of the site's pages, without a slash at the end: "https://example.org"
    std::string root;               // of the interface as visitors reach it: "https://example.org/svc/v1"
    std::string media_folder = {};  // where uploaded files are stored
    std::string theme_folder = {};  // of the operator's own templates; empty: none
    bool cookie_secure = false;     // Secure and __Host- on the session cookie
    limits::AddressSet trusted_proxies = {};
    outbound::Allowed allowed = {};                   // outbound targets that may be private
    std::vector<std::string> gateway_api_bases = {};  // "paypal=http://127.0.0.1:9": instead of the provider's own
    bool serves = true;                               // false: a command that prints and ends
};

// Platform services only; features reach each other by references to their structs. Everything outlives the features.
// Another Site builds the same features for another purpose: tests set the clock, the sample sales emit no action.
struct Site {
    store::Store& store;
    hooks::Hooks& hooks;     // actions and filters that features declare, emit, apply and listen to
    events::Events& events;  // runs the listeners; the same object as `hooks`, except where actions are silenced
    settings::SiteSettings& settings;
    const Clock& clock;
    std::shared_ptr<const crypto::Keyring> keyring;
    metrics::Registry& metrics;
    limits::RateLimits& limits;
    api::RouteTable& routes;
    jobs::Jobs& jobs;
    jobs::Housekeeping& housekeeping;
    store::ChangeFeed& changes;
    Features& features;  // a feature that is built from this Site registers here
    // Whether a module is enabled; false for an unknown slug. [any thread]
    std::function<bool(std::string_view slug)> module_enabled;
    // Sends a request to another server; never inside a transaction. [any thread]
    std::function<Result<outbound::FetchAnswer>(const outbound::FetchRequest&)> fetch;
    Installation installation;
};

// The same Site with other hooks; features built from it register in `features`.
inline Site with_hooks(const Site& site, hooks::Hooks& hooks, Features& features) {
    return {.store = site.store,
            .hooks = hooks,
            .events = site.events,
            .settings = site.settings,
            .clock = site.clock,
            .keyring = site.keyring,
            .metrics = site.metrics,
            .limits = site.limits,
            .routes = site.routes,
            .jobs = site.jobs,
            .housekeeping = site.housekeeping,
            .changes = site.changes,
            .features = features,
            .module_enabled = site.module_enabled,
            .fetch = site.fetch,
            .installation = site.installation};
}

}  // namespace svc
