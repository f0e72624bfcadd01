// Limits how often something may be done: svc.limits/1 as a plugin sees it.
#pragma once

#include "shared/plugin/host.hpp"

namespace svc::plugin {

class Limits {
  public:
    using Table = svc_limits_1;
    static constexpr const char* id = SVC_LIMITS_1;
    static bool usable(const Table* table) { return SVC_HAS(svc_limits_1, table, take); }
    explicit Limits(const Table* table) : table_(table) {}

    enum class By : std::uint8_t { address, mailbox, key };
    struct Use {
        std::string action;  // a word of the plugin's own
        By by = By::address;
        std::string subject;  // that address, mailbox or key
        int burst = 1;        // uses at once
        std::chrono::seconds per{60};
        bool strict = false;  // exact over all processes, at the cost of a commit: for guesses at secrets
    };
    struct Left {
        int limit = 0, rest = 0, reset = 0;  // `reset`: seconds until all uses are left again
    };
    // Counts one use; svc_rate_limited with its Retry-After over the limit. A strict one throws Failed inside a
    // transaction.
    Result<Left> take(const Use& use) const;

  private:
    const Table* table_;
};

}  // namespace svc::plugin
