// Sends requests to the licence server, and trusts only the terms in its response.
#pragma once

#include <string>
#include <string_view>

#include "pro/license/license.hpp"
#include "shared/core/result.hpp"
#include "shared/plugin/host.hpp"

namespace svc::pro::license {

inline constexpr ErrorCode invalid_license{"invalid_license", 400, "This licence key is invalid."};
inline constexpr ErrorCode activation_limit{"activation_limit", 409,
                                            "This licence has reached its site limit. Deactivate another site first."};

struct Answer {
    Terms terms;
    std::string text;  // the whole answer
};

// One POST of {"action", "license_key", "item_id", "site_id", "nonce"} as JSON. The server answers 200 with {"result":
// "ok" | "invalid_license" | "activation_limit", "nonce": the request's, "license": {terms}}, and its Ed25519 signature
// of the body's bytes in X-Svc-Signature; so nobody in between can forge or replay a response. Any other response, and
// one whose terms violate their types and limits, is svc_upstream_error. Blocks up to 8 s; any thread, outside of
// transactions.
class Server {
  public:
    explicit Server(const plugin::Host& host) : host_(host) {}
    // action: activate, deactivate, check.
    [[nodiscard]] Result<Answer> ask(std::string_view action, const std::string& key, const std::string& site_id,
                                     Instant now) const;

    // Scheme, host and port of the configured server; empty without one.
    [[nodiscard]] std::string origin() const;

  private:
    [[nodiscard]] Result<std::string> address() const;
    const plugin::Host& host_;
};

}  // namespace svc::pro::license
