// What trips tell, and what may be changed about how they are shown.
#pragma once

#include "shared/hooks/hooks.hpp"

namespace svc::catalog::trips {

inline const hooks::Action trip_created{
    "svc_trip_created", "3.0.0", "A trip's row was inserted. Not fired for updates.", {"trip_id"}};
inline const hooks::Action trip_created_with_relations{
    "svc_trip_created_with_relations", "3.0.0", "A trip was inserted and all that hangs on it is saved.", {"trip_id"}};
inline const hooks::Action trip_updated{
    "svc_trip_updated", "3.0.0", "A trip's row was updated. Not fired when it goes to the trash.", {"trip_id"}};
inline const hooks::Action trip_updated_with_relations{
    "svc_trip_updated_with_relations", "3.0.0", "A trip was updated and all that hangs on it is saved.", {"trip_id"}};
inline const hooks::Action trip_deleted{
    "svc_trip_deleted",
    "3.0.0",
    "Written before a trip goes to the trash, and again before it is deleted for good.",
    {"trip_id"}};

// These three are asked when a trip enters the memory of published trips, and for each trip that staff read; the last
// one of them not for the rows of their lists.
inline const hooks::Filter trip_display_price{"svc_trip_display_price",
                                              "3.0.0",
                                              "The price a trip is shown with, in major units of its currency.",
                                              json::Kind::number,
                                              {"trip_id"}};
inline const hooks::Filter price_unit_label{
    "svc_price_unit_label",
    "3.0.0",
    "The words beside a shown price; price_type is null without traveler categories.",
    json::Kind::string,
    {"unit", "price_type"}};
inline const hooks::Filter trip_loaded_with_relations{
    "svc_trip_loaded_with_relations",
    "3.0.0",
    "A trip with all that hangs on it, as it will be answered and filtered by; its id and slug stay.",
    json::Kind::object,
    {"trip_id"}};
inline const hooks::Filter trip_revision_limit{"svc_trip_revision_limit",
                                               "3.0.0",
                                               "How many revisions of a trip are kept, the newest; 0 keeps all.",
                                               json::Kind::number,
                                               {"trip_id"}};

inline void declare_hooks(hooks::Hooks& hooks) {
    for (const auto* action :
         {&trip_created, &trip_created_with_relations, &trip_updated, &trip_updated_with_relations, &trip_deleted})
        hooks.declare(*action);
    hooks.declare(trip_display_price);
    hooks.declare(price_unit_label);
    hooks.declare(trip_loaded_with_relations);
    hooks.declare(trip_revision_limit);
}

}  // namespace svc::catalog::trips
