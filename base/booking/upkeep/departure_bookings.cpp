// Hands on to the service, and reads who travels.
#include "base/booking/upkeep/departure_bookings.hpp"

#include <map>

#include "base/booking/record/repository.hpp"

namespace svc::booking {
namespace {

// A member of what was asked about a traveler, else the contact's where the traveler leads.
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

}  // namespace

void DepartureBookings::follow(store::Transaction& tx, const std::vector<std::int64_t>& ids,
                               const availability::Departure& departure, Instant now) {
    for (const std::int64_t id : ids)
        service_.follow(tx, id, departure, now);
}

void DepartureBookings::flag(store::Transaction& tx, const std::vector<std::int64_t>& ids, std::string_view reason,
                             Instant now) {
    for (const std::int64_t id : ids)
        service_.flag(tx, id, reason, now);
}

void DepartureBookings::unflag(store::Transaction& tx, const std::vector<std::int64_t>& ids, std::string_view reason,
                               Instant now) {
    for (const std::int64_t id : ids)
        if (const auto booking = Repository::find(tx, id); booking && booking->attention_reason == reason)
            service_.unflag(tx, id, now);
}

bool DepartureBookings::may_promote(store::Transaction& tx, std::int64_t id) { return service_.may_promote(tx, id); }

void DepartureBookings::promoted(store::Transaction& tx, std::int64_t id, std::int64_t trip_id,
                                 std::int64_t departure_id, bool confirm, Instant now) {
    service_.promoted(tx, id, trip_id, departure_id, confirm, now);
}

bool DepartureBookings::cancel(std::int64_t id, std::string_view reason, std::optional<std::int64_t> user_id) {
    return service_.cancel_with_departure(id, reason, {.kind = "admin", .id = user_id, .through = "departure"});
}

std::vector<availability::Party> DepartureBookings::parties(store::Session& session, std::int64_t least,
                                                            std::int64_t most) const {
    std::map<std::int64_t, availability::Party> by_departure;
    for (const Passenger& passenger : Repository::passengers(session, least, most)) {
        const availability::Party nobody{passenger.departure_id, json::Value::array(), 0,
                                         Money::zero(passenger.paid.currency())};
        availability::Party& party = by_departure.try_emplace(passenger.departure_id, nobody).first->second;
        party.travelers.push(to_json(passenger));
        // What belongs to the booking is told with its lead.
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

}  // namespace svc::booking
