// The filters that e-mails pass through on their way to the outbox.
#pragma once

#include "shared/hooks/hooks.hpp"

namespace svc::messaging {

inline const hooks::Filter booking_email_variables{
    "svc_booking_email_variables",
    "The variables of an e-mail about a booking, applied last before rendering; all values are texts.",
    json::Kind::object,
    {"booking"}};
inline const hooks::Filter send_transactional_email{"svc_send_transactional_email",
                                                    "false suppresses the e-mail. Any other result sends it.",
                                                    json::Kind::null,
                                                    {"type", "to", "variables"}};
inline const hooks::Filter automation_owns_type{
    "svc_pro_email_automation_owns_transactional_type",
    "Whether an automation sends this type of e-mail, so that the switch of its template is ignored.",
    json::Kind::boolean,
    {"type"}};

inline const hooks::Filter notify_admin_new_booking{"svc_notify_admin_new_booking",
                                                    "Whether staff are notified of this new booking.",
                                                    json::Kind::boolean,
                                                    {"booking"}};

inline const hooks::Filter status_email_html{
    "svc_send_booking_status_email_html",
    "The rendered HTML of an e-mail about a booking's status; the plain text is generated from the"
    " result. An empty result is ignored.",
    json::Kind::string,
    {"type", "booking"}};
inline const hooks::Filter identity_field_keys{
    "svc_booking_email_traveler_identity_field_keys",
    "Fields of the traveler form used as a traveler's name in travelers_list, in order; other unencrypted fields"
    " are traveler_custom_fields_html.",
    json::Kind::array,
    {"booking"},
    R"([""])"};
inline const hooks::Filter always_bcc{"svc_email_always_bcc",
                                      "Additional blind copy recipients of this e-mail, separated by commas.",
                                      json::Kind::string,
                                      {"type"}};

inline const hooks::Filter trip_variables{
    "svc_email_template_trip_variables",
    "Trip variables of an e-mail about a booking (trip_id, trip_name, trip_url), before"
    " svc_booking_email_variables; added members become variables.",
    json::Kind::object,
    {"booking"}};
inline const hooks::Filter default_subject{
    "svc_transactional_email_default_subject", "The default subject of an e-mail.", json::Kind::string, {"type"}};
inline const hooks::Filter default_body{
    "svc_transactional_email_default_body", "The default text of an e-mail.", json::Kind::string, {"type"}};
inline const hooks::Filter effective_body{"svc_transactional_email_effective_body",
                                          "The text template of an e-mail, the operator's or the default."
                                          " booking is null for an e-mail about none; trip, or null: id, title, slug,"
                                          " trip_type and categories, the ids of its categories and of those above.",
                                          json::Kind::string,
                                          {"type", "booking", "trip"}};
inline const hooks::Filter effective_subject{"svc_transactional_email_effective_subject",
                                             "The subject template of an e-mail, the operator's or the"
                                             " default; booking and trip as for its text.",
                                             json::Kind::string,
                                             {"type", "booking", "trip"}};
inline const hooks::Filter message{
    "svc_transactional_email_message",
    "The texts of an e-mail, tags not filled in yet, after the filters of its subject and its text, with the sender and"
    " the copies that replace those of the settings; empty members replace nothing. to is read for e-mails to staff"
    " alone. booking and trip as for its text; values, or null: what a plugin queued with its e-mail, by tag.",
    json::Kind::object,
    {"type", "booking", "trip", "values"},
    R"({"subject":"","body":"","from_name":"","from_email":"","reply_to":"","to":"","cc":"","bcc":""})"};
inline const hooks::Filter type_to_keys{
    "svc_transactional_email_type_to_keys",
    "The settings of each e-mail by its type: switch_setting turns it on, subject_setting and body_setting replace its"
    " texts, cc_setting and bcc_setting hold the addresses of its copies. A listener that gives another key has the"
    " e-mail read that setting; it must exist, be a text (switch_setting: a boolean) and hold no secret.",
    json::Kind::object,
    {}};
// The registry of merge tags (spec 6.2): the tags that templates may use.
inline const hooks::Filter merge_tag_definitions{
    "svc_email_merge_tag_definitions",
    "The merge tags that templates may name, each with its key and the events whose e-mails have it (none: all). A"
    " listener that adds a value by svc_booking_email_variables adds its tag here; a template with another tag is"
    " refused when it is saved.",
    json::Kind::array,
    {},
    R"([{"key":"","label":"","description":"","category":"","sample":"","events":[""]}])"};
inline const hooks::Filter event_variables{"svc_email_event_variables",
                                           "The keys of the merge tags that e-mails of an event have. A template with"
                                           " another tag is refused when it is saved.",
                                           json::Kind::array,
                                           {"event_key"},
                                           R"([""])"};
inline const hooks::Filter variables_catalog{"svc_email_template_variables_catalog",
                                             "The merge tags by category, as they are listed for whoever writes"
                                             " templates; applied after grouping. It changes what is shown, not what"
                                             " may be used.",
                                             json::Kind::object,
                                             {}};
inline const hooks::Filter preview_variables{"svc_email_template_preview_variables",
                                             "The values that a preview of an e-mail is filled in with; all are texts."
                                             " booking is null for a preview with sample data.",
                                             json::Kind::object,
                                             {"type", "booking"}};

inline const hooks::Filter send_enquiry_admin{"svc_send_enquiry_created_admin_email",
                                              "Whether staff are mailed this new enquiry.",
                                              json::Kind::boolean,
                                              {"enquiry"}};
inline const hooks::Filter send_enquiry_customer{"svc_send_enquiry_created_customer_email",
                                                 "Whether the sender of this new enquiry receives a confirmation.",
                                                 json::Kind::boolean,
                                                 {"enquiry"}};
inline const hooks::Filter send_enquiry_response{"svc_send_enquiry_response_core_email",
                                                 "Whether the response to this enquiry is mailed to its sender.",
                                                 json::Kind::boolean,
                                                 {"enquiry"}};
inline const hooks::Filter enquiry_admin_html{"svc_email_template_enquiry_admin",
                                              "The rendered HTML of the e-mail to staff about a new enquiry.",
                                              json::Kind::string,
                                              {"enquiry"}};
inline const hooks::Filter enquiry_received_html{"svc_email_template_enquiry_received",
                                                 "The rendered HTML of the e-mail that confirms an enquiry.",
                                                 json::Kind::string,
                                                 {"enquiry"}};
inline const hooks::Filter enquiry_response_html{"svc_email_template_enquiry_response",
                                                 "The rendered HTML of the response to an enquiry.",
                                                 json::Kind::string,
                                                 {"enquiry"}};

inline const hooks::Action plugin_mail_queued{"svc_plugin_mail_queued",
                                              "A plugin queued an e-mail, which is composed now; the e-mail is sealed.",
                                              {"plugin", "mail"}};

inline void declare_hooks(hooks::Hooks& hooks) {
    hooks.declare(plugin_mail_queued);
    for (const auto* filter : {&send_enquiry_admin, &send_enquiry_customer, &send_enquiry_response, &enquiry_admin_html,
                               &enquiry_received_html, &enquiry_response_html})
        hooks.declare(*filter);
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
    hooks.declare(message);
    hooks.declare(type_to_keys);
    hooks.declare(merge_tag_definitions);
    hooks.declare(event_variables);
    hooks.declare(variables_catalog);
    hooks.declare(preview_variables);
}

}  // namespace svc::messaging
