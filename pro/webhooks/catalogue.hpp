// The events that endpoints receive, and the schema of their messages (spec 6.3).
#pragma once

#include <span>
#include <string_view>

#include "shared/api/schema.hpp"

namespace svc::pro::webhooks {

struct Event {
    std::string_view key, name, description;
    std::string_view hook;    // the action that it follows
    std::string_view entity;  // booking, payment, scheduled_payment or account
};
std::span<const Event> events();
const Event* find_event(std::string_view key);  // null: there is none

inline constexpr std::string_view ping_key = "webhook.ping";

// The message as api::Schema; the members of `data` are those that an endpoint has not left out.
api::Schema message_schema(const Event& event);
// The `webhooks` of the OpenAPI document.
json::Value openapi_webhooks();
// A message as an example: generic values of the schema's types.
json::Value example_of(const Event& event);

}  // namespace svc::pro::webhooks
