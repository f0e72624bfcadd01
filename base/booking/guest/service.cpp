// What customers do with their own bookings: cancel them, prove a guest's address, take over what they made as guests.
#include "base/booking/record/service.hpp"

#include <charconv>

#include "base/booking/record/hooks.hpp"
#include "base/booking/record/seats.hpp"
#include "base/booking/record/wire.hpp"
#include "base/customers/service.hpp"
#include "base/identity/proven.hpp"
#include "base/identity/tokens.hpp"
#include "base/platform/crypto/crypto.hpp"
#include "shared/core/text.hpp"

namespace svc::booking {

Result<Booking> Service::cancel_own(std::int64_t id, std::string_view reason, const Actor& actor) {
    return parts_.store.transact<Booking>([&](store::Transaction& tx) -> Result<Booking> {
        const Instant now = parts_.clock.now();
        availability::Seats::lock_of(tx, id);
        const auto booking = Repository::lock(tx, id);
        if (!booking || booking->status == status::trash)
            return errc::booking_not_found;
        if (booking->status == status::cancelled)
            return Error{errc::conflict, "This booking is already cancelled."};
        if (booking->travel_date <= parts_.settings.zone().date_at(now))
            return Error{errc::conflict, "This trip has already begun. Contact us to cancel."};
        if (auto changed = change(tx, *booking, status::cancelled, Cause::customer, actor, reason, now); !changed)
            return changed.error();
        // Refunds are a person's decision; staff who cancel have made theirs.
        if (!booking->amount_paid.is_zero() && actor.kind == "customer")
            Repository::flag(tx, id, "cancelled by the customer after paying", now);
        return Repository::find(tx, id).value();
    });
}

Result<Booking> Service::cancel_for_channel(std::int64_t id, std::string_view channel, std::string_view reason) {
    return parts_.store.transact<Booking>([&](store::Transaction& tx) -> Result<Booking> {
        const Instant now = parts_.clock.now();
        availability::Seats::lock_of(tx, id);
        const auto booking = Repository::lock(tx, id);
        if (!booking || booking->status == status::trash)
            return errc::booking_not_found;
        const Actor actor{.kind = "channel", .through = channel};
        if (auto changed = change(tx, *booking, status::cancelled, Cause::channel, actor, reason, now); !changed)
            return changed.error();
        if (booking->status != status::cancelled && !booking->amount_paid.is_zero())
            Repository::flag(tx, id, "cancelled by its channel after paying", now);
        return Repository::find(tx, id).value();
    });
}

std::optional<std::int64_t> Service::acting_user_of(store::Transaction& tx, const customers::Contact& contact,
                                                    std::int64_t trip_id, const api::Caller& caller) const {
    // An account whose address is not proven owns nothing: what it books is a guest's.
    const auto own = identity::is_proven(caller) ? std::optional(caller.user_id) : contact.user_id;
    const json::Value told = parts_.hooks.apply(acting_user, own.value_or(0), {trip_id, contact.email}, &tx);
    const std::string& number = told.number_text();
    std::int64_t named = 0;
    if (const auto [end, fault] = std::from_chars(number.data(), number.data() + number.size(), named);
        fault != std::errc() || end != number.data() + number.size())
        return own;
    if (named == 0)
        return std::nullopt;
    return named == own || Repository::has_user(tx, named) ? std::optional(named) : own;
}

std::string Service::address_digest(std::string_view email) {
    return crypto::sha256_hex(text::folded(email)).substr(0, 16);
}

Result<Service::Verified> Service::verify(const Verification::Proof& proof) {
    const std::int64_t id = proof.booking_id;
    return parts_.store.transact<Verified>([&](store::Transaction& tx) -> Result<Verified> {
        const Instant now = parts_.clock.now();
        availability::Seats::lock_of(tx, id);
        const auto booking = Repository::lock(tx, id);
        if (!booking || booking->status == status::trash)
            return errc::booking_not_found;
        if (address_digest(booking->email) != proof.digest)
            return errc::email_changed;
        // Late it still proves what nobody has proven yet, while the trip lies ahead; its seats may be gone by then.
        if (proof.is_late && (booking->status != status::pending_verification ||
                              booking->travel_date < parts_.settings.zone().date_at(now)))
            return errc::token_expired;
        // The link ends with the booking, as every secret of it does; it lengthens no other one.
        if (booking->status != status::pending_verification)
            return stands(booking->status) && Repository::particulars(tx, id).verified_at
                       ? Result<Verified>(Verified{*booking, true})
                       : Result<Verified>(Error{errc::conflict, "This booking no longer needs confirmation."});
        Repository::set_verified(tx, id, now);
        const Actor guest{.kind = "customer", .through = "link"};
        // The seats may have been given back meanwhile: then they are taken again, if there are any.
        if (auto changed = change(tx, *booking, status::pending, Cause::verification, guest, "address confirmed", now);
            !changed)
            return told_of_waitlist(tx, changed.error(), booking->trip_id, booking->travel_date,
                                    booking->departure_time, seats_of(*booking, parts_.settings));
        Booking after = Repository::find(tx, id).value();
        const bool confirms = parts_.confirms_new && parts_.confirms_new(tx, after);
        json::Value told = to_json(after);
        if (confirms)
            told.set("status", status::confirmed);
        parts_.hooks.emit(tx, email_verified, {id, told});
        if (confirms) {
            if (auto confirmed = change(tx, after, status::confirmed, Cause::payment,
                                        {.kind = "system", .through = "link"}, "made", now);
                !confirmed)
                return confirmed.error();
            after = Repository::find(tx, id).value();
        }
        return Verified{std::move(after), false};
    });
}

void Service::end_secrets(store::Transaction& tx, std::int64_t id, Instant now) {
    identity::tokens::revoke_all(tx, "booking", id, now);
    SessionRepository::expire_of_booking(tx, id, now);
}

std::int64_t Service::link_guest_bookings(std::int64_t user_id, std::string_view verified_email) {
    const auto waiting = parts_.store.reading<std::int64_t>(
        [&](store::Session& session) { return Repository::count_unowned(session, verified_email); });
    if (waiting == 0)
        return 0;
    std::int64_t linked = 0;
    const auto written = parts_.store.write([&](store::Transaction& tx) -> Result<void> {
        const Instant now = parts_.clock.now();
        customers::Service::own(tx, parts_.hooks, user_id, verified_email, now);
        linked = Repository::own(tx, user_id, verified_email, now);
        if (linked > 0)
            parts_.hooks.emit(tx, guest_bookings_linked, {user_id, linked});
        return {};
    });
    return written ? linked : 0;
}

}  // namespace svc::booking
