// The outbound calls of gateways and plugins.
#include "base/app/outgoing.hpp"

#include "base/platform/outbound/fetch.hpp"

namespace svc::app {

payment::Fetch gateway_fetch(const BaseOptions& options) {
    return [allowed = outbound::Allowed(options.allowed_private_hosts)](const outbound::FetchRequest& request) {
        return outbound::fetch(request, allowed);
    };
}

std::function<Result<plugins::FetchReply>(const plugins::FetchRequest&)> plugin_fetch(const BaseOptions& options) {
    return [fetch = gateway_fetch(options)](const plugins::FetchRequest& request) -> Result<plugins::FetchReply> {
        auto answer = fetch({.url = request.url,
                             .method = request.method,
                             .headers = request.headers,
                             .body = request.body,
                             .timeout = std::chrono::milliseconds(request.timeout_ms),
                             .most_bytes = request.limit});
        if (!answer)
            return answer.error();
        return plugins::FetchReply{
            .status = answer->status, .headers = std::move(answer->headers), .body = std::move(answer->body)};
    };
}

}  // namespace svc::app
