// The platform's services of one installation, and the Site that features are built from.
#pragma once

#include <atomic>
#include <memory>

#include "base/app/base.hpp"
#include "base/feature/feature.hpp"
#include "base/modules/site_modules.hpp"
#include "base/platform/idempotency/idempotency.hpp"
#include "base/platform/jobs/scheduler.hpp"
#include "base/platform/store/open.hpp"

namespace svc::app {

// Members are in the order they are built; each refers to those above it alone. Nothing runs yet.
struct Platform {
    // Opens the database; throws std::runtime_error with a sentence.
    explicit Platform(const BaseOptions& options);
    Platform(const Platform&) = delete;
    Platform& operator=(const Platform&) = delete;

    const BaseOptions options;
    const SystemClock clock;
    std::unique_ptr<store::Store> store;
    std::shared_ptr<const crypto::Keyring> keyring;
    metrics::Registry metrics;
    api::RouteTable routes;
    events::Events hooks;
    modules::SiteModules modules;
    settings::SiteSettings settings;
    limits::RateLimits limits;
    idempotency::Keeper keeper;
    jobs::Scheduler jobs;
    jobs::Housekeeping housekeeping;
    store::ChangeFeed changes;
    Features features;
    const Site site;
    std::atomic<bool> draining{false};
    std::atomic<bool> caches_answers{true};  // setting `cache_enabled`

  protected:
    ~Platform() = default;
};

// Nothing where the operator does not limit strangers.
std::optional<idempotency::StrangersBound> bound_for_strangers(const settings::Settings& settings);

// How the parts of BaseOptions reach the store.
store::StoreOptions store_options(const BaseOptions& options);
// Where uploaded files are stored.
std::string media_folder(const BaseOptions& options);
// Opens the store and checks that the schema is this release's; throws std::runtime_error with a sentence.
std::unique_ptr<store::Store> open_current(const BaseOptions& options);

}  // namespace svc::app
