// The action that webhooks, sequences and messages listen to (spec 6.3), and the description of their messages.
#pragma once

#include "shared/hooks/hooks.hpp"

namespace svc::events_catalogue {

inline const hooks::Action automation_event{
    "svc_automation_event",
    "Something happened that automations act upon, fired once per transition: key is booking.created,"
    " booking.confirmed, booking.completed, booking.cancelled, booking.expired, payment.received,"
    " payment.partial_received, scheduled.payment.succeeded, scheduled.payment.failed, account.email_verification,"
    " account.email_change_request or account.email_changed; subject_id is the booking's or the account's id; payload"
    " has key, occurred_at and, by the event, booking, payment, scheduled_payment or account, without secrets.",
    {"key", "subject_id", "payload"}};
inline const hooks::Filter openapi_webhooks{
    "svc_openapi_webhooks",
    "The `webhooks` of the OpenAPI document, by event: path items with the schema of each message that this site sends"
    " to other programs. Called when the document is made, not for each request.",
    json::Kind::object,
    {}};

}  // namespace svc::events_catalogue
