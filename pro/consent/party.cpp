// Reads bookings by the views of the base.
#include "pro/consent/party.hpp"

#include <algorithm>

#include "shared/core/email.hpp"
#include "shared/core/text.hpp"
#include "shared/core/words.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::pro::consent {
namespace {

using json::Value;

std::string full_name(const std::string& first, const std::string& last) {
    return first.empty() ? last : last.empty() ? first : first + " " + last;
}

std::string text_in(const Value& answers, const char* name) {
    const Value& answer = answers[name];
    return answer.is_string() ? text::clean(answer.text()) : std::string();
}

std::string name_in(const Value& answers) {
    std::string name = full_name(text_in(answers, "first_name"), text_in(answers, "last_name"));
    for (const char* other : {"name", "full_name"})
        if (name.empty())
            name = text_in(answers, other);
    return name;
}

void take_traveler(Party& party, std::int64_t index, bool is_lead, const std::string& fields) {
    const auto answers = json::parse(fields);
    if (index < 1 || index > std::ssize(party.travelers) || !answers)
        return;
    Traveler& traveler = party.travelers[static_cast<std::size_t>(index - 1)];
    traveler.is_lead = is_lead;
    traveler.name = name_in(*answers);
    if (std::string email = text_in(*answers, "email"); is_email(email))
        traveler.email = std::move(email);
    traveler.birth = Date::parse(text_in(*answers, "date_of_birth"));
}

}  // namespace

bool Party::has_ended() const {
    return status == "cancelled" || status == "refunded" || status == "failed" || status == "trash";
}

Instant Party::end_of_trip(const Zone& zone) const {
    return zone.instant_of(std::max(travel_date, end_date).plus_days(1), ClockTime());
}

const Traveler* Party::find(std::int64_t index) const {
    const auto found =
        std::find_if(travelers.begin(), travelers.end(), [&](const Traveler& each) { return each.index == index; });
    return found == travelers.end() ? nullptr : &*found;
}

std::string Party::name_of(std::int64_t index) const {
    if (index == 0)
        return contact_name;
    const Traveler* traveler = find(index);
    // The lead traveler is the contact until somebody says otherwise.
    return !traveler ? std::string() : traveler->name.empty() && index == 1 ? contact_name : traveler->name;
}

std::string Party::email_of(std::int64_t index) const {
    const Traveler* traveler = find(index);
    return traveler && !traveler->email.empty() ? traveler->email : contact_email;
}

std::optional<bool> Party::is_minor(std::int64_t index, std::int64_t adult_age) const {
    if (index == 0)
        return false;
    const Traveler* traveler = find(index);
    constexpr int latest_year = 9900;  // within the calendar when the years are added
    if (!traveler || !traveler->birth || traveler->birth->year() > latest_year)
        return std::nullopt;
    return traveler->birth->plus_months(static_cast<int>(12 * adult_age)) > travel_date;
}

std::vector<std::int64_t> Party::asked_by(const ConsentForm& form) const {
    if (form.send_to == "primary_contact")
        return {0};
    std::vector<std::int64_t> indexes;
    if (form.send_to == "lead_traveler") {
        const auto lead =
            std::find_if(travelers.begin(), travelers.end(), [](const Traveler& each) { return each.is_lead; });
        indexes.push_back(lead == travelers.end() ? 1 : lead->index);
        return indexes;
    }
    for (const Traveler& each : travelers)
        indexes.push_back(each.index);
    return indexes;
}

std::optional<Party> party_of(store::Session& session, std::int64_t booking_id) {
    auto found = parties_of(session, std::span(&booking_id, 1));
    return found.empty() ? std::nullopt : std::optional(std::move(found.front()));
}

std::vector<Party> parties_of(store::Session& session, std::span<const std::int64_t> booking_ids) {
    static constexpr auto bookings = SVC_BY_IDS(
        "SELECT b.id, b.reference, b.status, b.trip_id, COALESCE(t.title, ''), b.travel_date,"
        " COALESCE(b.end_date, b.travel_date), b.departure_time, b.travelers_count, COALESCE(v.locale, ''),"
        " COALESCE(c.contact_first_name, ''), COALESCE(c.contact_last_name, ''), COALESCE(c.contact_email, '')"
        " FROM svc_booking_v2 b JOIN svc_booking_v1 c ON c.id = b.id"
        " JOIN svc_booking_travel_v1 v ON v.booking_id = b.id LEFT JOIN svc_trip_v1 t ON t.id = b.trip_id WHERE",
        "b.id", "ORDER BY b.id");
    static constexpr auto travelers =
        SVC_BY_IDS("SELECT booking_id, traveler_index, is_lead, fields FROM svc_traveler_v1 WHERE", "booking_id",
                   "ORDER BY booking_id, traveler_index");
    std::vector<Party> all;
    store::each_row_of(
        session, bookings, booking_ids,
        [&](std::int64_t id, const std::string& reference, const std::string& status,
            std::optional<std::int64_t> trip_id, const std::string& title, Date begin, Date end,
            std::optional<ClockTime> time, std::int64_t count, const std::string& locale, const std::string& first,
            const std::string& last, const std::string& email) {
            Party party{.booking_id = id,
                        .reference = reference,
                        .status = status,
                        .trip_id = trip_id,
                        .trip_title = title,
                        .travel_date = begin,
                        .end_date = end,
                        .departure_time = time,
                        .travelers_count = count,
                        .locale = locale,
                        .contact_name = full_name(first, last),
                        .contact_email = email};
            for (std::int64_t index = 1; index <= std::max<std::int64_t>(1, count); ++index)
                party.travelers.push_back({.index = index, .is_lead = index == 1, .name = {}, .email = {}});
            all.push_back(std::move(party));
        });
    store::each_row_of(session, travelers, booking_ids,
                       [&](std::int64_t booking_id, std::int64_t index, bool is_lead, const std::string& fields) {
                           const auto party = std::find_if(all.begin(), all.end(), [&](const Party& each) {
                               return each.booking_id == booking_id;
                           });
                           if (party != all.end())
                               take_traveler(*party, index, is_lead, fields);
                       });
    return all;
}

bool is_same_person(const std::string& one, const std::string& other) {
    return text::search_key(one) == text::search_key(other);
}

}  // namespace svc::pro::consent
