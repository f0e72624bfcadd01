// Takes part when a person's data is exported and erased.
#pragma once

#include "shared/plugin/host.hpp"

namespace svc::pro::scheduled_payments {

// Both outlive the listeners. An older base has neither filter: then nothing is done. [start-up]
void take_part_in_privacy(plugin::Hooks& hooks, store::Store& store);

}  // namespace svc::pro::scheduled_payments
