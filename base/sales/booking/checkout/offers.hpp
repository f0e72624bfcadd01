// Offers and their prices: the published trip, the date on sale, the quote of a choice.
#pragma once

#include <string>
#include <vector>

#include "base/sales/booking/checkout/choice.hpp"
#include "base/sales/booking/record/parts.hpp"

namespace svc::booking {

// For a code sent together with other data: reported as invalid, since 404 would mean the request's own target.
inline constexpr ErrorCode unknown_code{errc::coupon_not_found.name, 400, errc::coupon_not_found.sentence};
Error as_field_error(const Error& fault);  // as it is reported there

// Any thread.
class Offers {
  public:
    explicit Offers(const Parts& parts) : parts_(parts) {}

    [[nodiscard]] std::shared_ptr<const catalog::trips::Trip> published(std::int64_t trip_id) const {
        return parts_.trips.published(trip_id);
    }
    // The dates that a trip is offered on, from memory.
    [[nodiscard]] Result<std::vector<availability::Bookable>> dates_of(std::int64_t trip_id) const;
    // The price of the trip's smallest party on that date, as it is shown before anything is chosen, and what can be
    // added to it. Nothing where that party has none.
    [[nodiscard]] std::optional<pricing::Quote> first_price(const catalog::trips::Trip& trip,
                                                            const availability::Bookable& date) const;
    [[nodiscard]] json::Value services_for(const catalog::trips::Trip& trip, const pricing::Quote& quote) const {
        return parts_.pricing.services_for(trip, quote);
    }
    // Whether a coupon with that code can be used today, for any trip.
    [[nodiscard]] bool is_usable_code(std::string_view code) const { return parts_.discounts.is_usable(code); }
    // The choice by trip, date and time; `trip_id`: of the session, where the choice names none.
    [[nodiscard]] Result<Choice> named(Choice choice, std::optional<std::int64_t> trip_id = {}) const;

    struct Priced {
        availability::Bookable date;
        pricing::Quote quote;
    };
    // As the database has it; `waiting`: of a date whose seats do not suffice.
    Result<Priced> priced(store::Session& session, const CheckoutSession& chosen, bool by_staff, bool waiting = false,
                          bool forced = false, pricing::Request::Shown shown = pricing::Request::Shown::no) const;
    // From memory if possible, else from the database: for display, and before a transaction.
    struct QuoteOptions {
        pricing::Request::Shown shown = pricing::Request::Shown::no;
        bool by_staff = false, forced = false;
    };
    Result<pricing::Quote> quote_for_display(const CheckoutSession& chosen, const QuoteOptions& options) const;
    Result<pricing::Quote> price_of(const catalog::trips::Trip& trip, const availability::Bookable& date,
                                    const CheckoutSession& chosen, store::Session* session,
                                    pricing::Request::Shown shown = pricing::Request::Shown::no) const;
    // The discounts of its price are the booking's from now on.
    Result<void> hold_discounts(store::Transaction& tx, const pricing::Quote& quote, const Booking& booking,
                                Instant now) const;
    void store_services(store::Transaction& tx, std::int64_t booking_id, const pricing::Quote& quote) const;

    // Adds to sold_out whether one can wait for the seats; other errors stay as they are.
    [[nodiscard]] Error with_waitlist_hint(store::Session& session, Error error, std::int64_t trip_id, Date date,
                                           std::optional<ClockTime> time, std::int64_t seats) const;
    // The same of a choice.
    [[nodiscard]] Error with_waitlist_hint(const Error& error, const CheckoutSession& chosen) const;

  private:
    [[nodiscard]] discounts::Buyer buyer_of(const std::string& email, std::optional<std::int64_t> user_id,
                                            std::int64_t booking_id = 0) const;

    Parts parts_;
};

}  // namespace svc::booking
