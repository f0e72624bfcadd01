// The price of a choice: the trip as published, the date as it can be sold, then the pipeline.
#include "base/booking/service.hpp"

namespace svc::booking {

Result<Service::Priced> Service::priced(store::Session& session, const CheckoutSession& chosen, bool by_staff) const {
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
    auto quote = price_of(*trip, *date, chosen, dynamic_cast<store::Transaction*>(&session));
    if (!quote)
        return quote.error();
    return Priced{.date = std::move(*date), .quote = std::move(*quote)};
}

Result<pricing::Quote> Service::quote_shown(const CheckoutSession& chosen, bool by_staff) const {
    if (chosen.trip_id && chosen.travel_date && !by_staff)
        if (const auto trip = parts_.trips.published(*chosen.trip_id))
            if (const auto date =
                    parts_.availability.find_shown(*trip, *chosen.travel_date, chosen.departure_time,
                                                   static_cast<int>(chosen.travelers), parts_.clock.now()))
                return price_of(*trip, *date, chosen, nullptr);
    // Memory follows other processes within a second; a refusal is the database's.
    return parts_.store.reading<Result<pricing::Quote>>([&](store::Session& session) -> Result<pricing::Quote> {
        auto found = priced(session, chosen, by_staff);
        if (!found)
            return found.error();
        return std::move(found->quote);
    });
}

Result<pricing::Quote> Service::price_of(const catalog::trips::Trip& trip, const availability::Bookable& date,
                                         const CheckoutSession& chosen, store::Transaction* tx) const {
    return parts_.pricing.quote(trip,
                                {.price = date.price,
                                 .travel_date = *chosen.travel_date,
                                 .departure_time = chosen.departure_time,
                                 .travelers = chosen.travelers,
                                 .payment_method = chosen.payment_method},
                                tx);
}

}  // namespace svc::booking
