// From the actions of bookings, payments and accounts to automation events.
#include "base/automation/feature.hpp"

#include <stdexcept>

#include "base/automation/hooks.hpp"

namespace svc::automation {

void listen(events::Events& hooks, const Clock& clock, const FindBooking& find) {
    for (const EventKind& kind : event_kinds()) {
        const auto listening =
            hooks.on(kind.action, {.name = "automation." + std::string(kind.key) + "." + std::string(kind.action)},
                     [&hooks, &clock, &kind, find](const json::Array& arguments) {
                         if (!hooks.is_heard(automation_event))
                             return;  // the action that it follows is in the outbox
                         auto message = kind.build(arguments, find);
                         if (!message)
                             return;
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

void Feature::declare() {
    site_.events.declare(automation_event);
    site_.events.declare(openapi_webhooks);
    automation::listen(site_.events, site_.clock, find_);
}

}  // namespace svc::automation
