// Estimates how long the next request would wait for a worker, from the lane's recent past (promise R15).
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

namespace svc::http {

// Measures how often a worker becomes free while requests wait: that covers slow requests, a slow database and busy
// processors alike. Older measurements count less with every second. Not locked.
class Pace {
  public:
    using Clock = std::chrono::steady_clock;
    using Seconds = std::chrono::duration<double>;

    explicit Pace(std::chrono::milliseconds longest_wait) : longest_(longest_wait) {}

    // A request waits, and every worker is at work.
    void waits(Clock::time_point now) {
        if (!seen_) {
            fade(ended_ ? Seconds(now - *ended_) : Seconds{0});
            seen_ = now;
        }
    }
    // A worker became free; `waiting` requests are there for it.
    void free_worker(Clock::time_point now, std::size_t waiting) {
        if (!seen_)
            return;
        const Seconds since = now - *seen_;
        fade(since);
        measured_ += since;
        finishes_ += 1;
        seen_ = now;
        if (waiting == 0) {
            seen_.reset();
            ended_ = now;
        }
    }
    // Whether a request after `waiting` others, the first of which arrived at `first`, would wait longer than the
    // limit.
    [[nodiscard]] bool is_too_long(std::size_t waiting, Clock::time_point first, Clock::time_point now) const {
        if (waiting == 0)
            return false;
        // The lane has come to a stop.
        if (now - first > longest_)
            return true;
        // A few milliseconds are not enough to judge.
        return measured_ >= longest_ / 8 && measured_ / finishes_ * static_cast<double>(waiting + 1) > longest_;
    }

  private:
    void fade(Seconds by) {
        const double weight = 1 / (1 + by.count());
        measured_ *= weight;
        finishes_ *= weight;
    }

    const Seconds longest_;
    std::optional<Clock::time_point> seen_, ended_;  // since when requests wait, or last did
    Seconds measured_{0};
    double finishes_ = 0;
};

}  // namespace svc::http
