// Caching, marks, other origins.
#include "base/app/answer_headers.hpp"

#include <algorithm>
#include <random>

#include "base/app/fields.hpp"
#include "shared/core/ascii.hpp"

namespace svc::app {

void keep_nowhere_unless_said(HttpAnswer& answer) {
    if (std::none_of(answer.headers.begin(), answer.headers.end(),
                     [](const HttpHeader& header) { return header.first == "Cache-Control"; }))
        answer.headers.emplace_back("Cache-Control", "no-store");
}

void keep_nowhere(HttpAnswer& answer) {
    std::erase_if(answer.headers, [](const HttpHeader& header) { return header.first == "Cache-Control"; });
    answer.headers.emplace_back("Cache-Control", "no-store");
}

void mark(HttpAnswer& answer, const std::string& request_id) {
    answer.headers.emplace_back("X-Request-Id", request_id);
    answer.headers.emplace_back("X-Content-Type-Options", "nosniff");
    answer.headers.emplace_back("Referrer-Policy", "no-referrer");
}

void add_cors(const std::vector<std::string>& origins, std::string_view method, const std::vector<HttpHeader>& headers,
              HttpAnswer& answer) {
    if (origins.empty())
        return;
    answer.headers.emplace_back("Vary", "Origin");
    const std::string_view origin = field(headers, "Origin");
    if (origin.empty() || std::find(origins.begin(), origins.end(), origin) == origins.end())
        return;
    answer.headers.emplace_back("Access-Control-Allow-Origin", std::string(origin));
    answer.headers.emplace_back(
        "Access-Control-Expose-Headers",
        "X-Host-Total, X-Host-TotalPages, X-Request-Id, Retry-After, RateLimit-Limit, RateLimit-Remaining,"
        " RateLimit-Reset, Link, Location, ETag, Deprecation, Warning");
    if (method != "OPTIONS")
        return;
    answer.headers.emplace_back("Access-Control-Allow-Methods", "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");
    answer.headers.emplace_back("Access-Control-Allow-Headers",
                                "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, If-Range, "
                                "Range, X-Host-Nonce, X-Svc-Session, X-Svc-Booking-Token");
    answer.headers.emplace_back("Access-Control-Max-Age", "600");
}

std::string fresh_id() {
    thread_local std::mt19937_64 random{std::random_device{}()};
    std::string id(24, '0');
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < id.size(); ++i) {
        if (i % 16 == 0)
            bits = random();
        id[i] = ascii::hex_digits[bits & 15U];
        bits >>= 4U;
    }
    return id;
}

}  // namespace svc::app
