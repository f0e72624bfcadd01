// Goes on with an abandoned booking by its link: what was chosen, at today's price, and what has changed.
#pragma once

#include "pro/abandoned_bookings/capture.hpp"
#include "pro/abandoned_bookings/links.hpp"

namespace svc::pro::abandoned_bookings {

// What the holder of a link can go on with.
struct Offer {
    AbandonedBooking row;
    std::optional<Trip> trip;          // while it is published
    std::string gone;                  // trip, date, sold_out or choice; empty: it can be booked
    std::optional<Money> before, now;  // what the visitor saw, and what it costs, with the coupon
    std::string coupon_code;           // of the latest e-mail, or as the visitor typed it, while it counts
    [[nodiscard]] bool is_booked() const { return row.status == status::recovered; }
    [[nodiscard]] bool has_changed() const {
        return before && now && before->currency() == now->currency() && *before != *now;
    }
};

// Any thread, outside of transactions.
class Recovery {
  public:
    Recovery(const Site& site, const Capture& capture) : site_(site), capture_(capture) {}

    // not_found for a link that was not made here, token_expired for one that has ended.
    [[nodiscard]] Result<AbandonedBooking> opened(LinkKind kind, std::string_view token, Instant now) const;
    [[nodiscard]] Result<Offer> offer(std::string_view token, Instant now) const;
    // A visitor went on by the link; notes the first time.
    void use(const AbandonedBooking& row, Instant now) const;
    // The person of that link is written to no more.
    Result<void> stop(std::string_view token, Instant now) const;

  private:
    const Site& site_;
    const Capture& capture_;
};

// The contact as the form of a booking names its fields: {"contact_first_name", …}.
json::Value contact_of(const AbandonedBooking& row);

}  // namespace svc::pro::abandoned_bookings
