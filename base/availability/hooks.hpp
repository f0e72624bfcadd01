// What departures tell, and what may be changed about which dates are sold.
#pragma once

#include "shared/hooks/hooks.hpp"

namespace svc::availability {

inline const hooks::Action departure_saved{"svc_departure_saved",
                                           "3.0.0",
                                           "Staff created, changed, cancelled or trashed a departure. Not fired for"
                                           " seats taken or given back.",
                                           {"departure_id"}};
inline const hooks::Action availability_updated{"svc_availability_updated",
                                                "3.0.0",
                                                "The dates of a trip changed; written with svc_departure_saved.",
                                                {"departure_id"}};
inline const hooks::Action specific_date_created{"svc_availability_specific_date_created",
                                                 "3.0.0",
                                                 "Staff put a date on sale or made a departure, which is one row.",
                                                 {"departure_id", "departure"}};
inline const hooks::Action specific_date_updated{"svc_availability_specific_date_updated",
                                                 "3.0.0",
                                                 "Staff changed a date on sale or its departure.",
                                                 {"departure_id", "departure"}};
inline const hooks::Action specific_date_before_delete{
    "svc_availability_specific_date_before_delete",
    "3.0.0",
    "A date is on its way to the trash; written with svc_availability_specific_date_deleted, before it.",
    {"departure_id", "departure"}};
inline const hooks::Action specific_date_deleted{
    "svc_availability_specific_date_deleted", "3.0.0", "A date went to the trash.", {"departure_id", "departure"}};
inline const hooks::Action seats_low{"svc_departure_seats_low",
                                     "3.0.0",
                                     "The seats left fell to a departure's alert threshold. Once, until seats come"
                                     " back above it.",
                                     {"departure_id", "seats_left", "departure"}};

inline const hooks::Action rule_created{"svc_availability_recurring_rule_created",
                                        "3.0.0",
                                        "A recurring rule was added, also as a copy with its trip.",
                                        {"rule_id", "data"}};
inline const hooks::Action rule_updated{
    "svc_availability_recurring_rule_updated", "3.0.0", "A recurring rule was changed.", {"rule_id", "data"}};
inline const hooks::Action rule_before_delete{"svc_availability_recurring_rule_before_delete",
                                              "3.0.0",
                                              "Written before a recurring rule is deleted.",
                                              {"rule_id", "data"}};
inline const hooks::Action rule_deleted{"svc_availability_recurring_rule_deleted",
                                        "3.0.0",
                                        "A recurring rule was deleted; its departures stay.",
                                        {"rule_id", "data"}};

// Must not wait: dates are answered from memory, on the threads that read requests.
inline const hooks::Filter horizon_months{
    "svc_availability_horizon_months",
    "3.0.0",
    "How many months ahead dates are offered; an answer that is no whole number from 1 to 36 is ignored.",
    json::Kind::number,
    {}};
inline const hooks::Filter resolve_availability{
    "svc_resolve_availability_object",
    "3.0.0",
    "One date on its way to be priced or sold; null or false takes it off sale. Its price and original_price"
    " are taken back where everybody pays the same, and available_capacity where it is less.",
    json::Kind::null,
    {"trip_id", "date"}};

inline const hooks::Filter virtual_availability{"svc_virtual_availability_object",
                                                "3.0.0",
                                                "One date that a recurring rule offers and nobody has booked yet, "
                                                "before svc_resolve_availability_object; null or false"
                                                " takes it off sale. Its members are taken back as there.",
                                                json::Kind::null,
                                                {"rule_id", "date"}};

// Declared by pricing, which asks it of every quote; here it is asked for the prices that dates are shown with.
inline const hooks::Filter availability_price{"svc_availability_price",
                                              "3.0.0",
                                              "The unit price that the date asks, before anything is laid over it.",
                                              json::Kind::number,
                                              {"context"}};
inline const hooks::Filter trip_allows_waitlist{
    "svc_trip_allows_waitlist",
    "3.0.0",
    "Whether people may wait for seats of a trip. Must not wait itself: dates are answered from memory.",
    json::Kind::boolean,
    {"trip_id"}};
inline const hooks::Filter can_join_waitlist{"svc_can_join_waitlist",
                                             "3.0.0",
                                             "Whether this party may wait for seats of this date.",
                                             json::Kind::boolean,
                                             {"trip_id", "date", "seats"}};

inline void declare_hooks(hooks::Hooks& hooks) {
    for (const auto* action : {&departure_saved, &availability_updated, &specific_date_created, &specific_date_updated,
                               &specific_date_before_delete, &specific_date_deleted, &seats_low, &rule_created,
                               &rule_updated, &rule_before_delete, &rule_deleted})
        hooks.declare(*action);
    for (const auto* filter :
         {&horizon_months, &resolve_availability, &virtual_availability, &trip_allows_waitlist, &can_join_waitlist})
        hooks.declare(*filter);
}

}  // namespace svc::availability
