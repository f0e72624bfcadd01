// A booking as one event for its guest's own calendar.
#include "base/platform/ical/ical.hpp"
#include "base/platform/texts/texts.hpp"
#include "base/sales/booking/record/meeting.hpp"
#include "base/sales/documents/service.hpp"

namespace svc::documents {
namespace {

std::string host_in(std::string_view address) {
    const auto scheme = address.find("://");
    if (scheme != std::string_view::npos)
        address.remove_prefix(scheme + 3);
    return std::string(address.substr(0, address.find_first_of(":/")));
}

}  // namespace

// Times on the site's clock. Without a known arrival it ends after the trip's hours, else with its last day.
Result<std::string> Service::calendar(std::int64_t booking_id) {
    SVC_ASSIGN_OR_RETURN(const auto material, read({.booking_id = booking_id, .pro_forma = true}));
    const booking::Booking& booking = material.booking;
    if (booking.status == booking::status::trash)
        return errc::booking_not_found;
    const Zone zone = parts_.settings.zone();
    ical::Event event{
        .uid = booking.reference + "@" + host_in(parts_.site_address),
        .summary = booking.trip_title,
        .description =
            texts::bundled().say(booking.locale, "site", "Booking {reference}", {{"reference", booking.reference}}),
        .url = parts_.site_address + "/" + parts_.settings.text("booking_base") + "/confirmation/" + booking.reference,
        .first = booking.travel_date,
        .last = booking.end_date,
        .cancelled = !booking::is_active(booking.status),
        .sequence = booking.row_version,
        .changed = booking.updated_at};
    event.location =
        parts_.store
            .reading<booking::Meeting>([&](store::Session& session) { return booking::meeting_of(session, booking); })
            .place;
    if (const auto& time = booking.departure_time) {
        event.starts = zone.instant_of(booking.travel_date, *time);
        const auto arrival = arrival_of(material);
        const bool is_one_day = booking.end_date == booking.travel_date;
        if (arrival)
            event.ends = zone.instant_of(booking.end_date.plus_days(is_one_day && *arrival < *time ? 1 : 0), *arrival);
        else if (is_one_day && material.trip && material.trip->duration_hours)
            event.ends = event.starts->plus(std::chrono::hours(*material.trip->duration_hours));
        else
            event.ends = zone.instant_of(booking.end_date.plus_days(1), ClockTime::from_minutes(0));
    }
    return ical::text_of({.events = {std::move(event)}});
}

}  // namespace svc::documents
