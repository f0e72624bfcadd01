// Actions of departures, and filters for the dates on sale.
#pragma once

#include "shared/hooks/hooks.hpp"

namespace svc::availability {

inline const hooks::Action departure_saved{"svc_departure_saved",
                                           "Staff created, changed, cancelled or trashed a departure. Not fired for"
                                           " booked or released seats.",
                                           {"departure_id"}};
inline const hooks::Action availability_updated{
    "svc_availability_updated", "A trip's dates changed; fired together with svc_departure_saved.", {"departure_id"}};
inline const hooks::Action specific_date_created{"svc_availability_specific_date_created",
                                                 "Staff created a date or a departure; both are the same record.",
                                                 {"departure_id", "departure"}};
inline const hooks::Action specific_date_updated{
    "svc_availability_specific_date_updated", "Staff changed a date or departure.", {"departure_id", "departure"}};
inline const hooks::Action specific_date_before_delete{
    "svc_availability_specific_date_before_delete",
    "A date is about to be moved to the trash; fired before svc_availability_specific_date_deleted.",
    {"departure_id", "departure"}};
inline const hooks::Action specific_date_deleted{
    "svc_availability_specific_date_deleted", "A date was moved to the trash.", {"departure_id", "departure"}};
inline const hooks::Action seats_low{
    "svc_departure_seats_low",
    "The available seats fell to a departure's alert threshold. Fired once until they rise"
    " above it again.",
    {"departure_id", "seats_left", "departure"}};

inline const hooks::Action rule_created{"svc_availability_recurring_rule_created",
                                        "An availability rule was created, also by duplicating a trip.",
                                        {"rule_id", "data"}};
inline const hooks::Action rule_updated{
    "svc_availability_recurring_rule_updated", "An availability rule was changed.", {"rule_id", "data"}};
inline const hooks::Action rule_before_delete{"svc_availability_recurring_rule_before_delete",
                                              "An availability rule is about to be deleted.",
                                              {"rule_id", "data"}};
inline const hooks::Action rule_deleted{
    "svc_availability_recurring_rule_deleted",
    "An availability rule was deleted. Its departures with bookings or a waitlist stay; the others are in the trash.",
    {"rule_id", "data"}};

// Must not wait: dates are answered from memory, on the threads that read requests.
inline const hooks::Filter horizon_months{
    "svc_availability_horizon_months",
    "Number of months ahead for which dates are offered; results other than integers from 1 to 36 are ignored.",
    json::Kind::number,
    {}};
inline const hooks::Filter resolve_availability{
    "svc_resolve_availability_object",
    "A date before it is priced or sold; null or false makes it unavailable. Changes of price and original_price"
    " apply to trips without categories, a lower available_capacity always.",
    json::Kind::null,
    {"trip_id", "date"}};

inline const hooks::Filter virtual_availability{"svc_virtual_availability_object",
                                                "A date offered by an availability rule without bookings, "
                                                "before svc_resolve_availability_object; null or false"
                                                " makes it unavailable. Changes apply as described there.",
                                                json::Kind::null,
                                                {"rule_id", "date"}};

// Declared by pricing, which applies it to every quote; applied here to displayed prices.
inline const hooks::Filter availability_price{
    "svc_availability_price", "The unit price of the date before adjustments.", json::Kind::number, {"context"}};
// After svc_availability_price, and in one call for all dates of an answer.
inline const hooks::Filter date_prices{
    "svc_date_prices",
    "The displayed prices of dates: a row for each date with a number for each of the context's categories, null where"
    " the date has no such price. Category 0 is the price without categories. The context has the date's values in"
    " lists: dates, times, available_capacity, max_capacity and regular_prices. Lists of trips and their pages show "
    "where"
    " a trip's prices begin; a listener whose prices change touches a channel of its own (svc.changes/1), so that they"
    " are computed again.",
    json::Kind::array,
    {"trip_id", "context"}};
inline const hooks::Filter trip_allows_waitlist{
    "svc_trip_allows_waitlist",
    "Whether a trip has a waitlist. Listeners must not block: dates are served from memory.",
    json::Kind::boolean,
    {"trip_id"}};
inline const hooks::Filter can_join_waitlist{"svc_can_join_waitlist",
                                             "Whether this party may join the waitlist of this date.",
                                             json::Kind::boolean,
                                             {"trip_id", "date", "seats"}};

inline void declare_hooks(hooks::Hooks& hooks) {
    for (const auto* action : {&departure_saved, &availability_updated, &specific_date_created, &specific_date_updated,
                               &specific_date_before_delete, &specific_date_deleted, &seats_low, &rule_created,
                               &rule_updated, &rule_before_delete, &rule_deleted})
        hooks.declare(*action);
    for (const auto* filter : {&horizon_months, &resolve_availability, &virtual_availability, &date_prices,
                               &trip_allows_waitlist, &can_join_waitlist})
        hooks.declare(*filter);
}

}  // namespace svc::availability
