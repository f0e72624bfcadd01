// Keeps, for each thread, whether it may wait.
#include "shared/core/no_wait.hpp"

namespace svc {
namespace {
thread_local bool may_not = false;
}

NoWait::NoWait() noexcept { may_not = true; }
NoWait::~NoWait() { may_not = false; }
bool NoWait::here() noexcept { return may_not; }

}  // namespace svc
