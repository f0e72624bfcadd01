// The address of the site, which the base tells a plugin once it serves.
#pragma once

#include <mutex>
#include <string>

#include "shared/plugin/host_calls.hpp"

namespace svc::pro {

// Asks the base at the first use that succeeds, and never again. Any thread that may wait, outside transactions and
// sessions; svc_unavailable while the base does not serve yet, or knows no address.
class SiteAddress {
  public:
    explicit SiteAddress(const plugin::Calls& calls) : calls_(calls) {}

    Result<std::string> site_url();   // "https://boots.example", without a slash at its end
    Result<std::string> base_path();  // of the interface: "/svc/v1"

  private:
    Result<void> learn();  // with the mutex held

    const plugin::Calls& calls_;
    std::mutex mutex_;
    std::string site_url_, base_path_;  // empty until asked
};

}  // namespace svc::pro
