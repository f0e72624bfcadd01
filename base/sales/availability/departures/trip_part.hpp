// A trip's dates as a member of it.
#pragma once

#include <memory>

#include "base/catalog/trips/record/part.hpp"
#include "base/settings/values/settings.hpp"

namespace svc::availability {

class Departures;

// The trip's member `availability_dates`: its departures from today on, as /availability shows them, the first 1000.
// Written with the trip, those without an id are new ones; one that is there stays as it is. All outlive it.
std::shared_ptr<const catalog::trips::Part> make_dates_part(const settings::Settings& settings, const Clock& clock,
                                                            Departures& departures);

}  // namespace svc::availability
