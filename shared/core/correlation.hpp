// The request for which this thread works, so that its log lines, events and e-mails can be traced to it.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace svc {

// Applies during its lifetime; the previous id applies again afterwards. A thread that works for another one passes
// the id on.
class Correlation {
  public:
    explicit Correlation(std::string id) : before_(std::exchange(current_, std::move(id))) {}
    ~Correlation() { current_ = std::move(before_); }
    Correlation(const Correlation&) = delete;
    Correlation& operator=(const Correlation&) = delete;

    [[nodiscard]] static const std::string& current() { return current_; }  // empty: no request

  private:
    inline static thread_local std::string current_;
    std::string before_;
};

// Whether an external id is accepted: letters, digits and '-', 8 to 64 of them.
inline bool is_correlation_id(std::string_view text) {
    const auto allowed = [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
    };
    return text.size() >= 8 && text.size() <= 64 && std::all_of(text.begin(), text.end(), allowed);
}

}  // namespace svc
