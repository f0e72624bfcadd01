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
inline const hooks::Action booking_deleted{
    "svc_booking_deleted", "3.0.0", "A booking is being moved to the trash.", {"booking_id"}};
inline const hooks::Action trip_added_to_session{"svc_trip_added_to_session",
                                                 "3.0.0",
                                                 "A checkout session was opened for a trip or turned to another one.",
                                                 {"trip_id", "session_id"}};

inline void declare_hooks(hooks::Hooks& hooks) {
    for (const hooks::Action& action : {booking_created, booking_updated, booking_status_changed, booking_confirmed,
                                        booking_cancelled, booking_deleted, trip_added_to_session})
        hooks.declare(action);
}

}  // namespace svc::booking
