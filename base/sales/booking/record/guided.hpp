// The condition of SQL that limits a list to the bookings of one guide.
#pragma once

namespace svc::booking {

// The seats of the booking are on a departure that the user :guide guides.
#define SVC_GUIDED_OF(booking_id)                                                  \
    " " booking_id                                                                 \
    " IN (SELECT l.booking_id FROM svc_departures d JOIN svc_booking_departures l" \
    " ON l.departure_id = d.id AND l.released_at IS NULL WHERE d.guide_user_id = :guide)"
// The same of the booking b.
#define SVC_GUIDED SVC_GUIDED_OF("b.id")
#define SVC_AND_GUIDED " AND" SVC_GUIDED

}  // namespace svc::booking
