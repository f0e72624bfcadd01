// Dependencies of the services of trips.
#pragma once

#include <functional>
#include <string>

#include "base/catalog/trips/record/part.hpp"
#include "base/settings/values/settings.hpp"
#include "shared/hooks/hooks.hpp"
#include "shared/store/store.hpp"

namespace svc::catalog::trips {

// The change-feed channel of trips: on it `Service::public_trips().reload_changed()` is due.
inline constexpr std::string_view channel = "trips";

struct Needs {
    store::Store& store;
    hooks::Hooks& hooks;
    const settings::Settings& settings;
    const Clock& clock;
    Parts parts = {};  // in the order they are written and answered; see Service::add_part()
    // The address before a trip's slug.
    std::function<std::string()> trip_address = [] { return std::string("/trip/"); };
};

// The row_version that a writer has read, if sent; svc_conflict when the trip has another one.
using Seen = std::optional<std::int64_t>;

}  // namespace svc::catalog::trips
