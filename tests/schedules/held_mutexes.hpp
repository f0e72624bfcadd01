// How many of the process's mutexes a thread holds: who holds one must not be made to wait for another thread.
#pragma once

namespace svc::tests {

int held_mutexes() noexcept;  // by this thread

}  // namespace svc::tests
