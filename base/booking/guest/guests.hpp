// What customers do with their own bookings: cancel them, prove a guest's address, take over what they made as guests.
#pragma once

#include <string_view>

#include "base/booking/checkout/offers.hpp"
#include "base/booking/record/service.hpp"
#include "base/booking/record/verification.hpp"

namespace svc::booking {

// Who may is the gate's business. Any thread.
class Guests {
  public:
    Guests(const Parts& parts, const Ports& ports, Lifecycle& lifecycle, const Offers& offers)
        : parts_(parts), ports_(ports), lifecycle_(lifecycle), offers_(offers) {}

    Result<Booking> cancel_own(std::int64_t id, std::string_view reason, const Actor& actor);
    // For a channel that sold it (an OTA), on any day. Repeated, also by another process, it returns the cancelled
    // booking and emits nothing. Paid money is flagged for a person. booking_not_found, svc_invalid_transition.
    Result<Booking> cancel_for_channel(std::int64_t id, std::string_view channel, std::string_view reason);
    // The address that a signed link proves, by its address_digest. A second time returns the booking as it is.
    struct Verified {
        Booking booking;
        bool before = false;
    };
    // A late proof counts where nothing was proven yet, and takes the seats again: token_expired, sold_out.
    Result<Verified> verify(const Verification::Proof& proof);
    // Gives the account what was booked as a guest by the address that is proven its own; returns how many.
    std::int64_t link_guest_bookings(std::int64_t user_id, std::string_view verified_email);

  private:
    Parts parts_;
    const Ports& ports_;
    Lifecycle& lifecycle_;
    const Offers& offers_;
};

}  // namespace svc::booking
