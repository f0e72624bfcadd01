// Handles failing allocations by thread.
#pragma once

namespace svc::http {

// During its lifetime a failing allocation on this thread throws at once: its caller answers 503.
class MayFail {
  public:
    MayFail() noexcept;
    ~MayFail();
    MayFail(const MayFail&) = delete;
    MayFail& operator=(const MayFail&) = delete;
};

// For std::set_new_handler. Other threads wait for memory, for about a second, before they throw: Pistache's own
// threads catch nothing, and would end the process for a momentary shortage (R12).
void wait_for_memory();

}  // namespace svc::http
