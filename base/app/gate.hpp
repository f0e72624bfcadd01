// The one way in: matches, authenticates, limits, validates, calls the handler behind a barrier, renders, records.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/app/base.hpp"
#include "shared/api/route.hpp"
#include "shared/core/date.hpp"

namespace svc::app {

// A stored or a new answer to a request that carries an Idempotency-Key (reliability R3).
struct Replay {
    std::optional<HttpAnswer> stored;  // answered instead of calling the handler
    // Called with the rendered answer by the write that makes it durable, or by the gate afterwards.
    std::function<void(store::Transaction&, int status, const std::string& body)> keep;
    std::function<Result<void>(int status, const std::string& body)> finish;  // by the gate, after the handler
};

// What the gate needs of the platform, as functions, so that it is tested without a database.
struct GateParts {
    const api::RouteTable& routes;
    const Clock& clock;
    std::string base_path;
    std::vector<std::string> cors_origins;
    std::string session_cookie;  // name of the cookie that carries a session
    std::function<bool(std::string_view module)> module_enabled;
    std::function<std::string(std::string_view peer, const std::vector<HttpHeader>&)> client_address;
    std::function<bool(std::string_view peer)> is_trusted_proxy;
    std::function<Result<api::Caller>(const std::vector<HttpHeader>&, const std::string& address)> authenticate;
    // Seconds to wait when the caller is over a limit of the route or of the installation.
    std::function<std::optional<int>(const api::RouteSpec&, const std::string& address, const api::Caller&)> limited;
    // Null when the installation keeps no replays. `fingerprint` covers method, path, query and body.
    std::function<Result<Replay>(std::string_view key, const std::string& scope, std::string_view fingerprint)> replay;
    // After each answer: route template ("" when none matched), status, microseconds.
    std::function<void(const std::string& route, int status, std::int64_t micros)> observe;
};

class Gate {
  public:
    explicit Gate(GateParts parts);

    [[nodiscard]] HttpPlan plan(std::string_view method, std::string_view target,
                                const std::vector<HttpHeader>& headers) const;
    // Never throws.
    [[nodiscard]] HttpAnswer answer(const HttpRequest& request) const;
    [[nodiscard]] HttpAnswer failure(int status) const;

  private:
    struct Call;
    [[nodiscard]] HttpAnswer serve(Call& call) const;
    [[nodiscard]] HttpAnswer guarded(Call& call) const;
    [[nodiscard]] HttpAnswer run(Call& call, const api::RouteSpec& route) const;
    [[nodiscard]] Result<void> read_input(Call& call, const api::RouteSpec& route) const;
    [[nodiscard]] HttpAnswer preflight(Call& call, const std::string& allow) const;
    void add_cors(const Call& call, HttpAnswer& answer) const;
    [[nodiscard]] std::string request_id(const HttpRequest& request) const;

    GateParts parts_;
};

}  // namespace svc::app
