// A clock that stands until a test moves it. Any thread.
#pragma once

#include <atomic>
#include <chrono>

#include "shared/core/date.hpp"

namespace svc::tests {

class SetClock final : public Clock {
  public:
    explicit SetClock(Instant at = Instant::from_micros(1'800'000'000'000'000)) : micros_(at.micros()) {}
    explicit SetClock(const char* rfc3339) { set(rfc3339); }
    [[nodiscard]] Instant now() const override { return Instant::from_micros(micros_); }
    void set(const char* rfc3339) { micros_ = Instant::parse(rfc3339).value().micros(); }
    void set(Instant at) { micros_ = at.micros(); }
    void advance(std::chrono::microseconds span) { micros_ += span.count(); }

  private:
    std::atomic<std::int64_t> micros_ = 0;
};

}  // namespace svc::tests
