// The actions and filters that bookings fire.
#pragma once

#include "shared/hooks/hooks.hpp"

namespace svc::booking {

inline const hooks::Action booking_created{
    "svc_booking_created",
    "3.0.0",
    "A booking was made, by a visitor or by staff. Not fired again when the same session is sent twice.",
    {"booking_id", "booking"}};
inline const hooks::Action booking_updated{
    "svc_booking_updated", "3.0.0", "A booking's record changed, its status included.", {"booking_id"}};
inline const hooks::Action booking_status_changed{
    "svc_booking_status_changed",
    "3.0.0",
    "A booking passed from one status to another, whoever caused it. Not fired when the same status is set again.",
    {"booking_id", "old_status", "new_status"}};
inline const hooks::Action booking_confirmed{
    "svc_booking_confirmed",
    "3.0.0",
    "A booking reached confirmed, by staff or by a payment. Not fired when one is restored.",
    {"booking_id", "booking"}};
inline const hooks::Action booking_cancelled{
    "svc_booking_cancelled",
    "3.0.0",
    "A booking reached cancelled, whoever caused it; once for each time it does. Not fired when one is restored.",
    {"booking_id", "booking"}};
inline const hooks::Action booking_rescheduled{
    "svc_booking_rescheduled",
    "3.0.0",
    "Staff moved a departure, and this booking's days moved with it. Not fired for cancelled and trashed bookings.",
    {"booking_id", "booking", "old_date"}};
inline const hooks::Action waitlist_promoted{
    "svc_waitlist_booking_promoted",
    "3.0.0",
    "A booking got its seats from the waitlist; new_status is pending or confirmed. Not fired when staff took it out.",
    {"booking_id", "trip_id", "departure_id", "new_status", "booking"}};
inline const hooks::Action booking_deleted{
    "svc_booking_deleted", "3.0.0", "A booking is being moved to the trash.", {"booking_id"}};
inline const hooks::Action trip_added_to_session{"svc_trip_added_to_session",
                                                 "3.0.0",
                                                 "A checkout session was opened for a trip or turned to another one.",
                                                 {"trip_id", "session_id"}};

inline const hooks::Filter may_promote{
    "svc_waitlist_before_promote_booking",
    "3.0.0",
    "Whether the head of the waitlist gets the seats that became free; false keeps them free and everybody waiting.",
    json::Kind::boolean,
    {"booking_id"}};

inline void declare_hooks(hooks::Hooks& hooks) {
    hooks.declare(may_promote);
    for (const hooks::Action& action :
         {booking_created, booking_updated, booking_status_changed, booking_confirmed, booking_cancelled,
          booking_rescheduled, waitlist_promoted, booking_deleted, trip_added_to_session})
        hooks.declare(action);
}

}  // namespace svc::booking
