// A test's base whose plugins may call its routes, as those of a base that serves may.
#pragma once

#include "base/app/assembly.hpp"
#include "base/app/inner_calls.hpp"

namespace svc::tests {

// Lives as long as plugins of the assembly are called.
class InnerCalls {
  public:
    explicit InnerCalls(app::Assembly& assembly)
        : gate_(app::make_gate(assembly)),
          call_(app::inner_calls(
              {.gate = gate_, .base_path = assembly.options.base_path, .gatekeeper = assembly.identity.gatekeeper})) {
        assembly.plugins.calls.open(call_);
    }
    InnerCalls(const InnerCalls&) = delete;
    InnerCalls& operator=(const InnerCalls&) = delete;

  private:
    app::Gate gate_;
    plugins::Call call_;
};

}  // namespace svc::tests
