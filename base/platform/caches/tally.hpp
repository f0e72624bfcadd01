// A cache's counters, and whether it is enabled.
#pragma once

#include <atomic>
#include <cstdint>

namespace svc::caches {

// Any thread. A disabled cache finds and stores nothing; its values are computed each time.
class Tally {
  public:
    [[nodiscard]] bool in_use() const { return in_use_.load(std::memory_order_relaxed); }
    void use(bool use) { in_use_.store(use, std::memory_order_relaxed); }
    // Counts a look-up; returns `found`.
    bool note(bool found) {
        (found ? hits_ : misses_).fetch_add(1, std::memory_order_relaxed);
        return found;
    }
    [[nodiscard]] std::int64_t hits() const { return hits_.load(std::memory_order_relaxed); }
    [[nodiscard]] std::int64_t misses() const { return misses_.load(std::memory_order_relaxed); }

  private:
    std::atomic<bool> in_use_ = true;
    std::atomic<std::int64_t> hits_ = 0, misses_ = 0;
};

}  // namespace svc::caches
