// Reads bookings by the views of the base.
#include "pro/consent/party.hpp"

#include <algorithm>

#include "shared/core/email.hpp"
#include "shared/core/text.hpp"
#include "shared/store/typed.hpp"

namespace svc::pro::consent {
namespace {

using json::Value;

std::string joined(const std::string& first, const std::string& last) {
    return first.empty() ? last : last.empty() ? first : first + " " + last;
}

std::string text_in(const Value& answers, const char* name) {
    const Value& answer = answers[name];
    return answer.is_string() ? text::clean(answer.text()) : std::string();
}

std::string name_in(const Value& answers) {
    std::string name = joined(text_in(answers, "first_name"), text_in(answers, "last_name"));
    for (const char* other : {"name", "full_name"})
        if (name.empty())
            name = text_in(answers, other);
    return name;
}

std::vector<Traveler> travelers_of(store::Session& session, std::int64_t booking_id, std::int64_t count) {
    std::vector<Traveler> all;
    for (std::int64_t index = 1; index <= count; ++index)
        all.push_back({.index = index, .is_lead = index == 1, .name = {}, .email = {}});
    for (const auto& [index, is_lead, fields] : store::tuples<std::int64_t, bool, std::string>(
             session,
             "SELECT traveler_index, is_lead, fields FROM svc_traveler_v1 WHERE booking_id = :id"
             " ORDER BY traveler_index",
             {{"id", booking_id}})) {
        const auto answers = json::parse(fields);
        if (index < 1 || index > count || !answers)
            continue;
        Traveler& traveler = all[static_cast<std::size_t>(index - 1)];
        traveler.is_lead = is_lead;
        traveler.name = name_in(*answers);
        if (std::string email = text_in(*answers, "email"); is_email(email))
            traveler.email = std::move(email);
        traveler.birth = Date::parse(text_in(*answers, "date_of_birth"));
    }
    return all;
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
    const auto row =
        store::tuple<std::string, std::string, std::optional<std::int64_t>, std::string, Date, Date,
                     std::optional<ClockTime>, std::int64_t, std::string, std::string, std::string, std::string>(
            session,
            "SELECT b.reference, b.status, b.trip_id, COALESCE(t.title, ''), b.travel_date,"
            " COALESCE(b.end_date, b.travel_date), b.departure_time, b.travelers_count, COALESCE(v.locale, ''),"
            " COALESCE(c.contact_first_name, ''), COALESCE(c.contact_last_name, ''), COALESCE(c.contact_email, '')"
            " FROM svc_booking_v2 b JOIN svc_booking_v1 c ON c.id = b.id"
            " JOIN svc_booking_travel_v1 v ON v.booking_id = b.id LEFT JOIN svc_trip_v1 t ON t.id = b.trip_id"
            " WHERE b.id = :id",
            {{"id", booking_id}});
    if (!row)
        return std::nullopt;
    const auto& [reference, status, trip_id, title, begin, end, time, count, locale, first, last, email] = *row;
    return Party{.booking_id = booking_id,
                 .reference = reference,
                 .status = status,
                 .trip_id = trip_id,
                 .trip_title = title,
                 .travel_date = begin,
                 .end_date = end,
                 .departure_time = time,
                 .travelers_count = count,
                 .locale = locale,
                 .contact_name = joined(first, last),
                 .contact_email = email,
                 .travelers = travelers_of(session, booking_id, std::max<std::int64_t>(1, count))};
}

}  // namespace svc::pro::consent
