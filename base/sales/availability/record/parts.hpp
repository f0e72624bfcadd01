// Dependencies of the services of departures and dates.
#pragma once

#include <string_view>

#include "base/catalog/trips/editor/service.hpp"
#include "base/platform/metrics/metrics.hpp"
#include "base/settings/values/settings.hpp"
#include "shared/hooks/hooks.hpp"
#include "shared/store/store.hpp"

namespace svc::availability {

// The change-feed channel of departures and seats: on it Calendar::reload_changed() is due.
inline constexpr std::string_view channel = "departures";

// All of it outlives the services. Copied freely.
struct Parts {
    store::Store& store;
    hooks::Hooks& hooks;
    const settings::Settings& settings;
    const catalog::trips::Service& trips;
    const Clock& clock;
    metrics::Registry* metrics = nullptr;  // null: nothing is counted
};

}  // namespace svc::availability
