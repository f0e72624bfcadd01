// Keeps, for each thread, whether it may wait.
#include "shared/core/no_wait.hpp"

namespace svc {
namespace {
thread_local bool may_not = false, has_refused = false;
}

NoWait::NoWait() noexcept {
    may_not = true;
    has_refused = false;
}
NoWait::~NoWait() { may_not = false; }
bool NoWait::here() noexcept { return may_not; }
bool NoWait::refused() noexcept { return may_not && has_refused; }

void NoWait::raise() {
    has_refused = true;
    throw WouldWait{};
}

}  // namespace svc
