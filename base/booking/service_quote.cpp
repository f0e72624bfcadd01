// The price of a choice: the trip as published, the date as it can be sold, then the pipeline.
#include "base/booking/service.hpp"

namespace svc::booking {

Result<Service::Priced> Service::priced(store::Session& session, const CheckoutSession& chosen, bool by_staff,
                                        bool waiting) const {
    if (!chosen.trip_id)
        return missing("trip_id");
    if (!chosen.travel_date)
        return missing("travel_date");
    const auto trip = parts_.trips.published(*chosen.trip_id);
    if (!trip)
        return errc::trip_not_found;
    const auto date_for = [&](std::int64_t travelers) {
        const auto find = waiting ? &availability::Service::find_waitable : &availability::Service::find_bookable;
        return (parts_.availability.*find)(session, *trip, *chosen.travel_date, chosen.departure_time,
                                           static_cast<int>(travelers), by_staff, parts_.clock.now());
    };
    auto date = date_for(chosen.travelers);
    if (!date)
        return date.error();
    auto quote = price_of(*trip, *date, chosen, dynamic_cast<store::Transaction*>(&session));
    if (!quote)
        return quote.error();
    // A listener may count the party otherwise; there must be room for those who are paid for.
    if (quote->travelers > chosen.travelers) {
        date = date_for(quote->travelers);
        if (!date)
            return date.error();
    }
    return Priced{.date = std::move(*date), .quote = std::move(*quote)};
}

Result<pricing::Quote> Service::quote_shown(const CheckoutSession& chosen, bool by_staff) const {
    const auto trip =
        chosen.trip_id && chosen.travel_date && !by_staff ? parts_.trips.published(*chosen.trip_id) : nullptr;
    const auto date_for = [&](std::int64_t travelers) {
        return parts_.availability.find_shown(*trip, *chosen.travel_date, chosen.departure_time,
                                              static_cast<int>(travelers), parts_.clock.now());
    };
    if (trip)
        if (const auto date = date_for(chosen.travelers)) {
            auto quote = price_of(*trip, *date, chosen, nullptr);
            if (!quote || quote->travelers <= chosen.travelers || date_for(quote->travelers))
                return quote;
        }
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
                                 .payment_method = chosen.payment_method,
                                 .traveler_counts = chosen.traveler_counts,
                                 .by_category = date.by_category},
                                tx);
}

}  // namespace svc::booking
