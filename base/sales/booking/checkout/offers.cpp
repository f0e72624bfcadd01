// The price of a choice: the trip as published, the date as it can be sold, then the pipeline.
#include "base/sales/booking/checkout/offers.hpp"

#include <algorithm>

#include "base/sales/booking/record/hooks.hpp"
#include "base/sales/booking/record/repository.hpp"
#include "base/sales/booking/record/seats.hpp"
#include "base/sales/pricing/party.hpp"
#include "shared/core/text.hpp"

namespace svc::booking {
namespace {

// Rejects services that customers chose after their deadline; staff may add them until the departure.
Result<void> none_closed(const pricing::Quote& quote, const CheckoutSession& chosen) {
    if (quote.services_sold.is_array())
        for (const json::Value& each : quote.services_sold.items())
            if (each.is_object() && each["is_closed"].is_boolean() && each["is_closed"].boolean())
                if (const auto id = each.maybe_integer("id"); id && chosen.services.contains(*id))
                    return invalid("selected_services." + std::to_string(*id),
                                   "This service can no longer be added for that date."_sentence);
    return {};
}

}  // namespace

Result<Offers::Priced> Offers::priced(store::Session& session, const CheckoutSession& chosen, bool by_staff,
                                      bool waiting, bool forced, pricing::Request::Shown shown) const {
    if (!chosen.trip_id)
        return missing("trip_id");
    if (!chosen.travel_date)
        return missing("travel_date");
    const auto trip = parts_.trips.published(*chosen.trip_id);
    if (!trip)
        return errc::trip_not_found;
    const auto date_for = [&](std::int64_t travelers) {
        const int seats = static_cast<int>(seats_of(travelers, chosen.traveler_counts, parts_.settings));
        return waiting
                   ? parts_.availability.waitlist.find_waitable(session, *trip, *chosen.travel_date,
                                                                chosen.departure_time, seats, by_staff,
                                                                parts_.clock.now())
                   : parts_.availability.dates.find_bookable(session, *trip, *chosen.travel_date, chosen.departure_time,
                                                             seats, by_staff, parts_.clock.now());
    };
    if (!chosen.departure_time)
        if (auto one = parts_.availability.dates.check_time(by_staff ? &session : nullptr, *trip, *chosen.travel_date,
                                                            by_staff, parts_.clock.now());
            !one)
            return one.error();
    auto date = date_for(forced ? 0 : chosen.travelers);
    if (!date) {
        // A party beyond the trip's limits gets that error instead of missing seats.
        if (date.error().code().name == errc::sold_out.name)
            SVC_RETURN_IF_ERROR(pricing::whole_party_fits(*trip, chosen.travelers, chosen.traveler_counts));
        return date.error();
    }
    SVC_ASSIGN_OR_RETURN(auto quote, price_of(*trip, *date, chosen, &session, shown));
    if (!by_staff)
        SVC_RETURN_IF_ERROR(none_closed(quote, chosen));
    // A listener may count the party differently; seats must suffice for everybody who pays.
    if (quote.travelers > chosen.travelers && !forced) {
        date = date_for(quote.travelers);
        if (!date)
            return date.error();
    }
    return Priced{.date = std::move(*date), .quote = std::move(quote)};
}

Result<pricing::Quote> Offers::quote_for_display(const CheckoutSession& chosen, const QuoteOptions& options) const {
    const auto trip =
        chosen.trip_id && chosen.travel_date && !options.by_staff ? parts_.trips.published(*chosen.trip_id) : nullptr;
    const auto date_for = [&](std::int64_t travelers) {
        const auto seats = seats_of(travelers, chosen.traveler_counts, parts_.settings);
        return parts_.availability.dates.find_shown(*trip, *chosen.travel_date, chosen.departure_time,
                                                    static_cast<int>(seats), parts_.clock.now());
    };
    if (trip && !chosen.departure_time)
        if (auto one =
                parts_.availability.dates.check_time(nullptr, *trip, *chosen.travel_date, false, parts_.clock.now());
            !one)
            return one.error();
    if (trip)
        if (const auto date = date_for(chosen.travelers)) {
            auto quote = price_of(*trip, *date, chosen, nullptr, options.shown);
            if (quote)
                SVC_RETURN_IF_ERROR(none_closed(*quote, chosen));
            if (!quote || quote->travelers <= chosen.travelers || date_for(quote->travelers))
                return quote;
        }
    // Memory follows other processes within a second; a refusal is the database's.
    return parts_.store.reading<Result<pricing::Quote>>([&](store::Session& session) -> Result<pricing::Quote> {
        SVC_ASSIGN_OR_RETURN(auto found,
                             priced(session, chosen, options.by_staff, false, options.forced, options.shown));
        return std::move(found.quote);
    });
}

Result<pricing::Quote> Offers::price_of(const catalog::trips::Trip& trip, const availability::Bookable& date,
                                        const CheckoutSession& chosen, store::Session* session,
                                        pricing::Request::Shown shown) const {
    SVC_RETURN_IF_ERROR(check_seated(chosen.travelers, chosen.traveler_counts, parts_.settings));
    pricing::Request request{.price = date.price,
                             .travel_date = *chosen.travel_date,
                             .departure_time = chosen.departure_time,
                             .travelers = chosen.travelers,
                             .payment_method = chosen.payment_method,
                             .method_chosen = chosen.method_chosen,
                             .traveler_counts = chosen.traveler_counts,
                             .by_category = date.by_category,
                             .services = chosen.services,
                             .traveler_based = date.traveler_based,
                             .coupon = {},
                             .country = chosen.country,
                             .departure_id = date.departure_id,
                             .user_id = chosen.user_id,
                             .email = chosen.email,
                             .booking_id = chosen.booking_id,
                             .session_id = chosen.id > 0 ? std::optional(chosen.id) : std::nullopt,
                             .seats_left = date.available(),
                             .capacity = date.capacity,
                             .shown = shown,
                             .reading = session,
                             .by_hand = chosen.by_hand};
    request.code_meaning = [&](const std::string& code) {
        auto looked =
            parts_.discounts.look_up(code, trip.id, trip.currency,
                                     buyer_of(chosen.email, chosen.user_id, chosen.booking_id.value_or(0)), session);
        // A code that was valid when entered stays valid for the booking that has it, while uses are left.
        if (looked.fault && looked.discount && chosen.booking_id &&
            (&looked.fault->code() == &errc::coupon_inactive || &looked.fault->code() == &errc::coupon_expired))
            looked.fault = looked.discount->is_for(trip.id, trip.currency)
                               ? std::nullopt
                               : std::optional(Error{errc::coupon_not_applicable});
        return pricing::Coupon{
            .code = discounts::code_of(code), .discount = std::move(looked.discount), .error = std::move(looked.fault)};
    };
    if (!chosen.coupon_code.empty())
        request.coupon = request.code_meaning(chosen.coupon_code);
    return parts_.pricing.quote(trip, request, dynamic_cast<store::Transaction*>(session));
}

std::optional<pricing::Quote> Offers::first_price(const catalog::trips::Trip& trip,
                                                  const availability::Bookable& date) const {
    CheckoutSession chosen{.trip_id = trip.id, .travel_date = date.date, .departure_time = date.time};
    chosen.travelers = std::max<std::int64_t>(1, trip.min_travelers);
    if (date.traveler_based) {
        const auto& types = trip.price_types;
        auto type = std::find_if(types.begin(), types.end(),
                                 [&](const auto& each) { return each.is_default && each.offered_on(date.date); });
        if (type == types.end())
            type =
                std::find_if(types.begin(), types.end(), [&](const auto& each) { return each.offered_on(date.date); });
        if (type == types.end())
            return std::nullopt;
        chosen.travelers = std::max<std::int64_t>(chosen.travelers, type->min_quantity.value_or(1));
        chosen.traveler_counts[type->category_id] = chosen.travelers;
    }
    // A date from a list has the prices that listeners made; the quote asks them itself.
    const auto plain = parts_.availability.dates.find_shown(trip, date.date, date.time, 0, parts_.clock.now());
    // Where a part must be paid the price has that of itself.
    auto quote = price_of(trip, plain ? *plain : date, chosen, nullptr);
    if (quote)  // for services_for(): what is left of a service is counted by departure
        quote->shown.set("departure_time", date.time);
    return quote ? std::optional(std::move(*quote)) : std::nullopt;
}

discounts::Buyer Offers::buyer_of(const std::string& email, std::optional<std::int64_t> user_id,
                                  std::int64_t booking_id) const {
    discounts::Buyer buyer;
    buyer.user_id = user_id.value_or(0);
    if (email.empty() && buyer.user_id == 0)
        return buyer;
    buyer.email_lower = text::folded(email);
    buyer.has_booked = [email = buyer.email_lower, user = buyer.user_id, booking_id](store::Session& session) {
        return Repository::has_booked(session, email, user, booking_id);
    };
    return buyer;
}

Result<void> Offers::hold_discounts(store::Transaction& tx, const pricing::Quote& quote, const Booking& booking,
                                    Instant now) const {
    auto buyer = buyer_of(booking.email, booking.user_id, booking.id);
    buyer.customer_id = booking.customer_id;
    std::vector<const pricing::Applied*> held;
    for (const auto& applied : {&quote.group, &quote.coupon})
        if (*applied && (*applied)->discount)
            held.push_back(&**applied);
    // Every writer locks them in that order.
    std::sort(held.begin(), held.end(),
              [](const pricing::Applied* a, const pricing::Applied* b) { return a->discount->id < b->discount->id; });
    for (const pricing::Applied* applied : held) {
        const bool is_coupon = quote.coupon && applied == &*quote.coupon;
        auto redeemed = parts_.discounts.redeem(tx, *applied->discount,
                                                {.booking_id = booking.id,
                                                 .customer_id = booking.customer_id,
                                                 .email_lower = buyer.email_lower,
                                                 .is_coupon = is_coupon,
                                                 .amount = applied->amount},
                                                buyer, now);
        // A group discount applies without a code: without it the price is another.
        if (!redeemed)
            return is_coupon ? redeemed.error() : Error{errc::price_changed};
    }
    return {};
}

void Offers::store_services(store::Transaction& tx, std::int64_t booking_id, const pricing::Quote& quote) const {
    const json::Value& services = quote.services_sold;
    static_cast<void>(parts_.hooks.apply(services_kept, services, {booking_id}, &tx));
    if (services.size() > 0)
        parts_.hooks.emit(tx, save_services, {booking_id, services});
    static_cast<void>(parts_.hooks.apply(price_kept, quote.shown, {booking_id}, &tx));
}

Result<std::vector<availability::Bookable>> Offers::dates_of(std::int64_t trip_id) const {
    return parts_.availability.dates.available_dates(trip_id, {}, {parts_.clock.now(), parts_.settings.zone()});
}

Result<Choice> Offers::named(Choice choice, std::optional<std::int64_t> trip_id) const {
    if (choice.fault)
        return *choice.fault;
    if (!choice.departure_id)
        return choice;
    const auto differs = [](const auto& sent, const auto& its) { return sent && sent != its; };
    const auto departure = parts_.availability.departures.find(std::nullopt, *choice.departure_id);
    if (!departure || departure->status == availability::Status::trash ||
        differs(choice.trip_id ? choice.trip_id : trip_id, std::optional(departure->trip_id)))
        return invalid("availability_id", "This trip has no such date."_sentence);
    if (differs(choice.travel_date, std::optional(departure->start_date)) ||
        differs(choice.departure_time, departure->time))
        return invalid("availability_id", "This is another date than travel_date and departure_time say."_sentence);
    choice.trip_id = departure->trip_id;
    choice.travel_date = departure->start_date;
    choice.departure_time = departure->time;
    return choice;
}

Error Offers::with_waitlist_hint(const Error& error, const CheckoutSession& chosen) const {
    if (error.code().name != errc::sold_out.name)
        return error;
    return parts_.store.reading<Error>([&](store::Session& reading) {
        return with_waitlist_hint(reading, error, *chosen.trip_id, *chosen.travel_date, chosen.departure_time,
                                  seats_of(chosen.travelers, chosen.traveler_counts, parts_.settings));
    });
}

// Adds to sold_out whether a waitlist is available.
Error Offers::with_waitlist_hint(store::Session& session, Error error, std::int64_t trip_id, Date date,
                                 std::optional<ClockTime> time, std::int64_t seats) const {
    if (error.code().name != errc::sold_out.name)
        return error;
    const auto trip = parts_.trips.published(trip_id);
    const bool open = trip && parts_.availability.waitlist.find_waitable(
                                  session, *trip, date, time, static_cast<int>(seats), false, parts_.clock.now());
    return std::move(error).with("waitlist", open ? "true" : "false");
}

Error as_field_error(const Error& fault) {
    return fault.code().name == unknown_code.name ? Error{unknown_code, fault.message()} : fault;
}

}  // namespace svc::booking
