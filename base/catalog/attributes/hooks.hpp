// What attributes tell, and what trips say about them.
#pragma once

#include "shared/hooks/hooks.hpp"

namespace svc::catalog::attributes {

inline const hooks::Action attribute_created{
    "svc_attribute_created", "3.0.0", "An attribute was added.", {"attribute_id"}};
inline const hooks::Action attribute_updated{
    "svc_attribute_updated",
    "3.0.0",
    "An attribute was changed, or came out of the trash. Not fired for a new place among the others.",
    {"attribute_id"}};
inline const hooks::Action attribute_deleted{"svc_attribute_deleted",
                                             "3.0.0",
                                             "An attribute went to the trash; with the attribute as it was.",
                                             {"attribute_id", "attribute"}};
inline const hooks::Action attribute_force_deleted{
    "svc_attribute_force_deleted",
    "3.0.0",
    "An attribute was deleted for good, with all that trips said about it; with the attribute as it was.",
    {"attribute_id", "attribute"}};
inline const hooks::Action attribute_orders_updated{
    "svc_attribute_orders_updated", "3.0.0", "Attributes were given new places.", {"attribute_ids"}};

inline const hooks::Action trip_attribute_set{"svc_trip_attribute_set",
                                              "3.0.0",
                                              "A trip says something else about an attribute than before.",
                                              {"trip_id", "attribute_id", "value"}};
inline const hooks::Action trip_attribute_removed{
    "svc_trip_attribute_removed",
    "3.0.0",
    "A trip says nothing about an attribute any more; with what it said. Not fired when the attribute is deleted.",
    {"trip_id", "attribute_id", "value"}};
inline const hooks::Action trip_attributes_bulk_updated{
    "svc_trip_attribute_bulk_updated",
    "3.0.0",
    "One write changed what a trip says about several attributes; after the actions of each of them.",
    {"trip_id", "attribute_ids", "values"}};

inline void declare_hooks(hooks::Hooks& hooks) {
    for (const auto* action :
         {&attribute_created, &attribute_updated, &attribute_deleted, &attribute_force_deleted,
          &attribute_orders_updated, &trip_attribute_set, &trip_attribute_removed, &trip_attributes_bulk_updated})
        hooks.declare(*action);
}

}  // namespace svc::catalog::attributes
