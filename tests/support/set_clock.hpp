// A clock that stands until the test moves it.
#pragma once

#include <atomic>

#include "shared/core/date.hpp"

namespace svc::tests {

class SetClock final : public Clock {
  public:
    explicit SetClock(const char* rfc3339 = "2026-05-04T10:00:00Z") { set(rfc3339); }
    [[nodiscard]] Instant now() const override { return Instant::from_micros(micros_); }
    void set(const char* rfc3339) { micros_ = Instant::parse(rfc3339).value().micros(); }
    void set(Instant instant) { micros_ = instant.micros(); }
    void pass(std::chrono::microseconds span) { micros_ += span.count(); }

  private:
    std::atomic<std::int64_t> micros_ = 0;
};

}  // namespace svc::tests
