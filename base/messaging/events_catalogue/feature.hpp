// Automation events: one action that webhooks, sequences and messages listen to (spec 6.3).
#pragma once

#include "base/feature/feature.hpp"
#include "base/messaging/events_catalogue/catalogue.hpp"
#include "base/platform/events/events.hpp"
#include "shared/core/date.hpp"

namespace svc::events_catalogue {

// Listens to the actions of the catalogue, which must have been declared, and fires svc_automation_event for each while
// it has a listener itself. One transaction writes the event and marks the action as handled: a crash repeats neither.
// Throws std::logic_error when an action is not declared. [start-up]
void listen(events::Events& hooks, const Clock& clock, const FindBooking& find);

class Feature final : public svc::Feature {
  public:
    Feature(const Site& site, FindBooking find) : svc::Feature(site), find_(std::move(find)) {}

    void declare() override;

  private:
    const FindBooking find_;
};

}  // namespace svc::events_catalogue
