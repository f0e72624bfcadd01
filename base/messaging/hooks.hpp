// The filters that e-mails pass through on their way to the outbox.
#pragma once

#include "shared/hooks/hooks.hpp"

namespace svc::messaging {

inline const hooks::Filter booking_email_variables{
    "svc_booking_email_variables",
    "3.0.0",
    "The values of an e-mail about a booking, the last word before it is rendered; every value is a text.",
    json::Kind::object,
    {"booking"}};
inline const hooks::Filter send_transactional_email{
    "svc_send_transactional_email",
    "3.0.0",
    "false keeps the e-mail back, as nobody wants it or the listener sends it. Any other answer lets it go.",
    json::Kind::null,
    {"type", "to", "variables"}};
inline const hooks::Filter automation_owns_type{
    "svc_pro_email_automation_owns_transactional_type",
    "3.0.0",
    "True when an automation answers for this type of e-mail, so that its template's switch does not count.",
    json::Kind::boolean,
    {"type"}};

inline const hooks::Filter notify_admin_new_booking{"svc_notify_admin_new_booking",
                                                    "3.0.0",
                                                    "Whether staff are told of this new booking.",
                                                    json::Kind::boolean,
                                                    {"booking"}};

inline const hooks::Filter status_email_html{
    "svc_send_booking_status_email_html",
    "3.0.0",
    "The HTML of an e-mail that tells a customer where their booking stands, rendered; the plain text is made of what"
    " comes back. Empty text leaves it as it was.",
    json::Kind::string,
    {"type", "booking"}};
inline const hooks::Filter identity_field_keys{
    "svc_booking_email_traveler_identity_field_keys",
    "3.0.0",
    "The fields of the traveler form that travelers_list names a traveler by, in order; the others that are not sealed"
    " are traveler_custom_fields_html.",
    json::Kind::array,
    {"booking"},
    R"([""])"};
inline const hooks::Filter always_bcc{
    "svc_email_always_bcc",
    "3.0.0",
    "Who gets a blind copy of this e-mail besides its template's own, as the setting says; addresses with commas.",
    json::Kind::string,
    {"type"}};

inline const hooks::Filter trip_variables{
    "svc_email_template_trip_variables",
    "3.0.0",
    "What an e-mail about a booking tells of its trip (trip_id, trip_name, trip_url), before"
    " svc_booking_email_variables; members that are added are variables too.",
    json::Kind::object,
    {"booking"}};
inline const hooks::Filter default_subject{"svc_transactional_email_default_subject",
                                           "3.0.0",
                                           "The subject of an e-mail for which the operator wrote none.",
                                           json::Kind::string,
                                           {"type"}};
inline const hooks::Filter default_body{"svc_transactional_email_default_body",
                                        "3.0.0",
                                        "The text of an e-mail for which the operator wrote none.",
                                        json::Kind::string,
                                        {"type"}};
inline const hooks::Filter effective_body{"svc_transactional_email_effective_body",
                                          "3.0.0",
                                          "The text that an e-mail is made of, the operator's or else the default."
                                          " booking is null for an e-mail about none; trip, or null: id, title, slug,"
                                          " trip_type and categories, the ids of its categories and of those above.",
                                          json::Kind::string,
                                          {"type", "booking", "trip"}};
inline const hooks::Filter effective_subject{"svc_transactional_email_effective_subject",
                                             "3.0.0",
                                             "The subject that an e-mail is made of, the operator's or else the"
                                             " default; booking and trip as for its text.",
                                             json::Kind::string,
                                             {"type", "booking", "trip"}};
// The registry of merge tags (spec 6.2): what may stand in the texts of templates.
inline const hooks::Filter merge_tag_definitions{
    "svc_email_merge_tag_definitions",
    "3.0.0",
    "The merge tags that templates may name, each with its key and the events whose e-mails have it (none: all). A"
    " listener that adds a value by svc_booking_email_variables adds its tag here; a template with another tag is"
    " refused when it is saved.",
    json::Kind::array,
    {},
    R"([{"key":"","events":[""]}])"};

inline void declare_hooks(hooks::Hooks& hooks) {
    hooks.declare(notify_admin_new_booking);
    hooks.declare(always_bcc);
    hooks.declare(booking_email_variables);
    hooks.declare(send_transactional_email);
    hooks.declare(automation_owns_type);
    hooks.declare(status_email_html);
    hooks.declare(identity_field_keys);
    hooks.declare(trip_variables);
    hooks.declare(default_subject);
    hooks.declare(default_body);
    hooks.declare(effective_body);
    hooks.declare(effective_subject);
    hooks.declare(merge_tag_definitions);
}

}  // namespace svc::messaging
