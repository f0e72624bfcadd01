// The ability to send e-mails: svc.mails/1 as a plugin sees it.
#pragma once

#include "shared/mails/offered.hpp"
#include "shared/plugin/host.hpp"

namespace svc::plugin {

class Mails {
  public:
    using Table = svc_mails_1;
    static constexpr const char* id = SVC_MAILS_1;
    static bool usable(const Table* table) { return SVC_HAS(svc_mails_1, table, log); }
    explicit Mails(const Table* table) : table_(table) {}

    // Throws Refused; belongs into attach.
    void declare(const mails::OfferedTemplate& offered);
    // Part of `tx`, a transaction of the plugin's store: sent after its commit. validation_error names the member.
    Result<void> queue(store::Transaction& tx, const mails::QueuedMail& mail) const;
    // The plugin's own e-mails, newest first. Any thread, outside of transactions.
    [[nodiscard]] Result<std::vector<mails::LoggedMail>> log(const mails::LogQuery& query) const;

  private:
    const Table* table_;
};

}  // namespace svc::plugin
