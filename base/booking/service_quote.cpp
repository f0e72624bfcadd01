// The price of a choice: the trip as published, the date as it can be sold, then the pipeline.
#include "base/booking/service.hpp"

namespace svc::booking {

Result<pricing::Quote> Service::quote_for(store::Session& session, const CheckoutSession& chosen, bool by_staff) const {
    if (!chosen.trip_id)
        return missing("trip_id");
    if (!chosen.travel_date)
        return missing("travel_date");
    const auto trip = parts_.trips.published(*chosen.trip_id);
    if (!trip)
        return errc::trip_not_found;
    auto date = parts_.availability.find_bookable(session, *trip, *chosen.travel_date, chosen.departure_time,
                                                  static_cast<int>(chosen.travelers), by_staff, parts_.clock.now());
    if (!date)
        return date.error();
    return parts_.pricing.quote(*trip,
                                {.price = date->price,
                                 .travel_date = *chosen.travel_date,
                                 .departure_time = chosen.departure_time,
                                 .travelers = chosen.travelers,
                                 .payment_method = chosen.payment_method},
                                dynamic_cast<store::Transaction*>(&session));
}

}  // namespace svc::booking
