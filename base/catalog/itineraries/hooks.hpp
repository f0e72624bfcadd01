// What the itineraries of trips tell.
#pragma once

#include "shared/hooks/hooks.hpp"

namespace svc::catalog::itineraries {

inline const hooks::Action day_created{
    "svc_itinerary_day_created", "3.0.0", "A trip has one day more.", {"day_id", "trip_id"}};
inline const hooks::Action day_updated{"svc_itinerary_day_updated",
                                       "3.0.0",
                                       "A day itself was changed. Not fired for what only its entries changed.",
                                       {"day_id", "trip_id"}};
inline const hooks::Action day_deleted{"svc_itinerary_day_deleted",
                                       "3.0.0",
                                       "A day is gone, after its entries; with the day as it was.",
                                       {"day_id", "trip_id", "day"}};
inline const hooks::Action activity_created{
    "svc_itinerary_activity_created", "3.0.0", "A day has one entry more.", {"entry_id", "trip_id"}};
inline const hooks::Action activity_updated{"svc_itinerary_activity_updated",
                                            "3.0.0",
                                            "An entry was changed, or moved to another day or place.",
                                            {"entry_id", "trip_id"}};
inline const hooks::Action activity_deleted{
    "svc_itinerary_activity_deleted",
    "3.0.0",
    "An entry is gone, also with its day; with the entry as it was. Not fired when the"
    " trip is deleted.",
    {"entry_id", "trip_id", "entry"}};

inline void declare_hooks(hooks::Hooks& hooks) {
    for (const auto* action :
         {&day_created, &day_updated, &day_deleted, &activity_created, &activity_updated, &activity_deleted})
        hooks.declare(*action);
}

}  // namespace svc::catalog::itineraries
