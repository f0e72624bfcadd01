// Requests follow their travelers: to another seat, or out of the booking.
#include <algorithm>
#include <set>

#include "pro/consent/requests.hpp"
#include "shared/core/text.hpp"

namespace svc::pro::consent {
namespace {

using Seat = std::pair<std::int64_t, std::int64_t>;  // form and place

constexpr const char* given_away = "The seat was given to another person.";

bool is_at(const ConsentRequest& request, const Party& party, std::int64_t index) {
    const std::string name = party.name_of(index);
    return !name.empty() && is_same_person(request.name, std::string(text::first(name, most_of_name)));
}

// Whether the one who was asked has lost the seat. While nobody is named there, or where the seat of a signature is
// gone, that one has it still, unless he or she sits elsewhere.
bool has_lost(const ConsentRequest& request, const Party& party) {
    const bool is_gone = !party.find(request.traveler_index);
    if (!is_gone && !party.name_of(request.traveler_index).empty())
        return !is_at(request, party, request.traveler_index);
    return (is_gone && request.is_open()) ||
           std::any_of(party.travelers.begin(), party.travelers.end(),
                       [&](const Traveler& each) { return is_at(request, party, each.index); });
}

// Where the person sits now, if nobody else's request of the form is there.
std::optional<std::int64_t> seat_of(const ConsentRequest& request, const Party& party, const std::set<Seat>& taken) {
    for (const Traveler& each : party.travelers)
        if (is_at(request, party, each.index) && !taken.contains({request.form_id, each.index}))
            return each.index;
    return std::nullopt;
}

void revoke_lost(store::Transaction& tx, const ConsentRequest& request, Instant now) {
    tx.run("UPDATE svc_consent_requests SET status = 'revoked', end_reason = :why, updated_at = :now WHERE id = :id",
           {{"id", request.id}, {"now", now}, {"why", why::replaced}});
    tx.run(
        "UPDATE svc_signed_consents SET status = 'revoked', revoked_at = :now, revoked_reason = :reason,"
        " updated_at = :now WHERE request_id = :id AND status = 'signed'",
        {{"id", request.id}, {"now", now}, {"reason", given_away}});
}

// In two steps: a seat has one request of a form at a time.
void move_all(store::Transaction& tx, const std::vector<std::pair<std::int64_t, std::int64_t>>& moves, Instant now) {
    constexpr std::int64_t beyond = 1'000'000;
    for (const auto& [id, seat] : moves)
        tx.run("UPDATE svc_consent_requests SET traveler_index = :seat, updated_at = :now WHERE id = :id",
               {{"id", id}, {"seat", seat + beyond}, {"now", now}});
    for (const auto& [id, seat] : moves)
        tx.run("UPDATE svc_consent_requests SET traveler_index = :seat WHERE id = :id", {{"id", id}, {"seat", seat}});
}

}  // namespace

void Requests::follow_party(std::int64_t booking_id, Instant now) {
    const bool has_any = site_.store.reading<bool>([&](store::Session& session) {
        return session.number(
                   "SELECT COUNT(*) FROM svc_consent_requests WHERE booking_id = :id AND traveler_index > 0"
                   " AND status <> 'revoked'",
                   {{"id", booking_id}}) > 0;
    });
    if (!has_any)
        return;
    const auto address = site_url();
    if (!address)
        throw std::runtime_error(address.error().message().english());
    const auto written = site_.store.write([&](store::Transaction& tx) -> Result<void> {
        auto requests = requests_of(tx, std::span(&booking_id, 1))[booking_id];
        std::erase_if(requests, [](const ConsentRequest& each) {
            return each.status == status::revoked || each.traveler_index == 0;
        });
        const auto party = requests.empty() ? std::nullopt : party_of(tx, booking_id);
        if (!party || party->has_ended())
            return {};
        std::set<Seat> taken;
        std::vector<ConsentRequest> lost, ended;
        // Of whoever sat there without a name nothing is known: that request stays, and keeps the seat from others.
        for (const ConsentRequest& each : requests)
            if (!each.name.empty() && has_lost(each, *party))
                lost.push_back(each);
            else
                taken.emplace(each.form_id, each.traveler_index);
        std::vector<std::pair<std::int64_t, std::int64_t>> moves;
        for (const ConsentRequest& each : lost)
            if (const auto seat = seat_of(each, *party, taken)) {
                taken.emplace(each.form_id, *seat);
                moves.emplace_back(each.id, *seat);
            } else {
                revoke_lost(tx, each, now);
                ended.push_back(each);
            }
        move_all(tx, moves, now);
        ask_new(tx, ended, *party, *address, now);
        return {};
    });
    if (!written)
        throw std::runtime_error(written.error().message().english());  // the event is delivered again
}

// Who has the seat now; whoever is asked already is not asked twice.
void Requests::ask_new(store::Transaction& tx, const std::vector<ConsentRequest>& ended, const Party& party,
                       const std::string& site_url, Instant now) const {
    if (ended.empty() || party.status != "confirmed" || party.end_of_trip(site_.zone()) <= now)
        return;
    const auto forms = published_forms(tx);
    for (const ConsentRequest& each : ended) {
        const auto form =
            std::find_if(forms.begin(), forms.end(), [&](const ConsentForm& one) { return one.id == each.form_id; });
        if (form != forms.end() && party.find(each.traveler_index))
            static_cast<void>(add(tx, *form, party, each.traveler_index, site_url, now));
    }
}

}  // namespace svc::pro::consent
