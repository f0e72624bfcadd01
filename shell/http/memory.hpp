// What a thread does that finds no memory.
#pragma once

namespace svc::http {

// While one lives on this thread an allocation that fails throws at once: whoever made it answers 503.
class MayFail {
  public:
    MayFail() noexcept;
    ~MayFail();
    MayFail(const MayFail&) = delete;
    MayFail& operator=(const MayFail&) = delete;
};

// For std::set_new_handler. Elsewhere the thread waits for memory, for about a second, before it throws: Pistache's own
// threads catch nothing, and would end the process for what is gone a moment later (R12).
void wait_for_memory();

}  // namespace svc::http
