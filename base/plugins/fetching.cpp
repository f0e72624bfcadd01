// svc.fetch/2: requests to other servers, with a certificate, limits by host and the time they took.
#include <chrono>

#include "base/plugins/outside.hpp"

namespace svc::plugins {
namespace {

using plugin::Malformed;
using plugin::text_of;

// Scheme, host and port of the URL: what a limit counts.
std::string origin_of(const std::string& url) {
    const auto scheme = url.find("://");
    return scheme == std::string::npos ? url : url.substr(0, url.find_first_of("/?#", scheme + 3));
}

Result<void> within_limit(const Registration& r, const json::Value& value, const std::string& url) {
    const auto* limit = value.find("host_limit");
    if (!limit || !limit->is_object())
        return {};
    const auto burst = limit->maybe_integer("burst").value_or(0), seconds = limit->maybe_integer("seconds").value_or(0);
    if (burst < 1 || burst > 100'000 || seconds < 1 || seconds > 86'400)
        throw Malformed("\"host_limit\" has a burst of 1 to 100000 and seconds of 1 to 86400.");
    return limits::answer_of(
        r.services.take_limit("plugin:" + r.guest->name() + ":fetch", origin_of(url),
                              {.burst = static_cast<int>(burst), .per = std::chrono::seconds(seconds)}, false));
}

svc_status fetch(void* self, svc_text text, svc_answer* answer) noexcept {
    return outside(self, answer, "A server is not asked", [&](Registration& r) {
        constexpr std::string_view methods[] = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"};
        const auto value = plugin::read_json(text);
        FetchRequest request = fetch_request_from(value);
        if (std::find(std::begin(methods), std::end(methods), request.method) == std::end(methods))
            throw Malformed("\"method\" is GET, HEAD, POST, PUT, PATCH or DELETE.");
        if (const auto* certificate = value.find("certificate"); certificate && certificate->is_object()) {
            request.certificate_chain = text_of(*certificate, "chain");
            request.certificate_key = text_of(*certificate, "key");
        }
        if (const auto within = within_limit(r, value, request.url); !within)
            return plugin::answer_error(answer, within.error());
        const auto began = std::chrono::steady_clock::now();
        const auto reply = r.services.fetch(request);
        if (!reply)
            return plugin::answer_error(answer, reply.error());
        const auto took =
            std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - began).count();
        return plugin::answer_value(answer, json::Value::object({{"status", reply->status},
                                                                 {"headers", plugin::headers_json(reply->headers)},
                                                                 {"body", reply->body},
                                                                 {"duration_ms", static_cast<std::int64_t>(took)}}));
    });
}

}  // namespace

svc_fetch_2 fetch_2_table_of(Registration& r) { return {sizeof(svc_fetch_2), &r, &fetch}; }

}  // namespace svc::plugins
