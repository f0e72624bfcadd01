// Actions of attributes and of their values on trips.
#pragma once

#include "shared/hooks/hooks.hpp"

namespace svc::catalog::attributes {

inline const hooks::Action attribute_created{"svc_attribute_created", "An attribute was created.", {"attribute_id"}};
inline const hooks::Action attribute_updated{
    "svc_attribute_updated",
    "An attribute was changed or restored from the trash. Not fired when only its position changed.",
    {"attribute_id"}};
inline const hooks::Action attribute_deleted{"svc_attribute_deleted",
                                             "An attribute was moved to the trash; passes the attribute.",
                                             {"attribute_id", "attribute"}};
inline const hooks::Action attribute_force_deleted{
    "svc_attribute_force_deleted",
    "An attribute was deleted permanently with all its values; passes the attribute.",
    {"attribute_id", "attribute"}};
inline const hooks::Action attribute_orders_updated{
    "svc_attribute_orders_updated", "Attributes were reordered.", {"attribute_ids"}};

inline const hooks::Action trip_attribute_set{
    "svc_trip_attribute_set", "A trip's value of an attribute changed.", {"trip_id", "attribute_id", "value"}};
inline const hooks::Action trip_attribute_removed{
    "svc_trip_attribute_removed",
    "A trip's value of an attribute was removed; passes the value. Not fired when the attribute is deleted.",
    {"trip_id", "attribute_id", "value"}};
inline const hooks::Action trip_attributes_bulk_updated{
    "svc_trip_attribute_bulk_updated",
    "Several attribute values of a trip changed in one write; fired after the actions of each.",
    {"trip_id", "attribute_ids", "values"}};

inline void declare_hooks(hooks::Hooks& hooks) {
    for (const auto* action :
         {&attribute_created, &attribute_updated, &attribute_deleted, &attribute_force_deleted,
          &attribute_orders_updated, &trip_attribute_set, &trip_attribute_removed, &trip_attributes_bulk_updated})
        hooks.declare(*action);
}

}  // namespace svc::catalog::attributes
