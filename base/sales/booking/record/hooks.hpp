// The actions and filters that bookings fire.
#pragma once

#include "shared/hooks/hooks.hpp"

namespace svc::booking {

inline const hooks::Action booking_created{
    "svc_booking_created",
    "A booking was created by a visitor or by staff. Not fired again when a session is submitted twice.",
    {"booking_id", "booking"}};
inline const hooks::Action booking_updated{
    "svc_booking_updated", "A booking's record changed, its status included.", {"booking_id"}};
inline const hooks::Action booking_status_changed{
    "svc_booking_status_changed",
    "A booking's status changed, by any cause. Not fired when the same status is set again.",
    {"booking_id", "old_status", "new_status"}};
inline const hooks::Action booking_confirmed{
    "svc_booking_confirmed",
    "A booking was confirmed by staff or by a payment. Not fired when one is restored.",
    {"booking_id", "booking"}};
inline const hooks::Action booking_cancelled{
    "svc_booking_cancelled",
    "A booking was cancelled, by any cause; fired each time. Not fired when one is restored.",
    {"booking_id", "booking"}};
inline const hooks::Action booking_expired{
    "svc_booking_expired",
    "An unpaid booking was cancelled because its time to pay was over; svc_booking_cancelled follows.",
    {"booking_id", "booking"}};
inline const hooks::Action booking_completed{
    "svc_booking_completed",
    "A booking was completed, by staff or on the day after its last day. Not fired when one is restored.",
    {"booking_id", "booking"}};
inline const hooks::Action email_verified{
    "svc_booking_email_verified",
    "A guest confirmed the e-mail address by the mailed link; the booking is now processed like any other.",
    {"booking_id", "booking"}};
inline const hooks::Action verification_requested{
    "svc_booking_verification_asked",
    "Staff changed a guest's unconfirmed address: a link is sent to the new one. Not fired on creation.",
    {"booking_id", "booking"}};
inline const hooks::Action reminder_due{
    "svc_booking_reminder_due",
    "The trip of a booking begins in the given number of days. Fired once per travel date.",
    {"booking_id", "booking", "days"}};
inline const hooks::Action payment_due{
    "svc_booking_payment_due",
    "An unpaid booking is due in the given number of days; fired at most once for each of the"
    " gateway's reminder days.",
    {"booking_id", "booking", "days", "due_date"}};
inline const hooks::Action guest_bookings_linked{
    "svc_guest_bookings_linked",
    "A user's guest bookings were assigned to the user after the e-mail address was confirmed.",
    {"user_id", "count"}};
inline const hooks::Action booking_rescheduled{
    "svc_booking_rescheduled",
    "Staff moved this booking or its departure to other days. Not fired for cancelled and trashed bookings.",
    {"booking_id", "booking", "old_date"}};
inline const hooks::Action waitlist_promoted{
    "svc_waitlist_booking_promoted",
    "A waitlisted booking received seats; new_status is pending or confirmed. Not fired when staff promoted it.",
    {"booking_id", "trip_id", "departure_id", "new_status", "booking"}};
inline const hooks::Action link_wanted{
    "svc_booking_link_wanted",
    "The link of a booking is to be mailed to its contact address: somebody named reference and address, or staff "
    "renewed"
    " it. booking_id is 0 when they did not belong together; nothing is mailed then.",
    {"booking_id", "by_staff"}};
inline const hooks::Action booking_deleted{
    "svc_booking_deleted",
    "A booking is about to be moved to the trash or deleted permanently; passes the whole record."
    " Answers about health and travel documents are omitted.",
    {"booking_id", "booking"}};
inline const hooks::Action trip_added_to_session{
    "svc_trip_added_to_session",
    "A checkout session was opened for a trip or switched to another trip.",
    {"trip_id", "session_id"}};

inline const hooks::Action save_services{
    "svc_booking_save_services",
    "A booking's additional services were stored, on creation or recalculation. Not fired without services.",
    {"booking_id", "services"}};

inline const hooks::Filter acting_user{
    "svc_user_id",
    "The owner of a new booking: the signed-in user, the account created with it, or 0 for a guest."
    " Ids of unknown users are ignored. Not applied to bookings made by staff.",
    json::Kind::number,
    {"trip_id", "email"}};
inline const hooks::Filter services_kept{"svc_booking_services_kept",
                                         "A booking's additional services, in the transaction that stores the booking.",
                                         json::Kind::array,
                                         {"booking_id"},
                                         R"([{}])"};
inline const hooks::Filter services_added{
    "svc_booking_services_added",
    "What a booking got after it was made, in the transaction that stores it: row_version and currency of the booking,"
    " lines of the services and taxes (label, quantity, amount), amount (by which the total grew) and tax_inclusive."
    " Results are ignored.",
    json::Kind::object,
    {"booking_id"}};
inline const hooks::Filter price_kept{"svc_booking_price_kept",
                                      "A booking's quote, in the transaction that stores the booking or its new price."
                                      " Results are ignored.",
                                      json::Kind::object,
                                      {"booking_id"}};
inline const hooks::Filter get_services{"svc_booking_get_services",
                                        "A booking's additional services as they are returned with the booking.",
                                        json::Kind::array,
                                        {"booking_id"},
                                        R"([{}])"};
inline const hooks::Filter dynamic_form{"svc_dynamic_form_field_enabled",
                                        "Whether the conditions of the booking form apply; the module's switch.",
                                        json::Kind::boolean,
                                        {}};
// The texts of a form.
inline const std::string form_like = [] {
    const std::string fields = R"("fields": [{"id": "", "type": "", "label": "", "placeholder": "", "width": "",
        "content": "", "applies_to": "", "options": [{"value": "", "label": ""}]}])";
    const std::string words = R"("title": "", "description": "", )" + fields;
    const std::string section = "{" + words + R"(, "conditions": [{"id": "", )" + words + "}]}";
    return R"({"contact_form": )" + section + R"(, "emergency_contact_form": )" + section + R"(, "traveler_form": )" +
           section + "}";
}();
inline const hooks::Filter form_config{"svc_booking_form_config",
                                       "The booking form with its conditions; trip_id is null without a trip. Added"
                                       " members and locked fields are kept.",
                                       json::Kind::object,
                                       {"trip_id"},
                                       form_like};
inline const hooks::Filter save_form_config{
    "svc_save_booking_form_config",
    "The sanitized booking form before it is stored; original is the form as sent."
    " Added members are stored.",
    json::Kind::object,
    {"original"},
    form_like};
inline const hooks::Filter verification_ttl{"svc_guest_verification_ttl_seconds",
                                            "How long a guest's confirmation link is valid.",
                                            json::Kind::number,
                                            {"booking_id"}};
inline const hooks::Filter auto_expire{
    "svc_auto_expire_bookings", "Whether this run of the sweep expires unpaid bookings.", json::Kind::boolean, {}};
inline const hooks::Filter auto_complete{"svc_auto_complete_bookings",
                                         "Whether confirmed bookings are completed automatically after their last day.",
                                         json::Kind::boolean,
                                         {}};
inline const hooks::Filter uncounted_statuses{
    "svc_trip_bookings_count_exclude_statuses",
    "Statuses excluded from a trip's bookings_count, revenue_total and last_booked_at.",
    json::Kind::array,
    {"trip_id"},
    R"([""])"};
inline const hooks::Filter consuming_statuses{
    "svc_capacity_consuming_booking_statuses",
    "The statuses whose bookings hold seats. Bookings in a removed status need free seats when they are"
    " created but do not hold them until they reach a status that does. Ended and waitlisted"
    " bookings never hold seats. Applied on creation and on status changes; other bookings keep what they "
    "have.",
    json::Kind::array,
    {},
    R"([""])"};
inline const hooks::Filter may_promote{
    "svc_waitlist_before_promote_booking",
    "Whether the first booking on the waitlist gets seats that became free; false leaves them free.",
    json::Kind::boolean,
    {"booking_id"}};

inline void declare_hooks(hooks::Hooks& hooks) {
    for (const hooks::Filter& filter : {may_promote, consuming_statuses, uncounted_statuses, auto_expire, auto_complete,
                                        services_kept, services_added, price_kept, get_services, dynamic_form,
                                        form_config, save_form_config, verification_ttl, acting_user})
        hooks.declare(filter);
    for (const hooks::Action& action :
         {booking_created, booking_updated, booking_status_changed, booking_confirmed, booking_cancelled,
          booking_expired, booking_completed, email_verified, reminder_due, guest_bookings_linked, booking_rescheduled,
          waitlist_promoted, booking_deleted, trip_added_to_session, save_services, payment_due, verification_requested,
          link_wanted})
        hooks.declare(action);
}

}  // namespace svc::booking
