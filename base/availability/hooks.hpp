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
    "One date on its way to be priced or sold; null takes it off sale. Changes of its members have no effect.",
    json::Kind::null,
    {"trip_id", "date"}};

inline void declare_hooks(hooks::Hooks& hooks) {
    for (const auto* action : {&departure_saved, &availability_updated})
        hooks.declare(*action);
    for (const auto* filter : {&horizon_months, &resolve_availability})
        hooks.declare(*filter);
}

}  // namespace svc::availability
