// The waitlist of full departures: first come, first served.
#pragma once

#include <optional>
#include <vector>

#include "base/sales/availability/record/bookings.hpp"
#include "base/sales/availability/seats/service.hpp"
#include "base/sales/availability/waitlist/repository.hpp"

namespace svc::availability {

// Any thread. Functions that take a transaction run in that of the booking.
class Waitlist {
  public:
    Waitlist(const Parts& parts, Calendar& calendar, const OfferedDates& dates, Seats& seats)
        : parts_(parts), calendar_(calendar), dates_(dates), seats_(seats) {}
    // The port to bookings; null: no bookings are promoted from a waitlist.
    void followed_by(Bookings* bookings) { bookings_ = bookings; }  // [start-up]

    // A sold-out date with a waitlist, as find_bookable; sold_out when the waitlist is closed.
    [[nodiscard]] Result<Bookable> find_waitable(store::Session& session, const catalog::trips::Trip& trip, Date date,
                                                 std::optional<ClockTime> time, int seats, bool by_staff,
                                                 Instant now) const;
    // Appends a booking to the queue; returns the departure's id. The caller then calls promote(), since seats may have
    // been released meanwhile without notice.
    Result<std::int64_t> join(store::Transaction& tx, const catalog::trips::Trip& trip, Date date,
                              std::optional<ClockTime> time, std::int64_t booking_id, std::int64_t seats, Instant now);
    // Puts a booking back at its former place, if the waitlist has room; returns the departure's id. The caller then
    // calls promote().
    Result<std::int64_t> join_again(store::Transaction& tx, std::int64_t booking_id, std::int64_t seats, Instant now);
    // Changes the party of a waiting booking, or moves it to the date `to`, creating its departure if necessary; it
    // keeps its place at its date. sold_out when the waitlist has no room.
    Result<void> change_waiting(store::Transaction& tx, const catalog::trips::Trip& trip,
                                const std::optional<Bookable>& to, std::int64_t booking_id, std::int64_t seats,
                                Instant now);
    // It waits no longer: it gave up, or `served` by staff. The departure it waited for, whose next the caller owes
    // promote().
    std::optional<std::int64_t> leave(store::Transaction& tx, std::int64_t booking_id, bool served, Instant now);
    // Assigns free seats to waiting bookings, the oldest first, skipping none, at most 25 per call.
    void promote(store::Transaction& tx, std::int64_t departure_id, Instant now);
    // By staff: Seats::move, and what that leaves free is given to those who wait for it.
    Result<void> move(store::Transaction& tx, std::int64_t booking_id, std::int64_t to_departure_id, std::int64_t seats,
                      Instant now);
    // The same for a date found in this transaction; creates its departure if it does not exist yet.
    Result<void> move(store::Transaction& tx, const catalog::trips::Trip& trip, const Bookable& to,
                      std::int64_t booking_id, std::int64_t seats, Instant now);

    // A job: promote() for every departure with free seats and a waitlist: for seats left over or released without
    // notice. Returns how many seats were assigned.
    Result<std::int64_t> serve_waiting(Instant now);
    [[nodiscard]] static std::vector<std::int64_t> waiting_bookings(store::Session& session,
                                                                    std::int64_t departure_id) {
        return rows::waiting_bookings(session, departure_id);
    }
    // Bookings that were given seats from the waitlist and whose time to take them is over; see end_offer.
    [[nodiscard]] static std::vector<std::int64_t> ended_offers(store::Session& session, Instant now,
                                                                std::int64_t most) {
        return rows::ended_offers(session, now, most);
    }
    static void end_offer(store::Transaction& tx, std::int64_t booking_id) { rows::end_offer(tx, booking_id); }
    // Whether the booking was last on the waitlist, and left it for seats.
    [[nodiscard]] static bool was_promoted(store::Session& session, std::int64_t booking_id) {
        return rows::was_promoted(session, booking_id);
    }

  private:
    [[nodiscard]] std::optional<Instant> offer_end(Instant now, Instant start) const;

    const Parts parts_;
    Calendar& calendar_;
    const OfferedDates& dates_;
    Seats& seats_;
    Bookings* bookings_ = nullptr;
};

}  // namespace svc::availability
