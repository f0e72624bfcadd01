// The only writer of seats: conditional updates take and release them, never the cache.
#pragma once

#include <optional>
#include <string_view>

#include "base/sales/availability/dates/service.hpp"
#include "base/sales/availability/seats/repository.hpp"

namespace svc::availability {

// Any thread. All of it runs in the transaction that makes, changes or ends the booking; the calendar follows after its
// commit.
class Seats {
  public:
    Seats(const Parts& parts, Calendar& calendar, const OfferedDates& dates)
        : parts_(parts), calendar_(calendar), dates_(dates) {}

    struct Hold {
        bool by_staff = false;              // staff, beyond the capacity if the departure allows it
        bool forced = false;                // beyond the capacity in any case, for this booking only
        std::optional<Instant> until = {};  // set: a soft hold that is released then unless it is made firm
    };
    // Finds the date's departure, or makes it on an open date, and takes the seats; the departure's id. Call it last:
    // on PostgreSQL every other buyer of the date waits from here to the commit. Errors as find_bookable, without the
    // cut-off.
    Result<std::int64_t> take(store::Transaction& tx, const catalog::trips::Trip& trip, Date date,
                              std::optional<ClockTime> time, std::int64_t booking_id, std::int64_t seats, Instant now);
    // The same for a date that this transaction has just found.
    Result<std::int64_t> take(store::Transaction& tx, const catalog::trips::Trip& trip, const Bookable& found,
                              std::int64_t booking_id, std::int64_t seats, Instant now, const Hold& hold);
    Result<std::int64_t> take(store::Transaction& tx, const catalog::trips::Trip& trip, const Bookable& found,
                              std::int64_t booking_id, std::int64_t seats, Instant now) {
        return take(tx, trip, found, booking_id, seats, now, Hold{});
    }
    // On a departure known already; answers it as it is then. A booking that holds seats already is a broken invariant:
    // UniqueViolation, on PostgreSQL perhaps not before the commit.
    Result<Slot> acquire(store::Transaction& tx, std::int64_t departure_id, std::int64_t booking_id, std::int64_t seats,
                         Instant now, const Hold& hold);
    // Its two halves, for the head of the waitlist: takes free seats, nothing where there are too few; then links them
    // to the booking.
    static std::optional<TakenSlot> take_free(store::Transaction& tx, std::int64_t departure_id, std::int64_t seats,
                                              Date today, Instant now) {
        return rows::take_seats(tx, departure_id, seats, rows::Overbook::never, today, now);
    }
    void give(store::Transaction& tx, const TakenSlot& taken, std::int64_t booking_id, std::int64_t seats, Instant now,
              std::optional<Instant> until);
    // On the departure the booking waits for or held last; it may be on another day by now, even of another
    // trip. Returns it as it is.
    Result<Slot> take_again(store::Transaction& tx, std::int64_t booking_id, std::int64_t seats, Instant now,
                            const Hold& hold);
    // Moves the booking from its departure to another one: takes the new seats before it releases the old ones. Returns
    // the departure whose waitlist the caller must promote(); see Waitlist::move.
    Result<std::int64_t> move(store::Transaction& tx, std::int64_t booking_id, std::int64_t to_departure_id,
                              std::int64_t seats, Instant now);
    // Releases a booking's seats, if it holds any, and returns the departure. `reason` is a release reason of the
    // ledger or a booking status without seats. The caller calls Waitlist::promote() after writing its own change.
    std::optional<std::int64_t> release(store::Transaction& tx, std::int64_t booking_id, std::string_view reason,
                                        Instant now);
    // The departure of a date found in this transaction: created if it does not exist yet.
    Result<Slot> make_departure(store::Transaction& tx, const catalog::trips::Trip& trip, const Bookable& open,
                                Instant now) const;

    // When the booking loses its seats by itself: the end of a soft hold or of an offer from the waitlist.
    [[nodiscard]] static std::optional<Instant> holds_until(store::Session& session, std::int64_t booking_id) {
        return rows::holds_until(session, booking_id);
    }
    // The traces of a booking that is deleted; it holds no seats by now.
    static void forget(store::Transaction& tx, std::int64_t booking_id) { rows::forget(tx, booking_id); }
    // A soft hold is a firm one from now on.
    static void make_firm(store::Transaction& tx, std::int64_t booking_id) { rows::make_firm(tx, booking_id); }
    // The departure a booking waits for, holds seats of, or held them of last.
    [[nodiscard]] static std::optional<std::int64_t> departure_of(store::Session& session, std::int64_t booking_id) {
        return rows::last_departure(session, booking_id);
    }
    // Locks that departure, before the booking's own row: every writer takes its locks in that order.
    static void lock_of(store::Transaction& tx, std::int64_t booking_id);
    // Expired soft holds, the oldest first; whether one must still be released.
    [[nodiscard]] static std::vector<std::int64_t> lapsed(store::Session& session, Instant now, std::int64_t most) {
        return rows::lapsed(session, now, most);
    }
    [[nodiscard]] static bool has_lapsed(store::Session& session, std::int64_t booking_id, Instant now) {
        return rows::has_lapsed(session, booking_id, now);
    }

  private:
    // Why a departure has no such seats.
    [[nodiscard]] static Error refusal(store::Session& session, std::int64_t departure_id);
    [[nodiscard]] Date today(Instant now) const { return parts_.settings.zone().date_at(now); }

    const Parts parts_;
    Calendar& calendar_;
    const OfferedDates& dates_;
};

}  // namespace svc::availability
