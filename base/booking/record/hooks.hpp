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
inline const hooks::Action booking_expired{
    "svc_booking_expired",
    "3.0.0",
    "An unpaid booking was cancelled because its time to pay was over; svc_booking_cancelled follows.",
    {"booking_id", "booking"}};
inline const hooks::Action booking_completed{
    "svc_booking_completed",
    "3.0.0",
    "A booking reached completed, by staff or the day after its last. Not fired when one is restored.",
    {"booking_id", "booking"}};
inline const hooks::Action email_verified{
    "svc_booking_email_verified",
    "3.0.0",
    "A guest followed the mailed link: the address is theirs and the booking is as any other from now on.",
    {"booking_id", "booking"}};
inline const hooks::Action verification_asked{
    "svc_booking_verification_asked",
    "3.0.0",
    "Staff changed a guest's address before it was proven: a link goes to the new one. Not fired when one is made.",
    {"booking_id", "booking"}};
inline const hooks::Action reminder_due{"svc_booking_reminder_due",
                                        "3.0.0",
                                        "The trip of a booking begins in so many days. Once for each travel date.",
                                        {"booking_id", "booking", "days"}};
inline const hooks::Action payment_due{"svc_booking_payment_due",
                                       "3.0.0",
                                       "An unpaid booking must be paid in so many days; at most once for each of the"
                                       " gateway's reminder days.",
                                       {"booking_id", "booking", "days", "due_date"}};
inline const hooks::Action guest_bookings_linked{
    "svc_guest_bookings_linked",
    "3.0.0",
    "Bookings that a user made as a guest, by the address now proven, have become their own.",
    {"user_id", "count"}};
inline const hooks::Action booking_rescheduled{
    "svc_booking_rescheduled",
    "3.0.0",
    "Staff moved this booking, or the departure it is on, to other days. Not fired for cancelled and trashed ones.",
    {"booking_id", "booking", "old_date"}};
inline const hooks::Action waitlist_promoted{
    "svc_waitlist_booking_promoted",
    "3.0.0",
    "A booking got its seats from the waitlist; new_status is pending or confirmed. Not fired when staff took it out.",
    {"booking_id", "trip_id", "departure_id", "new_status", "booking"}};
inline const hooks::Action booking_deleted{
    "svc_booking_deleted",
    "3.0.0",
    "A booking is being moved to the trash, and once more when it is deleted for good; with the whole record as it was."
    " Answers about health and papers are left out.",
    {"booking_id", "booking"}};
inline const hooks::Action trip_added_to_session{"svc_trip_added_to_session",
                                                 "3.0.0",
                                                 "A checkout session was opened for a trip or turned to another one.",
                                                 {"trip_id", "session_id"}};

inline const hooks::Action save_services{
    "svc_booking_save_services",
    "3.0.0",
    "What a booking buys besides was written, with the booking or when it was priced anew. Not fired without services.",
    {"booking_id", "services"}};

inline const hooks::Filter acting_user{
    "svc_user_id",
    "3.0.0",
    "The user whose own a visitor's booking becomes: who is signed in, or the account made with it, 0 for a guest's."
    " A number that no user has counts for nothing. Not asked for staff's bookings.",
    json::Kind::number,
    {"trip_id", "email"}};
inline const hooks::Filter services_kept{
    "svc_booking_services_kept",
    "3.0.0",
    "What a booking buys besides, in the transaction that writes it: who sells services keeps rows of them.",
    json::Kind::array,
    {"booking_id"},
    R"([{}])"};
inline const hooks::Filter get_services{
    "svc_booking_get_services", "3.0.0",        "What a booking bought besides, as it is shown with the booking.",
    json::Kind::array,          {"booking_id"}, R"([{}])"};
inline const hooks::Filter dynamic_form{"svc_dynamic_form_field_enabled",
                                        "3.0.0",
                                        "Whether the conditions of the booking form count; the module's switch.",
                                        json::Kind::boolean,
                                        {}};
// What a form holds that is words.
inline const std::string form_like = [] {
    const std::string fields = R"("fields": [{"id": "", "type": "", "label": "", "placeholder": "", "width": "",
        "content": "", "applies_to": "", "options": [{"value": "", "label": ""}]}])";
    const std::string words = R"("title": "", "description": "", )" + fields;
    const std::string section = "{" + words + R"(, "conditions": [{"id": "", )" + words + "}]}";
    return R"({"contact_form": )" + section + R"(, "emergency_contact_form": )" + section + R"(, "traveler_form": )" +
           section + "}";
}();
inline const hooks::Filter form_config{"svc_booking_form_config",
                                       "3.0.0",
                                       "The booking form, conditions included; trip_id is null without a trip. What"
                                       " is added stays; locked fields stay too.",
                                       json::Kind::object,
                                       {"trip_id"},
                                       form_like};
inline const hooks::Filter save_form_config{"svc_save_booking_form_config",
                                            "3.0.0",
                                            "The booking form on its way to be stored, sanitized; original is as sent."
                                            " What is added is stored.",
                                            json::Kind::object,
                                            {"original"},
                                            form_like};
inline const hooks::Filter verification_ttl{"svc_guest_verification_ttl_seconds",
                                            "3.0.0",
                                            "How long the link that proves a guest's address is valid.",
                                            json::Kind::number,
                                            {"booking_id"}};
inline const hooks::Filter auto_expire{"svc_auto_expire_bookings",
                                       "3.0.0",
                                       "Whether unpaid bookings end by themselves at this turn of the sweep.",
                                       json::Kind::boolean,
                                       {}};
inline const hooks::Filter auto_complete{"svc_auto_complete_bookings",
                                         "3.0.0",
                                         "Whether confirmed bookings are completed by themselves once they are over.",
                                         json::Kind::boolean,
                                         {}};
inline const hooks::Filter uncounted_statuses{
    "svc_trip_bookings_count_exclude_statuses",
    "3.0.0",
    "Statuses whose bookings do not count in a trip's bookings_count, revenue_total and last_booked_at.",
    json::Kind::array,
    {"trip_id"},
    R"([""])"};
inline const hooks::Filter consuming_statuses{
    "svc_capacity_consuming_booking_statuses",
    "3.0.0",
    "The statuses whose bookings hold their seats. One taken out holds none: such a booking needs free seats when it is"
    " made, leaves them to others, and takes its own when it reaches a status that does. Ended bookings, and those that"
    " wait, never hold any. It is asked as a booking is made or changes its status; those that stand keep what they "
    "have.",
    json::Kind::array,
    {},
    R"([""])"};
inline const hooks::Filter may_promote{
    "svc_waitlist_before_promote_booking",
    "3.0.0",
    "Whether the head of the waitlist gets the seats that became free; false keeps them free and everybody waiting.",
    json::Kind::boolean,
    {"booking_id"}};

inline void declare_hooks(hooks::Hooks& hooks) {
    for (const hooks::Filter& filter :
         {may_promote, consuming_statuses, uncounted_statuses, auto_expire, auto_complete, services_kept, get_services,
          dynamic_form, form_config, save_form_config, verification_ttl, acting_user})
        hooks.declare(filter);
    for (const hooks::Action& action :
         {booking_created, booking_updated, booking_status_changed, booking_confirmed, booking_cancelled,
          booking_expired, booking_completed, email_verified, reminder_due, guest_bookings_linked, booking_rescheduled,
          waitlist_promoted, booking_deleted, trip_added_to_session, save_services, payment_due, verification_asked})
        hooks.declare(action);
}

}  // namespace svc::booking
