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
    const auto date_for = [&](std::int64_t travelers) {
        return parts_.availability.find_bookable(session, *trip, *chosen.travel_date, chosen.departure_time,
                                                 static_cast<int>(travelers), by_staff, parts_.clock.now());
    };
    auto date = date_for(chosen.travelers);
    if (!date)
        return date.error();
    auto quote = parts_.pricing.quote(*trip,
                                      {.price = date->price,
                                       .travel_date = *chosen.travel_date,
                                       .departure_time = chosen.departure_time,
                                       .travelers = chosen.travelers,
                                       .payment_method = chosen.payment_method,
                                       .traveler_counts = chosen.traveler_counts},
                                      dynamic_cast<store::Transaction*>(&session));
    // A listener may count the party otherwise; there must be room for those who are paid for.
    if (quote && quote->travelers > chosen.travelers)
        if (auto room = date_for(quote->travelers); !room)
            return room.error();
    return quote;
}

}  // namespace svc::booking
