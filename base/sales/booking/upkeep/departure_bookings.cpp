// Changes bookings when their departure moves, ends or has seats for its waitlist; lists its travelers.
#include "base/sales/booking/upkeep/departure_bookings.hpp"

#include <map>

#include "base/sales/booking/record/changes.hpp"
#include "base/sales/booking/record/deadline.hpp"
#include "base/sales/booking/record/hooks.hpp"
#include "base/sales/booking/record/locks.hpp"
#include "base/sales/booking/record/repository.hpp"
#include "base/sales/booking/record/seats.hpp"
#include "base/sales/booking/record/wire.hpp"
#include "base/sales/booking/upkeep/repository.hpp"

namespace svc::booking {
namespace {

// A traveler's answer, or the contact's for the lead.
json::Value answer(const Passenger& passenger, const char* name, const std::string& contact) {
    if (const json::Value* given = passenger.fields.find(name); given && given->is_string() && !given->text().empty())
        return *given;
    return passenger.is_lead ? json::Value(contact) : json::Value("");
}

json::Value to_json(const Passenger& passenger) {
    return json::Value::object({{"id", passenger.traveler_id},
                                {"booking_id", passenger.booking_id},
                                {"booking_reference", passenger.reference},
                                {"is_lead", passenger.is_lead},
                                {"first_name", answer(passenger, "first_name", passenger.first_name)},
                                {"last_name", answer(passenger, "last_name", passenger.last_name)},
                                {"email", answer(passenger, "email", passenger.email)},
                                {"phone", answer(passenger, "phone", passenger.phone)}});
}

constexpr Actor nobody{.kind = "system", .id = {}, .through = "job"};

// Whether changes of its dates no longer matter.
bool is_over(const Booking& booking) {
    return booking.status == status::cancelled || booking.status == status::trash ||
           booking.status == status::refunded || booking.status == status::failed;
}

}  // namespace

void DepartureBookings::follow(store::Transaction& tx, const std::vector<std::int64_t>& ids,
                               const availability::Departure& departure, Instant now) {
    for (const std::int64_t id : ids)
        follow_one(tx, id, departure, now);
}

void DepartureBookings::flag(store::Transaction& tx, const std::vector<std::int64_t>& ids, std::string_view reason,
                             Instant now) {
    for (const std::int64_t id : ids)
        Repository::flag(tx, id, reason, now);
}

void DepartureBookings::unflag(store::Transaction& tx, const std::vector<std::int64_t>& ids, std::string_view reason,
                               Instant now) {
    for (const std::int64_t id : ids)
        if (const auto booking = Repository::find(tx, id); booking && booking->attention_reason == reason)
            Repository::unflag(tx, id, now);
}

std::vector<availability::Party> DepartureBookings::parties(store::Session& session, std::int64_t least,
                                                            std::int64_t most) const {
    std::map<std::int64_t, availability::Party> by_departure;
    for (const Passenger& passenger : UpkeepRepository::passengers(session, least, most)) {
        const availability::Party nobody{passenger.departure_id, json::Value::array(), 0,
                                         Money::zero(passenger.paid.currency())};
        availability::Party& party = by_departure.try_emplace(passenger.departure_id, nobody).first->second;
        party.travelers.push(to_json(passenger));
        // Data of the booking is shown with its lead.
        if (!passenger.is_lead)
            continue;
        party.people += passenger.party;
        if (passenger.paid.currency() == party.paid.currency())
            party.paid = party.paid + passenger.paid;
    }
    std::vector<availability::Party> parties;
    parties.reserve(by_departure.size());
    for (auto& [id, party] : by_departure)
        parties.push_back(std::move(party));
    return parties;
}

void DepartureBookings::follow_one(store::Transaction& tx, std::int64_t id, const availability::Departure& departure,
                                   Instant now) {
    const auto before = Repository::lock(tx, id);
    if (!before || is_over(*before))
        return;
    Repository::reschedule(tx, id, departure.start_date, departure.end_date, departure.time,
                           departure_of(parts_.settings, departure.start_date, departure.time), now);
    const Booking after = Repository::find(tx, id).value();
    log_changes(tx, *before, after, {.kind = "admin", .id = departure.updated_by, .through = "departure"}, now);
    parts_.hooks.emit(tx, booking_updated, {id});
    parts_.hooks.emit(tx, booking_rescheduled, {id, to_json(after), before->travel_date});
}

bool DepartureBookings::may_promote(store::Transaction& tx, std::int64_t id) {
    return parts_.hooks.apply(booking::may_promote, true, {id}, &tx).boolean();
}

void DepartureBookings::promoted(store::Transaction& tx, std::int64_t id, std::int64_t trip_id,
                                 std::int64_t departure_id, bool confirm, Instant now) {
    const Booking before = Repository::lock(tx, id).value();
    const std::string_view to = confirm ? status::confirmed : status::pending;
    if (auto done = lifecycle_.change(tx, before, to, Cause::promotion, nobody, "promoted from the waitlist", now);
        !done)
        throw std::logic_error("a booking waits that is not on the waitlist: " + before.status);
    Booking after = Repository::find(tx, id).value();
    // Nothing is due: it gets the status it would have had without the waitlist.
    if (!confirm && after.balance().is_zero() && ports_.gateways && ports_.gateways->confirms_new(tx, after)) {
        if (auto done = lifecycle_.change(tx, after, status::confirmed, Cause::payment, nobody, "made", now); !done)
            throw std::logic_error("a promoted booking cannot be confirmed: " + after.status);
        after = Repository::find(tx, id).value();
    }
    parts_.hooks.emit(tx, waitlist_promoted, {id, trip_id, departure_id, after.status, to_json(after)});
}

bool DepartureBookings::cancel(std::int64_t id, std::string_view reason, std::optional<std::int64_t> user_id) {
    const Actor actor{.kind = "admin", .id = user_id, .through = "departure"};
    const auto written = parts_.store.write([&](store::Transaction& tx) -> Result<void> {
        const auto booking = lock_with_seats(tx, id);
        const Instant now = parts_.clock.now();
        if (!booking || is_over(*booking))
            return errc::invalid_transition;
        if (auto changed = lifecycle_.change(tx, *booking, status::cancelled, Cause::staff, actor, reason, now);
            !changed)
            return changed;
        // A booking with payments needs a person.
        if (booking->amount_paid.is_zero())
            Repository::unflag(tx, id, now);
        return {};
    });
    return static_cast<bool>(written);
}

}  // namespace svc::booking
