// Changes of a booking's status, with seats, log and events.
#include "base/sales/booking/record/lifecycle.hpp"

#include "base/people/identity/tokens.hpp"
#include "base/sales/booking/record/changes.hpp"
#include "base/sales/booking/record/deadline.hpp"
#include "base/sales/booking/record/hooks.hpp"
#include "base/sales/booking/record/locks.hpp"
#include "base/sales/booking/record/repository.hpp"
#include "base/sales/booking/record/seats.hpp"
#include "base/sales/booking/record/service_stock.hpp"
#include "base/sales/booking/record/verification.hpp"
#include "base/sales/booking/record/wire.hpp"
#include "shared/store/later.hpp"

namespace svc::booking {

bool consumes_seats(const hooks::Hooks& hooks, store::Transaction& tx, std::string_view status) {
    // A guest's unverified booking holds seats for a limited time, whatever a listener returns.
    if (!holds_seats(status) || status == status::pending_verification)
        return holds_seats(status);
    json::Value all = json::Value::array();
    for (const std::string_view one : status::all)
        if (holds_seats(one) && one != status::pending_verification)
            all.push(one);
    for (const json::Value& one : hooks.apply(consuming_statuses, std::move(all), {}, &tx).items())
        if (one.is_string() && one.text() == status)
            return true;
    return false;
}

namespace {

availability::Seats::Hold hold_of(const hooks::Hooks& hooks, std::int64_t id, std::string_view to, Cause cause,
                                  bool forced, Instant now) {
    const bool is_by_staff = cause == Cause::staff || cause == Cause::restoring;
    availability::Seats::Hold hold{.by_staff = is_by_staff, .forced = forced};
    if (to == status::pending_verification)
        hold.until = now.plus(Verification::lifetime(hooks, id));
    return hold;
}

bool is_payable(std::string_view status) { return holds_seats(status) && status != status::pending_verification; }

}  // namespace

Result<void> Lifecycle::change(store::Transaction& tx, const Booking& booking, std::string_view to, Cause cause,
                               const Actor& actor, std::string_view reason, Instant now, bool forced) {
    if (booking.status == to)
        return {};
    if (!may_change(booking.status, to, cause))
        return Error{errc::invalid_transition}.with("from", json::Value(booking.status).dump());
    // The status alone is not enough: a listener may have excluded it from those that hold seats, or a guest's hold
    // has expired.
    const bool held = holds_seats(booking.status) && booking.departure_id;
    const bool holds = consumes_seats(parts_.hooks, tx, to);
    std::optional<std::int64_t> freed;
    if (held && !holds)
        freed = parts_.availability.seats.release(tx, booking.id, holds_seats(to) ? "hold_lapsed" : to, now);
    // From the waitlist it already has its seats.
    if (!held && holds && cause != Cause::promotion)
        SVC_RETURN_IF_ERROR(
            take_again(tx, booking, actor, now, hold_of(parts_.hooks, booking.id, to, cause, forced, now)));
    // It gave up its services too. A new date of its departure counts.
    if (!is_active(booking.status) && is_active(to))
        SVC_RETURN_IF_ERROR(services_fit(parts_.hooks, tx, Repository::find(tx, booking.id).value_or(booking)));
    // An unverified guest's booking that is confirmed is held without limit.
    if (held && holds && booking.status == status::pending_verification)
        availability::Seats::make_firm(tx, booking.id);
    // The next ones in the queue may fit now.
    if (booking.status == status::waitlist && cause != Cause::promotion)
        freed = parts_.availability.waitlist.leave(tx, booking.id, holds, now);
    if (to == status::waitlist) {
        SVC_ASSIGN_OR_RETURN(
            freed, parts_.availability.waitlist.join_again(tx, booking.id, seats_of(booking, parts_.settings), now));
    }
    const auto changed = write(tx, booking, to, cause, actor, reason, now);
    if (!changed)
        return Error{errc::conflict};  // cannot be under the row's lock; a second look costs nothing

    // It can be paid from now on, as one that was promoted or proven: sweep and deadlines count from here.
    if (is_payable(to) && !is_payable(booking.status)) {
        const auto time = ports_.payments ? ports_.payments->time_to_pay(tx, booking.payment_gateway) : TimeToPay{};
        Repository::set_payable(tx, booking.id, now, pay_by_of(parts_.settings, time, booking, now));
    }
    discounts::Service::follow(tx, booking.id, is_active(booking.status), is_active(to), now);
    if (!is_active(to) && ports_.payments)
        ports_.payments->called_off(tx, booking.id, now);
    // Its payments count again.
    if (!holds_seats(booking.status) && holds_seats(to) && ports_.payments)
        SVC_RETURN_IF_ERROR(ports_.payments->reckon(tx, *changed, now));
    // A payment needs the current booking, and moves no seats that it holds.
    const Booking after =
        cause == Cause::payment && held && holds ? *changed : Repository::find(tx, booking.id).value();
    if (to == status::cancelled)
        end_secrets(tx, booking.id, now);
    parts_.hooks.emit(tx, booking_updated, {booking.id});
    parts_.hooks.emit(tx, booking_status_changed, {booking.id, booking.status, to});
    emit_reached(tx, after, cause);
    // Notifies the next booking on the waitlist after the one that released the seats.
    if (freed)
        parts_.availability.waitlist.promote(tx, *freed, now);
    return {};
}

void Lifecycle::emit_reached(store::Transaction& tx, const Booking& after, Cause cause) {
    // A restored booking returns to its status without another mail.
    if (cause == Cause::restoring)
        return;
    if (after.status == status::confirmed)
        parts_.hooks.emit(tx, booking_confirmed, {after.id, to_json(after)});
    if (after.status == status::completed)
        parts_.hooks.emit(tx, booking_completed, {after.id, to_json(after)});
    if (after.status == status::cancelled) {
        json::Value record = to_json(after);
        record.set("cancellation_reason", after.cancellation_reason);
        record.set("cancelled_via", Repository::particulars(tx, after.id).cancelled_via);
        if (cause == Cause::sweep)
            parts_.hooks.emit(tx, booking_expired, {after.id, record});
        parts_.hooks.emit(tx, booking_cancelled, {after.id, record});
    }
}

Result<Booking> Lifecycle::set_status(std::int64_t id, std::string_view to, std::string_view reason, const Actor& actor,
                                      bool forced) {
    return parts_.store.transact<Booking>([&](store::Transaction& tx) -> Result<Booking> {
        const auto booking = lock_with_seats(tx, id);
        if (!booking)
            return errc::booking_not_found;
        if (to == status::trash || booking->status == status::trash)
            return booking->status == to ? Result<Booking>(*booking) : Result<Booking>(errc::invalid_transition);
        SVC_RETURN_IF_ERROR(change(tx, *booking, to, Cause::staff, actor, reason, parts_.clock.now(), forced));
        return Repository::find(tx, id).value();
    });
}

Result<void> Lifecycle::take_again(store::Transaction& tx, const Booking& booking, const Actor& actor, Instant now,
                                   const availability::Seats::Hold& hold) {
    const auto taken =
        parts_.availability.seats.take_again(tx, booking.id, seats_of(booking, parts_.settings), now, hold);
    if (!taken)
        return taken.error();
    if (taken->trip_id != booking.trip_id)
        return Error{errc::date_unavailable, "Its departure is another trip's by now."_sentence};
    if (taken->start_date == booking.travel_date && taken->time == booking.departure_time)
        return {};
    Repository::reschedule(tx, booking.id, taken->start_date, taken->end_date, taken->time,
                           departure_of(parts_.settings, taken->start_date, taken->time), now);
    const Booking moved = Repository::find(tx, booking.id).value();
    log_changes(tx, booking, moved, actor, now);
    parts_.hooks.emit(tx, booking_rescheduled, {booking.id, to_json(moved), booking.travel_date});
    return {};
}

void Lifecycle::end_secrets(store::Transaction& tx, std::int64_t id, Instant now) {
    identity::tokens::revoke_all(tx, "booking", id, now);
    Repository::end_sessions(tx, id, now);
}

namespace {

void log_status(store::Transaction& tx, const Booking& booking, std::string_view to, const Actor& actor,
                std::string_view reason, Instant now) {
    store::run_later(
        tx,
        "INSERT INTO svc_booking_status_log (booking_id, from_status, to_status, actor_kind, actor_id, through, reason,"
        " at) VALUES (:booking_id, :from, :to, :actor_kind, :actor_id, :through, :reason, :at)",
        {{"booking_id", booking.id},
         {"from", booking.status},
         {"to", to},
         {"actor_kind", actor.kind},
         {"actor_id", actor.id},
         {"through", actor.through},
         {"reason", reason},
         {"at", now}});
}

// Of a booking that has not ended after all: it has no time and reason of an end.
void reopen(store::Transaction& tx, Booking& booking, std::string_view to) {
    const bool is_completed = to == status::completed;
    store::run_later(tx,
                     "UPDATE svc_bookings SET cancelled_at = NULL, cancelled_via = NULL, cancellation_reason = NULL,"
                     " expired_at = NULL, completed_at = CASE WHEN :completed = 1 THEN completed_at ELSE NULL END"
                     " WHERE id = :id",
                     {{"completed", is_completed}, {"id", booking.id}});
    booking.cancelled_at.reset();
    booking.cancellation_reason.reset();
    booking.completed_at.reset();
}

}  // namespace

std::optional<Booking> Lifecycle::write(store::Transaction& tx, const Booking& booking, std::string_view to,
                                        Cause cause, const Actor& actor, std::string_view reason, Instant now) {
    // A restored booking keeps its times and its reason.
    const auto reached = [&](std::string_view one) { return to == one && booking.status != status::trash; };
    const auto changed = tx.run(
        "UPDATE svc_bookings SET status = :status, row_version = row_version + 1, updated_at = :now,"
        " status_before_trash = CASE WHEN :to_trash = 1 THEN status ELSE NULL END,"
        " confirmed_at = CASE WHEN :to_confirmed = 1 THEN :confirmed_at ELSE confirmed_at END,"
        " expired_at = CASE WHEN :by_expiry = 1 THEN :expired_at ELSE expired_at END,"
        " completed_at = CASE WHEN :to_completed = 1 THEN :completed_at ELSE completed_at END,"
        " cancelled_at = CASE WHEN :to_cancelled = 1 THEN :cancelled_at ELSE cancelled_at END,"
        " cancelled_via = CASE WHEN :to_cancelled2 = 1 THEN :via ELSE cancelled_via END,"
        " cancellation_reason = CASE WHEN :to_cancelled3 = 1 THEN :reason ELSE cancellation_reason END"
        " WHERE id = :id AND status = :from",
        {{"status", to},
         {"now", now},
         {"to_trash", to == status::trash},
         {"to_confirmed", reached(status::confirmed)},
         {"confirmed_at", now},
         {"by_expiry", reached(status::cancelled) && cause == Cause::sweep},
         {"expired_at", now},
         {"to_completed", reached(status::completed)},
         {"completed_at", now},
         {"to_cancelled", reached(status::cancelled)},
         {"cancelled_at", now},
         {"to_cancelled2", reached(status::cancelled)},
         {"via", cause == Cause::sweep     ? std::string_view{"expiry"}
                 : actor.kind == "gateway" ? std::string_view{"system"}
                                           : actor.kind},
         {"to_cancelled3", reached(status::cancelled)},
         {"reason", reason},
         {"id", booking.id},
         {"from", booking.status}});
    if (changed == 0)
        return std::nullopt;
    log_status(tx, booking, to, actor, reason, now);
    Booking after = booking;
    // A reopened booking has not ended; its history shows that it had.
    if (is_active(to) && booking.status != status::trash && (after.cancelled_at || after.completed_at)) {
        reopen(tx, after, to);
    }
    after.status = to;
    after.row_version = booking.row_version + 1;
    after.updated_at = now;
    if (reached(status::confirmed))
        after.confirmed_at = now;
    if (reached(status::completed))
        after.completed_at = now;
    if (reached(status::cancelled)) {
        after.cancelled_at = now;
        after.cancellation_reason = reason;
    }
    return after;
}

}  // namespace svc::booking
