// What both partners' requests have in common.
#include "pro/tracking/wire.hpp"

#include <algorithm>
#include <charconv>

namespace svc::pro::tracking {
namespace {

constexpr std::chrono::seconds longest_wait = std::chrono::hours(24);

}  // namespace

plugin::FetchTwo::Request request_to(std::string url, std::string body) {
    plugin::FetchTwo::Request request;
    request.method = body.empty() ? "GET" : "POST";
    request.url = std::move(url);
    if (!body.empty())
        request.headers = {{"Content-Type", "application/json"}};
    request.headers.emplace_back("Accept", "application/json");
    request.body = std::move(body);
    request.timeout = patience;
    request.limit = longest_answer;
    request.host_burst = calls_at_once;
    return request;
}

std::string problem_of(const Error& error) { return error.cause().empty() ? error.message().english() : error.cause(); }

bool is_overloaded(int status) { return status == 429 || status >= 500; }

// Seconds alone: neither partner sends a date.
std::optional<std::chrono::seconds> retry_after(const plugin::FetchReply& reply) {
    for (const auto& [name, value] : reply.headers) {
        std::int64_t seconds = 0;
        const auto [end, fault] = std::from_chars(value.data(), value.data() + value.size(), seconds);
        if (name == "retry-after" && fault == std::errc() && end == value.data() + value.size() && seconds >= 0)
            return std::min(std::chrono::seconds(seconds), longest_wait);
    }
    return std::nullopt;
}

}  // namespace svc::pro::tracking
