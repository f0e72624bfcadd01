// How a booking's status changes, and what goes with it: seats, log, events.
#include "base/booking/record/hooks.hpp"
#include "base/booking/record/seats.hpp"
#include "base/booking/record/service.hpp"
#include "base/booking/record/wire.hpp"
#include "shared/api/guided.hpp"

namespace svc::booking {

bool consumes_seats(const hooks::Hooks& hooks, store::Transaction& tx, std::string_view status) {
    // A guest who has not proven the address yet holds them for a while, whatever a listener says.
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

Result<void> Service::change(store::Transaction& tx, const Booking& booking, std::string_view to, Cause cause,
                             const Actor& actor, std::string_view reason, Instant now, bool forced) {
    if (booking.status == to)
        return {};
    if (!may_change(booking.status, to, cause))
        return Error{errc::invalid_transition}.with("from", json::Value(booking.status).dump());
    // Not by its status alone: a listener may have kept it without seats, or an unproven guest's hold has lapsed.
    const bool held = holds_seats(booking.status) && booking.departure_id;
    const bool holds = consumes_seats(parts_.hooks, tx, to);
    std::optional<std::int64_t> freed;
    if (held && !holds)
        freed = parts_.availability.seats.release(tx, booking.id, holds_seats(to) ? "hold_lapsed" : to, now);
    // From the waitlist it comes with the seats that it was given.
    if (!held && holds && cause != Cause::promotion)
        if (auto taken =
                take_again(tx, booking, now,
                           {.by_staff = cause == Cause::staff || cause == Cause::restoring,
                            .forced = forced,
                            .until = to == status::pending_verification
                                         ? std::optional(now.plus(Verification::lifetime(parts_.hooks, booking.id)))
                                         : std::nullopt});
            !taken)
            return taken.error();
    // Whoever takes an unproven guest's booking up, it is kept from now on as any other.
    if (held && holds && booking.status == status::pending_verification)
        availability::Seats::make_firm(tx, booking.id);
    // Who stood behind may fit where the head did not.
    if (booking.status == status::waitlist && cause != Cause::promotion)
        freed = parts_.availability.waitlist.leave(tx, booking.id, holds, now);
    if (to == status::waitlist) {
        const auto joined =
            parts_.availability.waitlist.join_again(tx, booking.id, seats_of(booking, parts_.settings), now);
        if (!joined)
            return joined.error();
        freed = *joined;
    }
    const auto changed = Repository::change_status(tx, booking, to, cause, actor, reason, now);
    if (!changed)
        return Error{errc::conflict};  // cannot be under the row's lock; a second look costs nothing

    // It can be paid from now on, as one that was promoted or proven: sweep and deadlines count from here.
    const auto is_payable = [](std::string_view one) {
        return holds_seats(one) && one != status::pending_verification;
    };
    if (is_payable(to) && !is_payable(booking.status))
        Repository::set_payable_since(tx, booking.id, now);
    discounts::Service::follow(tx, booking.id, stands(booking.status), stands(to), now);
    if (!stands(to) && parts_.payments)
        parts_.payments->called_off(tx, booking.id, now);
    // What was paid while it did not stand is wanted again.
    if (!holds_seats(booking.status) && holds_seats(to) && parts_.payments)
        if (auto reckoned = parts_.payments->reckon(tx, *changed, now); !reckoned)
            return reckoned;
    // A payment has the booking as it stands, and moves no seats of one that holds them.
    const Booking after =
        cause == Cause::payment && held && holds ? *changed : Repository::find(tx, booking.id).value();
    if (to == status::cancelled)
        end_secrets(tx, booking.id, now);
    parts_.hooks.emit(tx, booking_updated, {booking.id});
    parts_.hooks.emit(tx, booking_status_changed, {booking.id, booking.status, to});
    tell_reached(tx, after, cause);
    // Whose turn it is hears of it after who made room.
    if (freed)
        parts_.availability.waitlist.promote(tx, *freed, now);
    return {};
}

void Service::tell_reached(store::Transaction& tx, const Booking& after, Cause cause) {
    // Out of the trash a booking is again what it was; the customer has heard of that long ago.
    if (cause == Cause::restoring)
        return;
    if (after.status == status::confirmed)
        parts_.hooks.emit(tx, booking_confirmed, {after.id, to_json(after)});
    if (after.status == status::completed)
        parts_.hooks.emit(tx, booking_completed, {after.id, to_json(after)});
    if (after.status == status::cancelled) {
        json::Value told = to_json(after);
        told.set("cancellation_reason", after.cancellation_reason);
        told.set("cancelled_via", Repository::particulars(tx, after.id).cancelled_via);
        if (cause == Cause::sweep)
            parts_.hooks.emit(tx, booking_expired, {after.id, told});
        parts_.hooks.emit(tx, booking_cancelled, {after.id, told});
    }
}

Booking Service::set_paid(store::Transaction& tx, const Booking& booking, const Money& paid,
                          std::string_view payment_status, Instant now) {
    Repository::set_paid(tx, booking.id, paid, payment_status, now);
    parts_.hooks.emit(tx, booking_updated, {booking.id});
    Booking after = booking;
    after.amount_paid = paid;
    after.payment_status = payment_status;
    after.row_version = booking.row_version + 1;
    after.updated_at = now;
    return after;
}

Result<Booking> Service::set_status(std::int64_t id, std::string_view to, std::string_view reason, const Actor& actor,
                                    bool forced) {
    return parts_.store.transact<Booking>([&](store::Transaction& tx) -> Result<Booking> {
        // Seats before bookings: every writer takes its locks in that order, so none waits for another in a circle.
        availability::Seats::lock_of(tx, id);
        const auto booking = Repository::lock(tx, id);
        if (!booking)
            return errc::booking_not_found;
        if (to == status::trash || booking->status == status::trash)
            return booking->status == to ? Result<Booking>(*booking) : Result<Booking>(errc::invalid_transition);
        if (auto changed = change(tx, *booking, to, Cause::staff, actor, reason, parts_.clock.now(), forced); !changed)
            return changed.error();
        return Repository::find(tx, id).value();
    });
}

std::optional<Booking> Service::find(std::int64_t id) {
    return parts_.store.reading<std::optional<Booking>>(
        [&](store::Session& session) { return Repository::find(session, id); });
}

std::optional<Booking> Service::seen(std::int64_t id, const api::Caller& staff) {
    auto booking = find(id);
    const auto guide = api::guided_by(staff);
    const bool is_seen = !guide || parts_.store.reading<bool>([&](store::Session& session) {
        return Repository::is_guided(session, id, *guide);
    });
    return is_seen ? std::move(booking) : std::nullopt;
}

std::optional<Instant> Service::expires_at(store::Session& session, const Booking& booking) {
    if (booking.status != status::pending && booking.status != status::pending_verification)
        return std::nullopt;
    std::optional<Instant> end = availability::Seats::holds_until(session, booking.id);
    if (booking.status == status::pending_verification)
        return end;
    if (!booking.amount_paid.is_zero() || booking.total.is_zero() ||
        (parts_.payments && parts_.payments->is_awaited(session, booking.id, parts_.clock.now())))
        return std::nullopt;
    if (const auto unpaid = unpaid_until(booking))
        end = end ? std::min(*end, *unpaid) : unpaid;
    return end;
}

std::optional<Instant> Service::unpaid_until(const Booking& booking) const {
    const std::int64_t hours = parts_.settings.integer("booking_expiry_hours");
    const auto since = Instant::parse(parts_.settings.text("booking_expiry_since"));
    // What was made before the sweep first ran never ends by it.
    const bool ends = booking.status == status::pending && booking.amount_paid.is_zero() && !booking.total.is_zero() &&
                      hours > 0 && since && booking.created_at >= *since;
    return ends ? std::optional(booking.payable_since.value_or(booking.created_at).plus(std::chrono::hours(hours)))
                : std::nullopt;
}

json::Value Service::stored_detail(store::Session& session, const Booking& booking, bool for_staff) {
    json::Value detail =
        to_detail(booking, Repository::travelers(session, booking.id, &sealing_),
                  Repository::lines(session, booking.id, booking.total.currency()),
                  Repository::particulars(session, booking.id, &sealing_), settings::look_of(parts_.settings));
    detail.set("expires_at", expires_at(session, booking));
    if (for_staff) {
        detail.set("internal_notes", booking.internal_notes);
        detail.set("attention_reason", booking.attention_reason);
        json::Value meta = detail["meta"];
        detail.set("meta", std::move(meta.set("attention_reason", booking.attention_reason)));
        detail.set("status_log", Repository::status_log(session, booking));
    }
    if (parts_.payments)
        parts_.payments->tell(session, booking.id, for_staff, detail);
    return detail;
}

json::Value Service::detail(store::Transaction& tx, const Booking& booking, bool for_staff) {
    json::Value detail = stored_detail(tx, booking, for_staff);
    detail.set("additional_services",
               parts_.hooks.apply(get_services, detail["additional_services"], {booking.id}, &tx));
    return detail;
}

json::Value Service::detail(const Booking& booking, bool for_staff) {
    json::Value detail;
    parts_.store.read([&](store::Session& session) { detail = stored_detail(session, booking, for_staff); });
    // Once the session is given back: a listener may read by one of its own.
    detail.set("additional_services", parts_.hooks.apply(get_services, detail["additional_services"], {booking.id}));
    return detail;
}

Listed Service::list(const Filter& filter, const api::Page& page) {
    return parts_.store.reading<Listed>(
        [&](store::Session& session) { return Repository::list(session, filter, page); });
}

}  // namespace svc::booking
