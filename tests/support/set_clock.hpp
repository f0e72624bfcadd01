// A clock that stands still until a test moves it. Any thread.
#pragma once

#include <atomic>
#include <chrono>

#include "shared/core/date.hpp"

namespace svc::tests {

class SetClock final : public Clock {
  public:
    explicit SetClock(Instant at = Instant::from_micros(1'800'000'000'000'000)) : micros_(at.micros()) {}
    [[nodiscard]] Instant now() const override { return Instant::from_micros(micros_); }
    void advance(std::chrono::microseconds span) { micros_ += span.count(); }
    void set(Instant at) { micros_ = at.micros(); }

  private:
    std::atomic<std::int64_t> micros_;
};

}  // namespace svc::tests
