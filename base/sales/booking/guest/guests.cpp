// Customers' operations on their own bookings: cancel, verify a guest's address, link guest bookings.
#include "base/sales/booking/guest/guests.hpp"

#include "base/people/customers/service.hpp"
#include "base/sales/booking/guest/repository.hpp"
#include "base/sales/booking/record/hooks.hpp"
#include "base/sales/booking/record/locks.hpp"
#include "base/sales/booking/record/pay_link.hpp"
#include "base/sales/booking/record/repository.hpp"
#include "base/sales/booking/record/seats.hpp"
#include "base/sales/booking/record/wire.hpp"

namespace svc::booking {
namespace {

// booking_not_found also for a booking in the trash.
Result<Booking> lock_active(store::Transaction& tx, std::int64_t id) {
    auto booking = lock_with_seats(tx, id);
    if (!booking || booking->status == status::trash)
        return errc::booking_not_found;
    return std::move(*booking);
}

}  // namespace

Result<Booking> Guests::cancel_own(std::int64_t id, std::string_view reason, const Actor& actor) {
    return parts_.store.transact<Booking>([&](store::Transaction& tx) -> Result<Booking> {
        const Instant now = parts_.clock.now();
        SVC_ASSIGN_OR_RETURN(const auto booking, lock_active(tx, id));
        if (booking.status == status::cancelled)
            return Error{errc::conflict, "This booking is already cancelled."_sentence};
        if (booking.travel_date <= parts_.settings.zone().date_at(now))
            return Error{errc::conflict, "This trip has begun; please write to us."_sentence};
        SVC_RETURN_IF_ERROR(lifecycle_.change(tx, booking, status::cancelled, Cause::customer, actor, reason, now));
        // Refunds are a person's decision; staff who cancel have made theirs.
        if (!booking.amount_paid.is_zero() && actor.kind == "customer")
            Repository::flag(tx, id, "cancelled by the customer after paying", now);
        return Repository::find(tx, id).value();
    });
}

Result<Booking> Guests::cancel_for_channel(std::int64_t id, std::string_view channel, std::string_view reason) {
    return parts_.store.transact<Booking>([&](store::Transaction& tx) -> Result<Booking> {
        const Instant now = parts_.clock.now();
        SVC_ASSIGN_OR_RETURN(const auto booking, lock_active(tx, id));
        const Actor actor{.kind = "channel", .through = channel};
        SVC_RETURN_IF_ERROR(lifecycle_.change(tx, booking, status::cancelled, Cause::channel, actor, reason, now));
        if (booking.status != status::cancelled && !booking.amount_paid.is_zero())
            Repository::flag(tx, id, "cancelled by its channel after paying", now);
        return Repository::find(tx, id).value();
    });
}

Result<Guests::Verified> Guests::verify(const Verification::Proof& proof) {
    const std::int64_t id = proof.booking_id;
    return parts_.store.transact<Verified>([&](store::Transaction& tx) -> Result<Verified> {
        const Instant now = parts_.clock.now();
        SVC_ASSIGN_OR_RETURN(const auto booking, lock_active(tx, id));
        if (address_digest(booking.email) != proof.digest)
            return errc::email_changed;
        // A late verification still counts before the trip begins if there was none; the seats may be gone by then.
        if (proof.is_late && (booking.status != status::pending_verification ||
                              booking.travel_date < parts_.settings.zone().date_at(now)))
            return errc::token_expired;
        // The link ends with the booking, as every secret of it does; it lengthens no other one.
        if (booking.status != status::pending_verification)
            return is_active(booking.status) && Repository::particulars(tx, id).verified_at
                       ? Result<Verified>(Verified{booking, true})
                       : Result<Verified>(Error{errc::conflict, "There is nothing to confirm any more."_sentence});
        GuestRepository::set_verified(tx, id, now);
        const Actor guest{.kind = "customer", .through = "link"};
        // The seats may have been released meanwhile: takes them again if any are left.
        if (auto changed =
                lifecycle_.change(tx, booking, status::pending, Cause::verification, guest, "address confirmed", now);
            !changed)
            return offers_.with_waitlist_hint(tx, changed.error(), booking.trip_id, booking.travel_date,
                                              booking.departure_time, seats_of(booking, parts_.settings));
        Booking after = Repository::find(tx, id).value();
        const bool confirms = ports_.gateways && ports_.gateways->confirms_new(tx, after);
        json::Value record = to_json(after);
        if (confirms)
            record.set("status", status::confirmed);
        parts_.hooks.emit(tx, email_verified, {id, record});
        if (confirms) {
            SVC_RETURN_IF_ERROR(lifecycle_.change(tx, after, status::confirmed, Cause::payment,
                                                  {.kind = "system", .through = "link"}, "made", now));
            after = Repository::find(tx, id).value();
        }
        return Verified{std::move(after), false};
    });
}

std::int64_t Guests::link_guest_bookings(std::int64_t user_id, std::string_view verified_email) {
    const auto waiting = parts_.store.reading<std::int64_t>(
        [&](store::Session& session) { return GuestRepository::count_unowned(session, verified_email); });
    if (waiting == 0)
        return 0;
    std::int64_t linked = 0;
    const auto written = parts_.store.write([&](store::Transaction& tx) -> Result<void> {
        const Instant now = parts_.clock.now();
        customers::Service::own(tx, parts_.hooks, user_id, verified_email, now);
        linked = GuestRepository::own(tx, user_id, verified_email, now);
        if (linked > 0)
            parts_.hooks.emit(tx, guest_bookings_linked, {user_id, linked});
        return {};
    });
    return written ? linked : 0;
}

std::vector<std::string> Guests::references_ahead(store::Session& session, const std::vector<std::int64_t>& ids,
                                                  Date today) {
    return GuestRepository::references_ahead(session, ids, today);
}

}  // namespace svc::booking
