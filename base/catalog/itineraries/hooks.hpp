// Actions of itineraries.
#pragma once

#include "shared/hooks/hooks.hpp"

namespace svc::catalog::itineraries {

inline const hooks::Action day_created{
    "svc_itinerary_day_created", "A day was added to a trip.", {"day_id", "trip_id"}};
inline const hooks::Action day_updated{
    "svc_itinerary_day_updated", "A day was changed. Not fired when only its entries changed.", {"day_id", "trip_id"}};
inline const hooks::Action day_deleted{
    "svc_itinerary_day_deleted", "A day was deleted after its entries; passes the day.", {"day_id", "trip_id", "day"}};
inline const hooks::Action activity_created{
    "svc_itinerary_activity_created", "An entry was added to a day.", {"entry_id", "trip_id"}};
inline const hooks::Action activity_updated{
    "svc_itinerary_activity_updated", "An entry was changed or moved.", {"entry_id", "trip_id"}};
inline const hooks::Action activity_deleted{
    "svc_itinerary_activity_deleted",
    "An entry was deleted, alone or with its day; passes the entry. Not fired when the"
    " trip is deleted.",
    {"entry_id", "trip_id", "entry"}};

inline void declare_hooks(hooks::Hooks& hooks) {
    for (const auto* action :
         {&day_created, &day_updated, &day_deleted, &activity_created, &activity_updated, &activity_deleted})
        hooks.declare(*action);
}

}  // namespace svc::catalog::itineraries
