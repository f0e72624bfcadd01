// Routes called in this process: through the gate, by callers whom the process names (svc.calls/1).
#pragma once

#include "base/app/gate.hpp"
#include "base/people/identity/gatekeeper.hpp"
#include "base/plugins/calls.hpp"

namespace svc::app {

// What the calls need; all of it outlives them.
struct InnerCallParts {
    const Gate& gate;
    std::string base_path;
    identity::Gatekeeper& gatekeeper;
    std::function<void()> after_write = {};
};

// Any thread that may wait.
plugins::Call inner_calls(InnerCallParts parts);

}  // namespace svc::app
