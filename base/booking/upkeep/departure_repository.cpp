// SQL of bookings by the departure they are on.
#include "base/booking/record/repository.hpp"

namespace svc::booking {

void Repository::reschedule(store::Transaction& tx, std::int64_t id, Date start, Date end,
                            std::optional<ClockTime> time, Instant now) {
    tx.run(
        "UPDATE svc_bookings SET travel_date = :start, end_date = :end, departure_time = :time,"
        " reminder_sent_at = CASE WHEN travel_date = :start THEN reminder_sent_at ELSE NULL END, row_version = "
        "row_version + 1, updated_at = :now WHERE id = :id",
        {{"start", start}, {"end", end}, {"time", time}, {"now", now}, {"id", id}});
}

std::vector<Passenger> Repository::passengers(store::Session& session, std::int64_t least, std::int64_t most) {
    return session.all<Passenger>(
        "SELECT l.departure_id, b.id, t.id, COALESCE(t.is_lead, 1), b.reference, b.contact_first_name,"
        " b.contact_last_name, b.contact_email, b.contact_phone, COALESCE(t.fields, '{}'), b.travelers_count,"
        " b.amount_paid_minor, b.currency"
        " FROM svc_booking_departures l JOIN svc_bookings b ON b.id = l.booking_id"
        " LEFT JOIN svc_booking_travelers t ON t.booking_id = b.id"
        " WHERE l.departure_id BETWEEN :least AND :most AND l.released_at IS NULL"
        " ORDER BY l.departure_id, b.id, t.traveler_index",
        "iiiittttttiit", {{"least", least}, {"most", most}}, [](const store::Row& row) {
            return Passenger{.departure_id = row.integer(0),
                             .booking_id = row.integer(1),
                             .traveler_id = row.maybe_integer(2),
                             .is_lead = row.flag(3),
                             .reference = row.text(4),
                             .first_name = row.text(5),
                             .last_name = row.text(6),
                             .email = row.text(7),
                             .phone = row.text(8),
                             .fields = json::parse(row.text(9)).value(),
                             .party = row.integer(10),
                             .paid = Money{row.integer(11), Currency::parse(row.text(12)).value()}};
        });
}

}  // namespace svc::booking
