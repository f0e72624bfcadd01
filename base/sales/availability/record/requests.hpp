// Parts of a request that the routes of departures and of rules share.
#pragma once

#include "shared/api/period.hpp"
#include "shared/api/route.hpp"

namespace svc::availability {

// Reads the period of a list from `from`, `to` and `updated_since`.
inline Result<void> take_period(const json::Value& query, const Zone& zone, std::optional<Date>& from,
                                std::optional<Date>& to, std::optional<Instant>& updated_since) {
    SVC_ASSIGN_OR_RETURN(const auto period, api::period_of(query, zone));
    if (period.from)
        from = zone.date_at(*period.from);
    if (period.to)
        to = zone.date_at(period.to->minus(std::chrono::microseconds(1)));
    updated_since = period.updated_since;
    return {};
}

// Of a trip that the query or the body names, not the path: its not being there is a fault of that field.
inline api::Reply of_named_trip(api::Reply reply) {
    return reply.error && &reply.error->code() == &errc::trip_not_found
               ? api::failed(invalid("trip_id", "There is no such trip."_sentence))
               : reply;
}

}  // namespace svc::availability
