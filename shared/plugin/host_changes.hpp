// Reports what has changed in any process: svc.changes/1 as a plugin sees it.
#pragma once

#include "shared/plugin/host.hpp"

namespace svc::plugin {

// Channels as in svc_changes.h: a word of the plugin's own, or "base:trips" and its kin.
class Changes {
  public:
    using Table = svc_changes_1;
    static constexpr const char* id = SVC_CHANGES_1;
    static bool usable(const Table* table) { return SVC_HAS(svc_changes_1, table, token); }
    explicit Changes(const Table* table) : table_(table) {}

    // `changed` runs within a second after a change, on a thread of the base: it waits for nothing. Empty: for token()
    // alone. Throws Refused; belongs into attach.
    void follow(const std::string& channel, std::function<void()> changed = {});
    // Counts a change of an own channel; last in the transaction.
    void touch(store::Transaction& tx, std::string_view channel) const;
    // Another one than before: the followed channel has changed since. Throws Failed for one that is not followed.
    [[nodiscard]] std::int64_t token(std::string_view channel) const;

  private:
    static void call(void* context) noexcept;
    const Table* table_;
    std::deque<std::function<void()>> followers_;  // stable addresses: each is a function's context
};

}  // namespace svc::plugin
