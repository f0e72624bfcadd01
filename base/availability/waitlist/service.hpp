// Who waits for seats of a full departure, and how they get them: first come, first served, nobody skipped.
#pragma once

#include <optional>
#include <vector>

#include "base/availability/record/bookings.hpp"
#include "base/availability/seats/service.hpp"
#include "base/availability/waitlist/repository.hpp"

namespace svc::availability {

// Any thread. What takes a transaction runs in that of the booking.
class Waitlist {
  public:
    Waitlist(const Parts& parts, Calendar& calendar, const OfferedDates& dates, Seats& seats)
        : parts_(parts), calendar_(calendar), dates_(dates), seats_(seats) {}
    // Who follows departures; null, as without: nobody, and seats are given to nobody who waits.
    void followed_by(Bookings* bookings) { bookings_ = bookings; }  // [start-up]

    // The sold-out date somebody wants to wait for, as find_bookable; sold_out when waiting is not possible either.
    [[nodiscard]] Result<Bookable> find_waitable(store::Session& session, const catalog::trips::Trip& trip, Date date,
                                                 std::optional<ClockTime> time, int seats, bool by_staff,
                                                 Instant now) const;
    // Puts a booking at the end of the queue; the departure's id. The caller owes promote(): seats may have come back
    // meanwhile, and nobody would tell the queue of them any more.
    Result<std::int64_t> join(store::Transaction& tx, const catalog::trips::Trip& trip, Date date,
                              std::optional<ClockTime> time, std::int64_t booking_id, std::int64_t seats, Instant now);
    // Back to its place in the queue it stood in, if there is room to wait; the departure's id. The caller owes
    // promote().
    Result<std::int64_t> join_again(store::Transaction& tx, std::int64_t booking_id, std::int64_t seats, Instant now);
    // One that waits: with another party, or where `to` is at another date, made a departure if it is none yet; its
    // place in the line is kept at the date where it was before. sold_out where there is no room to wait.
    Result<void> wait_anew(store::Transaction& tx, const catalog::trips::Trip& trip, const std::optional<Bookable>& to,
                           std::int64_t booking_id, std::int64_t seats, Instant now);
    // It waits no longer: it gave up, or `served` by staff. The departure it waited for, whose next the caller owes
    // promote().
    std::optional<std::int64_t> leave(store::Transaction& tx, std::int64_t booking_id, bool served, Instant now);
    // Gives free seats to those who wait, the oldest first, nobody skipped, at most 25 at a time.
    void promote(store::Transaction& tx, std::int64_t departure_id, Instant now);
    // By staff: Seats::move, and what that leaves free is given to those who wait for it.
    Result<void> move(store::Transaction& tx, std::int64_t booking_id, std::int64_t to_departure_id, std::int64_t seats,
                      Instant now);
    // The same to a date that this transaction has just found, whose departure is made when there is none yet.
    Result<void> move(store::Transaction& tx, const catalog::trips::Trip& trip, const Bookable& to,
                      std::int64_t booking_id, std::int64_t seats, Instant now);

    // By the clock: promote() for every departure with free seats that somebody waits for: what a chain left, and what
    // no release told of. How many seats were given.
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

  private:
    [[nodiscard]] std::optional<Instant> offer_end(Instant now, Instant start) const;

    const Parts parts_;
    Calendar& calendar_;
    const OfferedDates& dates_;
    Seats& seats_;
    Bookings* bookings_ = nullptr;
};

}  // namespace svc::availability
