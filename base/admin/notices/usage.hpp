// Usage reports: off until staff opt in, shown literally before, and only sent by a build that has an address for them
// (ruling "usage tracking").
#pragma once

#include "base/feature/site.hpp"

namespace svc::notices {

inline constexpr const char* usage_setting = "usage_tracking";

struct UsageStatus {
    bool enabled = false;
    std::optional<Instant> last_sync = {}, next_scheduled = {}, next_retry = {};
    std::int64_t retry_count = 0;
    std::string instance_id = {};  // empty until reports were turned on
    std::optional<std::string> last_error = {};
    bool has_address = false;
};

// Any thread after the start.
class Usage {
  public:
    explicit Usage(const Site& site);

    // The address that reports are posted to: that of the build; tests set another. [start-up]
    void send_to(std::string address) { address_ = std::move(address); }
    void add_jobs();

    [[nodiscard]] UsageStatus status() const;
    // The report as it would be sent now.
    [[nodiscard]] json::Value report() const;
    // Turning reports off deletes all their stored data.
    Result<void> enable(bool enabled, std::int64_t user_id) const;
    // Sends the report of this week; false if it was sent before. An attempt that a crash interrupted counts as sent;
    // a report that the server rejected is sent again. `forced` sends in any case, also while reports are off, under
    // the week's Idempotency-Key, by which the server drops a repeat. svc_validation_error while off, unless forced;
    // svc_upstream_error when no server accepted it.
    Result<bool> send(bool forced) const;
    Result<void> forget_pending() const;
    Result<std::int64_t> delete_snapshots() const;

  private:
    [[nodiscard]] std::int64_t this_week() const;
    [[nodiscard]] json::Value report_to_send() const;
    [[nodiscard]] Result<bool> begin_period(std::int64_t period, bool forced) const;
    Result<json::Value> run_weekly(Instant now) const;
    [[nodiscard]] std::string instance_id() const;

    const Site& site_;
    std::string address_;
};

}  // namespace svc::notices
