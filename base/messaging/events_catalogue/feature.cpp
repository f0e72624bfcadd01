// From the actions of bookings, payments and accounts to automation events.
#include "base/messaging/events_catalogue/feature.hpp"

#include <stdexcept>

#include "base/messaging/events_catalogue/hooks.hpp"
#include "base/sales/booking/record/cancelling.hpp"
#include "base/sales/booking/record/open_answers.hpp"
#include "base/sales/booking/record/service.hpp"
#include "shared/plugin/pro_modules.hpp"

namespace svc::events_catalogue {

namespace {

// Adds members to the booking of an event.
using Complete = std::function<void(std::int64_t booking_id, json::Value& booking)>;

void listen_with(events::Events& hooks, const Clock& clock, const FindBooking& find, const Complete& complete) {
    for (const EventKind& kind : event_kinds()) {
        const auto listening =
            hooks.on(kind.action, {.name = "automation." + std::string(kind.key) + "." + std::string(kind.action)},
                     [&hooks, &clock, &kind, find, complete](const json::Array& arguments) {
                         if (!hooks.is_heard(automation_event))
                             return;  // the action that it follows is in the outbox
                         auto message = kind.build(arguments, find);
                         if (!message)
                             return;
                         if (json::Value record = message->payload["booking"]; complete && record["id"].is_number()) {
                             complete(record["id"].integer(), record);
                             message->payload.set("booking", std::move(record));
                         }
                         json::Value payload = json::Value::object({{"key", kind.key}, {"occurred_at", clock.now()}});
                         for (auto& [name, value] : message->payload.members())
                             payload.set(name, std::move(value));
                         json::Array event{kind.key, message->subject_id};
                         event.push_back(std::move(payload));
                         hooks.write([&hooks, event = std::move(event)](store::Transaction& tx) -> Result<void> {
                             hooks.emit(tx, automation_event, event);
                             return {};
                         });
                     });
        if (!listening)
            throw std::logic_error("automation cannot listen: " + listening.error().cause());
    }
}

}  // namespace

void listen(events::Events& hooks, const Clock& clock, const FindBooking& find) { listen_with(hooks, clock, find, {}); }

void Feature::declare() {
    site_.events.declare(automation_event);
    site_.events.declare(openapi_webhooks);
    listen_with(site_.events, site_.clock, find_, [this](std::int64_t booking_id, json::Value& record) {
        // The module's answers are in the events of bookings while it is on.
        const bool has_answers = site_.module_enabled && site_.module_enabled(plugin::slugs::dynamic_form_field);
        site_.store.read([&](store::Session& session) {
            if (has_answers)
                if (json::Value answers = booking::open_answers(session, booking_id); !answers.is_null())
                    record.set("answers", std::move(answers));
            if (const auto found = booking::Service::read(session, booking_id))
                record.set("cancellation",
                           booking::cancellation_of(session, *found, site_.settings, site_.clock.now()));
        });
    });
}

}  // namespace svc::events_catalogue
