// Requests other servers: svc.fetch/2 as a plugin sees it.
#pragma once

#include "shared/plugin/host.hpp"

namespace svc::plugin {

// Waits for the server: throws Failed inside a transaction or a session's callback.
class FetchTwo {
  public:
    using Table = svc_fetch_2;
    static constexpr const char* id = SVC_FETCH_2;
    static bool usable(const Table* table) { return SVC_HAS(svc_fetch_2, table, fetch); }
    explicit FetchTwo(const Table* table) : table_(table) {}

    struct Request : FetchRequest {
        std::string certificate_chain = {}, certificate_key = {};  // PEM; empty: none
        int host_burst = 0;                                        // calls at once of the URL's host; 0: no limit
        std::chrono::seconds host_per{60};
    };
    struct Reply : FetchReply {
        std::chrono::milliseconds duration{0};
    };
    // svc_rate_limited: over the host's limit, nothing was sent. Redirects are not followed.
    [[nodiscard]] Result<Reply> operator()(const Request& request) const;

  private:
    const Table* table_;
};

}  // namespace svc::plugin
