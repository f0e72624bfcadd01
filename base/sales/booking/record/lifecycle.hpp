// The one way a booking's status changes: the table of transitions, the row, its history, seats and events.
#pragma once

#include "base/sales/booking/record/booking.hpp"
#include "base/sales/booking/record/parts.hpp"

namespace svc::booking {

// The only writer of svc_bookings.status after the INSERT; tests/structure/check_sql.py rejects any other. Any thread.
class Lifecycle {
  public:
    Lifecycle(const Parts& parts, const Ports& ports) : parts_(parts), ports_(ports) {}

    // `booking` is as read under its lock. Seats, log and events go with it; setting the present status again does
    // nothing. `forced`: seats are taken beyond the capacity. svc_invalid_transition, sold_out and others.
    Result<void> change(store::Transaction& tx, const Booking& booking, std::string_view to, Cause cause,
                        const Actor& actor, std::string_view reason, Instant now, bool forced = false);
    // By staff, in its own transaction; only Removal moves to and from the trash. booking_not_found.
    Result<Booking> set_status(std::int64_t id, std::string_view to, std::string_view reason, const Actor& actor,
                               bool forced = false);
    // Ends every stored secret of the booking: its tokens, those of its balance, and the checkout sessions that have
    // become it. Signed links end by the booking's status and address (promise S7).
    static void end_secrets(store::Transaction& tx, std::int64_t id, Instant now);

  private:
    // Its seats on the departure it was on last. A booking that is taken up again follows a departure that moved
    // meanwhile, as those did that stayed; one that went to another trip is refused.
    Result<void> take_again(store::Transaction& tx, const Booking& booking, const Actor& actor, Instant now,
                            const availability::Seats::Hold& hold);
    // Writes status, its moments and the log row; nothing when the stored status is not the booking's any more. Returns
    // the booking as it is then, without what its seats are.
    static std::optional<Booking> write(store::Transaction& tx, const Booking& booking, std::string_view to,
                                        Cause cause, const Actor& actor, std::string_view reason, Instant now);
    void emit_reached(store::Transaction& tx, const Booking& after, Cause cause);

    Parts parts_;
    const Ports& ports_;
};

}  // namespace svc::booking
