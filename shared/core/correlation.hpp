// Which request the work of this thread is for, so that its log lines, events and e-mails can be led back to it.
#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace svc {

// For the length of its life; the one before counts again afterwards. Who works for another thread takes its id along.
class Correlation {
  public:
    explicit Correlation(std::string id) : before_(std::exchange(current_, std::move(id))) {}
    ~Correlation() { current_ = std::move(before_); }
    Correlation(const Correlation&) = delete;
    Correlation& operator=(const Correlation&) = delete;

    [[nodiscard]] static const std::string& current() { return current_; }  // empty: of none

  private:
    inline static thread_local std::string current_;
    std::string before_;
};

}  // namespace svc
