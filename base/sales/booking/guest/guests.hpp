// Customers' operations on their own bookings: cancel, verify a guest's address, link guest bookings.
#pragma once

#include <string_view>

#include "base/sales/booking/checkout/offers.hpp"
#include "base/sales/booking/record/service.hpp"
#include "base/sales/booking/record/verification.hpp"

namespace svc::booking {

// Does not check permissions; the gate does. Any thread.
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
    // Links the guest bookings of a verified address to its account; returns their number. Only those whose own contact
    // has the address: the customer record that a booking hangs on proves nothing.
    std::int64_t link_guest_bookings(std::int64_t user_id, std::string_view verified_email);
    // The references of those bookings that have not ended yet, as of that day.
    static std::vector<std::string> references_ahead(store::Session& session, const std::vector<std::int64_t>& ids,
                                                     Date today);

  private:
    Parts parts_;
    const Ports& ports_;
    Lifecycle& lifecycle_;
    const Offers& offers_;
};

}  // namespace svc::booking
