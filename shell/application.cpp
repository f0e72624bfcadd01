// Carries requests from the transport to the base and answers back.
#include "shell/application.hpp"

#include <utility>

namespace svc::shell {
namespace {

std::string_view path_of(const http::RequestHead& head) {
    return std::string_view(head.target).substr(0, head.target.find('?'));
}

bool reads(const http::RequestHead& head) { return head.method == "GET" || head.method == "HEAD"; }

http::Lane lane_of(HttpLane lane) {
    switch (lane) {
        case HttpLane::webhook:
            return http::Lane::webhook;
        case HttpLane::admin:
            return http::Lane::admin;
        case HttpLane::provider:
            return http::Lane::provider;
        case HttpLane::checkout:
            return http::Lane::checkout;
        case HttpLane::document:
            return http::Lane::document;
        case HttpLane::general:
            break;
    }
    return http::Lane::general;
}

HttpRequest carried(const http::Request& request) {
    return {request.method, request.target, request.headers, request.body, request.peer, request.tried};
}

http::Response response_of(HttpAnswer&& answer) {
    return {answer.status,
            std::move(answer.headers),
            std::move(answer.body),
            std::move(answer.file),
            answer.file_from,
            answer.file_size,
            answer.last};
}

http::Response plain(int status, std::string body, const char* type = "text/plain; charset=utf-8") {
    return {status,
            {{"Content-Type", type}, {"Cache-Control", "no-store"}},
            std::make_shared<const std::string>(std::move(body))};
}

// Names and reasons come from the base; quoting keeps the line valid JSON in any case.
std::string in_json(std::string_view text) {
    std::string answer = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            answer += '\\';
        answer += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return answer + '"';
}

void metric(std::string& text, std::string_view name, std::string_view type, std::string_view help,
            std::uint64_t value) {
    text.append("# HELP ").append(name).append(" ").append(help).append("\n# TYPE ").append(name).append(" ");
    text.append(type).append("\n").append(name).append(" ").append(std::to_string(value)).append("\n");
}

std::string metrics_of(const http::Counters& counters) {
    std::string text;
    metric(text, "svc_http_connections", "gauge", "Open connections.", counters.connections_open);
    metric(text, "svc_http_connections_total", "counter", "Connections accepted.", counters.connections_total);
    metric(text, "svc_http_requests_total", "counter", "Requests whose head was read.", counters.requests);
    metric(text, "svc_http_in_flight", "gauge", "Requests without their answer yet.", counters.in_flight);
    metric(text, "svc_http_second_answers_total", "counter", "Second answers to one request, dropped.",
           counters.second_answers);
    text +=
        "# HELP svc_http_refused_total Requests the transport refused by itself.\n"
        "# TYPE svc_http_refused_total counter\n";
    for (const auto& [status, count] : {std::pair{"400", counters.refused_400}, std::pair{"408", counters.refused_408},
                                        std::pair{"413", counters.refused_413}, std::pair{"414", counters.refused_414},
                                        std::pair{"417", counters.refused_417}, std::pair{"431", counters.refused_431},
                                        std::pair{"501", counters.refused_501}, std::pair{"503", counters.refused_503},
                                        std::pair{"505", counters.refused_505}})
        text += std::string("svc_http_refused_total{status=\"") + status + "\"} " + std::to_string(count) + "\n";
    return text;
}

}  // namespace

BaseApplication::BaseApplication(Base& base, std::string base_path) : base_(base), base_path_(std::move(base_path)) {}

std::string BaseApplication::redirect_of(const http::RequestHead& head) const {
    const std::string_view path = path_of(head);
    std::string target;
    if (path == "/docs" || (path == "/" && base_path_.empty()))
        target = base_path_ + "/docs";
    else if (path == "/openapi.json")
        target = base_path_ + "/openapi.json";
    // Mounted at the root, the namespace has these paths itself.
    return reads(head) && target != path ? target : std::string{};
}

http::Plan BaseApplication::plan(const http::RequestHead& head) {
    if (!redirect_of(head).empty())
        return {0, false, http::Lane::general};
    const HttpPlan plan = base_.plan(head.method, head.target, head.headers);
    return {plan.body_limit, plan.waits, lane_of(plan.lane), plan.proven_body_limit};
}

http::Response BaseApplication::answer(http::Request&& request) { return response_of(base_.answer(carried(request))); }

std::optional<http::Response> BaseApplication::answer_at_once(http::Request& request) {
    if (const std::string location = redirect_of(request); !location.empty())
        return response_of(base_.redirected(carried(request), location));
    auto answer = base_.answer_at_once(carried(request));
    return answer ? std::optional(response_of(std::move(*answer))) : std::nullopt;
}

std::optional<http::Response> BaseApplication::refusal_of_head(const http::Request& head) {
    auto refusal = base_.refusal_of_head(carried(head));
    return refusal ? std::optional(response_of(std::move(*refusal))) : std::nullopt;
}

http::Response BaseApplication::failure(int status, const std::vector<http::Header>& fields) {
    return response_of(base_.failure(status, fields));
}

AdminApplication::AdminApplication(Base& base, std::function<http::Counters()> counters)
    : base_(base), counters_(std::move(counters)) {}

http::Plan AdminApplication::plan(const http::RequestHead& head) {
    return {1024, path_of(head) != "/healthz", http::Lane::admin};
}

http::Response AdminApplication::answer(http::Request&& request) {
    const std::string_view path = path_of(request);
    if (path != "/healthz" && path != "/readyz" && path != "/metrics")
        return failure(404, {});
    if (!reads(request)) {
        http::Response refusal = failure(405, {});
        refusal.headers.emplace_back("Allow", "GET, HEAD");
        return refusal;
    }
    if (path == "/healthz")
        return plain(200, "ok\n");
    if (path == "/readyz")
        return readiness();
    return plain(200, base_.metrics() + metrics_of(counters_()), "text/plain; version=0.0.4; charset=utf-8");
}

http::Response AdminApplication::readiness() {
    const Readiness readiness = base_.readiness();
    std::string body = std::string("{\"ready\":") + (readiness.ready ? "true" : "false") + ",\"checks\":{";
    for (const auto& [name, help] : readiness.checks)
        body += (body.back() == '{' ? "" : ",") + in_json(name) + ":" + in_json(help);
    return plain(readiness.ready ? 200 : 503, body + "}}\n", "application/json");
}

http::Response AdminApplication::failure(int status, const std::vector<http::Header>&) {
    return plain(status, std::to_string(status) + "\n");
}

}  // namespace svc::shell
