// What a trip's answer tells staff of its dates.
#pragma once

#include <memory>

#include "base/catalog/trips/part.hpp"
#include "base/settings/settings.hpp"

namespace svc::availability {

// The trip's member `availability_dates`: its departures from today on, as /availability shows them, the first 1000.
// Both outlive it.
std::shared_ptr<const catalog::trips::Part> make_dates_part(const settings::Settings& settings, const Clock& clock);

}  // namespace svc::availability
