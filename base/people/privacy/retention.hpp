// Deletes personal data after the periods of the settings, as a part of housekeeping, which does the same for logs,
// e-mails, events and sessions; docs/operating.md lists all of them.
#pragma once

#include "base/feature/feature.hpp"
#include "base/people/privacy/feature.hpp"

namespace svc::retention {

// Stateless; any thread.
class Feature final : public svc::Feature {
  public:
    Feature(const Site& site, privacy::Feature& privacy) : svc::Feature(site), privacy_(privacy) {}

    void declare() override;
    void add_jobs() override;

  private:
    // Nothing when the setting keeps for ever.
    [[nodiscard]] std::optional<Date> last_day(Instant now, const char* setting) const;
    Result<std::int64_t> erase_customers(Instant now);
    // Contact addresses of the bookings that hang on the record, without those that have a record or an account.
    [[nodiscard]] std::vector<std::string> other_addresses_of(std::int64_t customer_id) const;

    privacy::Feature& privacy_;
};

}  // namespace svc::retention
