// Deletes personal data after the periods of the settings, by one job a day. Logs, e-mails, events and sessions have
// their own pieces of housekeeping; docs/operating.md lists all of them.
#pragma once

#include "base/privacy/feature.hpp"
#include "base/site/feature.hpp"

namespace svc::retention {

// It has no state of its own; any thread.
class Feature final : public svc::Feature {
  public:
    Feature(const Site& site, privacy::Feature& privacy) : svc::Feature(site), privacy_(privacy) {}

    void declare() override;
    void add_jobs() override;

    // Erases up to 100 customers and deletes up to 500 enquiries whose time is over. Answers how many.
    Result<json::Value> run(Instant now);

  private:
    [[nodiscard]] std::vector<std::string> lapsed_customers(Instant now, std::int64_t months) const;
    Result<std::int64_t> delete_enquiries(Instant now, std::int64_t months) const;

    privacy::Feature& privacy_;
};

}  // namespace svc::retention
