// The days as a member of their trip: itinerary_days.
#pragma once

#include <memory>

#include "base/catalog/media/service.hpp"
#include "base/catalog/trips/record/part.hpp"

namespace svc::catalog::itineraries {

// `media` outlives it.
std::shared_ptr<const trips::Part> make_part(const media::Service& media);

}  // namespace svc::catalog::itineraries
