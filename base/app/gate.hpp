// The one way in: matches, authenticates, limits, validates, calls the handler behind a barrier, renders, records.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/app/base.hpp"
#include "base/app/notices.hpp"
#include "base/app/render.hpp"
#include "shared/api/inner_call.hpp"
#include "shared/api/route.hpp"
#include "shared/core/date.hpp"

namespace svc::app {

// Whether a limit admits a call, and what the answer's headers say of the limit.
struct Allowance {
    std::optional<int> wait = {};  // seconds to wait: the caller is over a limit
    int limit = 0;                 // calls at once; 0: none applies, and no header is sent
    int rest = 0;                  // calls that are left
    int reset = 0;                 // seconds until all of them are left again
};

// The gate's dependencies as functions, so that it is tested without a database.
struct GateParts {
    const api::RouteTable& routes;
    const Clock& clock;
    std::string base_path;
    std::vector<std::string> cors_origins;
    std::vector<std::string> session_cookies;  // names of the cookies that may carry a session
    bool reads_at_once = false;                // the database is SQLite: a brief route reads it on the I/O thread
    std::function<bool(std::string_view module)> module_enabled;
    std::function<std::string(std::string_view peer, const std::vector<HttpHeader>&)> client_address;
    std::function<bool(std::string_view peer)> is_trusted_proxy;
    std::function<Result<api::Caller>(const std::vector<HttpHeader>&, std::string_view peer)> authenticate;
    // The strictest limit of the route or of the installation. `counts` false: the call was counted before, when it
    // began on another thread.
    std::function<Allowance(const api::RouteSpec&, const std::string& address, const api::Caller&, bool counts)>
        limited;
    // Whether clients may cache responses and revalidate them by ETag; empty: they may.
    std::function<bool()> caches_answers = {};
    // Calls the route's handler, or returns the stored reply for the same Idempotency-Key.
    std::function<api::Reply(api::Request&, const api::RouteSpec&)> perform;
    // The stored success of an equal request of a caller who may not make it any more; empty: none is stored.
    std::function<std::optional<api::Reply>(const api::Request&)> answered = {};
    // Content from memory outside the namespace, under any method: the admin's frame and embedded files. Empty: none.
    // `is_outside` decides by the path.
    std::function<bool(std::string_view path)> is_outside = {};
    std::function<std::optional<api::Reply>(std::string_view path,
                                            const std::function<std::string_view(std::string_view name)>& header)>
        beside = {};
    // After each answer: the route (null when none matched), status, microseconds.
    std::function<void(const api::RouteSpec* route, int status, std::int64_t micros)> observe;
};

// A caller whose identity this process knows: the headers are not asked.
struct Acting {
    api::Caller caller;
    bool is_limited = true;  // by the route's and the installation's limits
};

class Gate {
  public:
    // Every route is known by now; one that is added later is not served.
    explicit Gate(GateParts parts);

    [[nodiscard]] HttpPlan plan(std::string_view method, std::string_view target,
                                const std::vector<HttpHeader>& headers) const;
    // Never throws.
    [[nodiscard]] HttpAnswer answer(const HttpRequest& request, const Acting* acting = nullptr) const;
    // The same for a caller in this process, by the same checks in the same order: values in, values out. A path that
    // is none of a route's is refused as any other.
    [[nodiscard]] api::InnerReply ask(const api::InnerRequest& request, const Acting* acting = nullptr) const;
    // Never throws; as Base::answer_at_once.
    [[nodiscard]] std::optional<HttpAnswer> answer_at_once(const HttpRequest& request) const;
    // As Base::refusal_of_head. Never throws.
    [[nodiscard]] std::optional<HttpAnswer> refusal_of_head(const HttpRequest& head) const;
    // As Base::redirected.
    [[nodiscard]] HttpAnswer redirected(const HttpRequest& request, const std::string& location) const;
    [[nodiscard]] HttpAnswer failure(int status, const std::vector<HttpHeader>& headers) const;

  private:
    struct Call;
    // A whole call: socket or value, the same way.
    [[nodiscard]] Rendered passed(Call& call) const;
    [[nodiscard]] Rendered serve(Call& call) const;
    [[nodiscard]] Rendered serve_outside(const Call& call) const;
    // Its response, or an error response for an exception.
    [[nodiscard]] std::optional<Rendered> guarded(const Call& call,
                                                  const std::function<std::optional<Rendered>()>& answering) const;
    [[nodiscard]] Rendered completed(const Call& call, Rendered answer) const;
    [[nodiscard]] Rendered run(Call& call, const api::RouteSpec& route) const;
    // The handler's reply, or the stored one of an equal request; with what all replies have in common.
    [[nodiscard]] Rendered performed(Call& call, const api::RouteSpec& route, std::optional<api::Reply> earlier) const;
    [[nodiscard]] Error by_sent_names(const Call& call, Error error) const;
    [[nodiscard]] Result<void> read_input(Call& call, const api::RouteSpec& route) const;
    [[nodiscard]] static Rendered preflight(const std::string& allow);
    [[nodiscard]] std::string request_id(const HttpRequest& request) const;

    GateParts parts_;
    const Notices notices_;
    // Lists' parameters and a route's own query as one schema, made once: making one costs more than checking by it.
    std::unordered_map<const api::RouteSpec*, api::Schema> list_queries_;
};

}  // namespace svc::app
