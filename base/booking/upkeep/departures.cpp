// What bookings do when their departure moves, ends, or has seats for who waits.
#include "base/booking/record/hooks.hpp"
#include "base/booking/record/seats.hpp"
#include "base/booking/record/service.hpp"
#include "base/booking/record/wire.hpp"

namespace svc::booking {
namespace {

constexpr std::int64_t most_offers = 200;
constexpr Actor nobody{.kind = "system", .id = {}, .through = "job"};

// Its days are of no interest any more.
bool is_over(const Booking& booking) {
    return booking.status == status::cancelled || booking.status == status::trash ||
           booking.status == status::refunded || booking.status == status::failed;
}

}  // namespace

void Service::follow(store::Transaction& tx, std::int64_t id, const availability::Departure& departure, Instant now) {
    const auto before = Repository::lock(tx, id);
    if (!before || is_over(*before))
        return;
    Repository::reschedule(tx, id, departure.start_date, departure.end_date, departure.time, now);
    const Booking after = Repository::find(tx, id).value();
    parts_.hooks.emit(tx, booking_updated, {id});
    parts_.hooks.emit(tx, booking_rescheduled, {id, to_json(after), before->travel_date});
}

Result<void> Service::take_again(store::Transaction& tx, const Booking& booking, Instant now,
                                 const availability::Seats::Hold& hold) {
    const auto taken =
        parts_.availability.seats.take_again(tx, booking.id, seats_of(booking, parts_.settings), now, hold);
    if (!taken)
        return taken.error();
    if (taken->trip_id != booking.trip_id)
        return Error{errc::date_unavailable, "The booking's departure now belongs to another trip."};
    if (taken->start_date == booking.travel_date && taken->time == booking.departure_time)
        return {};
    Repository::reschedule(tx, booking.id, taken->start_date, taken->end_date, taken->time, now);
    parts_.hooks.emit(tx, booking_rescheduled,
                      {booking.id, to_json(Repository::find(tx, booking.id).value()), booking.travel_date});
    return {};
}

bool Service::may_promote(store::Transaction& tx, std::int64_t id) const {
    return parts_.hooks.apply(booking::may_promote, true, {id}, &tx).boolean();
}

void Service::promoted(store::Transaction& tx, std::int64_t id, std::int64_t trip_id, std::int64_t departure_id,
                       bool confirm, Instant now) {
    const Booking before = Repository::lock(tx, id).value();
    const std::string_view to = confirm ? status::confirmed : status::pending;
    if (auto done = change(tx, before, to, Cause::promotion, nobody, "promoted from the waitlist", now); !done)
        throw std::logic_error("a booking waits that is not on the waitlist: " + before.status);
    Booking after = Repository::find(tx, id).value();
    // Nothing is left to pay: it is what it would have been without the wait.
    if (!confirm && after.balance().is_zero() && parts_.confirms_new && parts_.confirms_new(tx, after)) {
        if (auto done = change(tx, after, status::confirmed, Cause::payment, nobody, "made", now); !done)
            throw std::logic_error("a promoted booking cannot be confirmed: " + after.status);
        after = Repository::find(tx, id).value();
    }
    parts_.hooks.emit(tx, waitlist_promoted, {id, trip_id, departure_id, after.status, to_json(after)});
}

bool Service::cancel_with_departure(std::int64_t id, std::string_view reason, const Actor& actor) {
    const auto written = parts_.store.write([&](store::Transaction& tx) -> Result<void> {
        availability::Seats::lock_of(tx, id);
        const auto booking = Repository::lock(tx, id);
        const Instant now = parts_.clock.now();
        if (!booking || is_over(*booking))
            return errc::invalid_transition;
        if (auto changed = change(tx, *booking, status::cancelled, Cause::staff, actor, reason, now); !changed)
            return changed;
        // Whose money is here still needs a person.
        if (booking->amount_paid.is_zero())
            Repository::unflag(tx, id, now);
        return {};
    });
    return static_cast<bool>(written);
}

Result<json::Value> Service::end_offers(Instant now) {
    const auto ended = parts_.store.reading<std::vector<std::int64_t>>(
        [&](store::Session& session) { return availability::Waitlist::ended_offers(session, now, most_offers); });
    std::int64_t cancelled = 0;
    for (const std::int64_t id : ended) {
        bool done = false;
        auto written = parts_.store.write([&](store::Transaction& tx) -> Result<void> {
            availability::Seats::lock_of(tx, id);
            const auto booking = Repository::lock(tx, id);
            // Who is paying right now, or whose payment staff await, is asked again at the next turn.
            const bool is_unpaid = booking && booking->status == status::pending && booking->amount_paid.is_zero() &&
                                   booking->payment_status != "refunded" && !booking->total.is_zero();
            if (is_unpaid && parts_.payments && parts_.payments->is_awaited(tx, id, now))
                return {};
            availability::Waitlist::end_offer(tx, id);
            // Paid or confirmed meanwhile, it has taken its seats.
            done = is_unpaid;
            if (!done)
                return {};
            return change(tx, *booking, status::cancelled, Cause::sweep, nobody,
                          "The offered seats were not accepted in time.", now);
        });
        if (!written)
            return written.error();
        cancelled += done ? 1 : 0;
    }
    const auto served = parts_.availability.waitlist.serve_waiting(now);
    if (!served)
        return served.error();
    return json::Value::object(
        {{"ended", static_cast<std::int64_t>(ended.size())}, {"cancelled", cancelled}, {"seats_given", *served}});
}

}  // namespace svc::booking
