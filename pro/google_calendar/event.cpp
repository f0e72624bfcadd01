// Reads the views and writes events as the Calendar API takes them.
#include "pro/google_calendar/event.hpp"

#include <algorithm>

#include "pro/crypto/hmac.hpp"
#include "shared/core/arrival.hpp"
#include "shared/core/text.hpp"
#include "shared/mails/offered.hpp"
#include "shared/store/typed.hpp"

namespace svc::pro::google_calendar {
namespace {

using json::Value;
using mails::LanguageText;

const LanguageText booked_text{{"en", "Booked"}, {"de", "Gebucht"}, {"es", "Reservadas"}, {"fr", "Réservées"}};
const LanguageText waiting_text{
    {"en", "Waiting"}, {"de", "Auf der Warteliste"}, {"es", "En lista de espera"}, {"fr", "En liste d’attente"}};
const LanguageText guide_text{{"en", "Guide"}, {"de", "Reiseleitung"}, {"es", "Guía"}, {"fr", "Guide"}};
const LanguageText no_guide_text{
    {"en", "no guide yet"}, {"de", "noch keine"}, {"es", "aún sin asignar"}, {"fr", "pas encore de guide"}};
const LanguageText travelers_text{{"en", "Travelers"}, {"de", "Reisende"}, {"es", "Viajeros"}, {"fr", "Voyageurs"}};

constexpr std::size_t longest_title = 300;

// Google's numbers of colours: sage, banana, tangerine, tomato.
const char* colour_of(std::int64_t booked, std::int64_t capacity) {
    if (booked >= capacity)
        return "11";
    if (booked * 4 >= capacity * 3)
        return "6";
    return booked > 0 ? "5" : "2";
}

struct Departure {
    std::int64_t trip_id = 0;
    std::string trip;
    Date start_date, end_date;
    std::optional<ClockTime> start_time, arrival_time;
    std::int64_t capacity = 0, booked = 0, waiting = 0;
    std::string status;
    std::optional<std::int64_t> guide_id, hours;
    std::string place;
    std::optional<Instant> deleted_at, trip_deleted_at;
};

struct Booking {
    std::string reference, trip, status;
    Date first, last;
    std::optional<ClockTime> time;
    std::int64_t travelers = 0;
    std::string first_name, last_name, email;
    std::optional<std::int64_t> hours;
};

// When something takes place: whole days, or times that are shown in the zone of the site.
struct Span {
    Date first, last;
    std::optional<ClockTime> starts, arrives;
    std::optional<std::int64_t> hours;
};

Value moment(Date day, ClockTime time, const Zone& zone) {
    return Value::object({{"dateTime", day.text() + "T" + time.text() + ":00"}, {"timeZone", zone.name()}});
}

void set_times(Value& event, const Span& span, const Zone& zone) {
    if (!span.starts) {
        event.set("start", Value::object({{"date", span.first}}));
        event.set("end", Value::object({{"date", span.last.plus_days(1)}}));  // Google's end is exclusive
        return;
    }
    event.set("start", moment(span.first, *span.starts, zone));
    if (span.arrives) {
        event.set("end", moment(arrival_day(span.first, span.last, span.starts, span.arrives), *span.arrives, zone));
    } else if (span.hours && span.first == span.last) {
        const auto ends = zone.instant_of(span.first, *span.starts).plus(std::chrono::hours(*span.hours));
        event.set("end", moment(zone.date_at(ends), zone.time_at(ends), zone));
    } else {
        event.set("end", moment(span.last.plus_days(1), ClockTime::from_minutes(0), zone));
    }
}

void set_reminders(Value& event, const Wishes& wishes) {
    constexpr std::int64_t minutes_a_day = 24 * 60;
    Value overrides = Value::array();
    for (const std::int64_t day : wishes.reminder_days)
        overrides.push(Value::object({{"method", "popup"}, {"minutes", day * minutes_a_day}}));
    event.set("reminders", Value::object({{"useDefault", false}, {"overrides", std::move(overrides)}}));
}

// confirmed: an event that was deleted comes back by it.
Value new_event(std::string summary, std::string description, const Wishes& wishes) {
    Value event = Value::object({{"status", "confirmed"},
                                 {"summary", std::string(text::first(summary, longest_title))},
                                 {"description", std::move(description)}});
    set_reminders(event, wishes);
    return event;
}

std::optional<Departure> departure(store::Session& session, std::int64_t id) {
    return store::first_struct<Departure, std::int64_t, std::string, Date, Date, std::optional<ClockTime>,
                               std::optional<ClockTime>, std::int64_t, std::int64_t, std::int64_t, std::string,
                               std::optional<std::int64_t>, std::optional<std::int64_t>, std::string,
                               std::optional<Instant>, std::optional<Instant>>(
        session,
        "SELECT d.trip_id, t.title, d.start_date, COALESCE(d.return_date, d.end_date), d.start_time, d.arrival_time, "
        "d.capacity,"
        " d.booked_count, d.waiting_seats, d.status, d.guide_user_id, t.duration_hours,"
        " CASE WHEN d.pickup_location <> '' THEN d.pickup_location WHEN d.from_location <> '' THEN d.from_location"
        " ELSE COALESCE(t.starting_location, '') END, d.deleted_at, t.deleted_at"
        " FROM svc_departure_v1 d JOIN svc_trip_v2 t ON t.id = d.trip_id WHERE d.id = :id",
        {{"id", id}});
}

std::optional<Booking> booking(store::Session& session, std::int64_t id) {
    return store::first_struct<Booking, std::string, std::string, std::string, Date, Date, std::optional<ClockTime>,
                               std::int64_t, std::string, std::string, std::string, std::optional<std::int64_t>>(
        session,
        "SELECT b.reference, COALESCE(t.title, ''), b.status, b.travel_date, b.end_date, b.departure_time,"
        " b.travelers_count, c.contact_first_name, c.contact_last_name, c.contact_email, t.duration_hours"
        " FROM svc_booking_v2 b JOIN svc_booking_v1 c ON c.id = b.id LEFT JOIN svc_trip_v2 t ON t.id = b.trip_id"
        " WHERE b.id = :id",
        {{"id", id}});
}

std::string guide_of(const Basis& basis, const Departure& departure) {
    if (departure.guide_id)
        for (const auto& [id, name] : basis.guides)
            if (id == *departure.guide_id)
                return name;
    return mails::text_for(no_guide_text, basis.wishes.language);
}

std::string when_of(Date day, const std::optional<ClockTime>& time) {
    return day.text() + (time ? " " + time->text() : std::string());
}

Plan plan_of_departure(store::Session& session, const Basis& basis, std::int64_t id) {
    const auto found = departure(session, id);
    if (!found)
        return {};
    const Departure& d = *found;
    Plan plan{.title = d.trip, .day = when_of(d.start_date, d.start_time)};
    if (!basis.wishes.departures || d.deleted_at || d.trip_deleted_at || d.status == "cancelled" || d.status == "trash")
        return plan;
    const auto say = [&](const LanguageText& text) { return mails::text_for(text, basis.wishes.language); };
    const std::string load = std::to_string(d.booked) + "/" + std::to_string(d.capacity);
    std::string description = say(booked_text) + ": " + load;
    if (d.waiting > 0)
        description += "\n" + say(waiting_text) + ": " + std::to_string(d.waiting);
    description += "\n" + say(guide_text) + ": " + guide_of(basis, d);
    if (!basis.admin_address.empty())
        description +=
            "\n" + basis.admin_address + "/departures/" + std::to_string(d.trip_id) + "/" + std::to_string(id);
    plan.event = new_event(d.trip + " (" + load + ")", std::move(description), basis.wishes);
    set_times(plan.event,
              {.first = d.start_date,
               .last = d.end_date,
               .starts = d.start_time,
               .arrives = d.arrival_time,
               .hours = d.hours},
              basis.zone);
    if (!d.place.empty())
        plan.event.set("location", d.place);
    plan.event.set("colorId", colour_of(d.booked, d.capacity));
    plan.is_put = true;
    plan.is_over = d.end_date < basis.today;
    return plan;
}

Plan plan_of_booking(store::Session& session, const Basis& basis, std::int64_t id) {
    const auto found = booking(session, id);
    if (!found)
        return {};
    const Booking& b = *found;
    Plan plan{.title = b.reference, .day = when_of(b.first, b.time)};
    if (!basis.wishes.bookings || (b.status != "confirmed" && b.status != "completed"))
        return plan;
    const Wishes& wishes = basis.wishes;
    std::string summary = b.reference + " · " + b.trip;
    std::string name = b.first_name;
    if (!b.last_name.empty())
        name += (name.empty() ? "" : " ") + b.last_name;
    if (wishes.names_contacts && !name.empty())
        summary += " · " + name;
    std::string description = mails::text_for(travelers_text, wishes.language) + ": " + std::to_string(b.travelers);
    if (!basis.admin_address.empty())
        description += "\n" + basis.admin_address + "/bookings/" + std::to_string(id);
    plan.event = new_event(std::move(summary), std::move(description), wishes);
    set_times(plan.event, {.first = b.first, .last = b.last, .starts = b.time, .arrives = {}, .hours = b.hours},
              basis.zone);
    if (wishes.names_contacts && wishes.invites && !b.email.empty())
        plan.event.set("attendees", Value::array({Value::object({{"email", b.email}})}));
    plan.is_put = true;
    plan.is_over = b.last < basis.today;
    return plan;
}

}  // namespace

Plan plan_of(store::Session& session, const Basis& basis, const Subject& subject) {
    return subject.kind == booking_kind ? plan_of_booking(session, basis, subject.id)
                                        : plan_of_departure(session, basis, subject.id);
}

std::string event_id(const std::string& uid, const Subject& subject) {
    return "svc" + uid + (subject.kind == booking_kind ? "b" : "d") + std::to_string(subject.id);
}

std::string fingerprint_of(const Value& event) { return crypto::sha256_hex(event.dump()); }

}  // namespace svc::pro::google_calendar
