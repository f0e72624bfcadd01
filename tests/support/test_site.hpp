// A Site for tests: the platform's services over a fresh database, with a clock that the test sets and a store that
// fails where it is told to. Build features from `site` as base/app/assembly.hpp does, then call begin().
#pragma once

#include <memory>
#include <set>
#include <string>

#include "base/feature/feature.hpp"
#include "base/platform/jobs/scheduler.hpp"
#include "tests/support/databases.hpp"
#include "tests/support/faulty_store.hpp"
#include "tests/support/set_clock.hpp"

namespace svc::tests {

struct TestSite {
    // `migrated` has this release's schema; `now` is RFC 3339.
    explicit TestSite(std::unique_ptr<store::Store> migrated, const char* now = "2026-05-04T10:00:00Z",
                      Installation installation = {.address = "https://site", .root = ""})
        : clock(now),
          real(std::move(migrated)),
          site{.store = store,
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
               .module_enabled = [this](std::string_view slug) { return !modules_off.contains(slug); },
               .fetch = [](const outbound::FetchRequest&) -> Result<outbound::FetchAnswer> {
                   return errc::upstream_error;
               },
               .installation = std::move(installation)} {}
    TestSite(const TestSite&) = delete;
    TestSite& operator=(const TestSite&) = delete;

    // The features' steps, as at a start. Nothing runs by itself: no thread, no job.
    void begin() {
        features.connect();
        features.declare();
        settings.reload();
        features.add_routes();
        features.add_jobs();
        features.follow_changes();
        features.load();
    }

    SetClock clock;
    const std::shared_ptr<const crypto::Keyring> keyring = crypto::Keyring::for_tests();
    const std::unique_ptr<store::Store> real;
    FaultyStore store{*real};
    metrics::Registry metrics;
    events::Events hooks{store, clock, metrics, {.process = "site"}};
    settings::SiteSettings settings{*real, keyring, clock, [](std::string_view) { return true; }};
    limits::RateLimits limits{clock, &store};
    api::RouteTable routes;
    jobs::Scheduler jobs{store, clock, [this] { return settings.zone(); }, metrics};
    jobs::Housekeeping housekeeping{store};
    store::ChangeFeed changes{{.url = "sqlite:never-opened"}};
    std::set<std::string, std::less<>> modules_off;  // all others are on
    Features features;
    const Site site;
};

}  // namespace svc::tests
