// Which bodies a request may have, and the thread that handles it, from its head alone.
#include <algorithm>

#include "base/app/fields.hpp"
#include "base/app/gate.hpp"
#include "shared/core/ascii.hpp"

namespace svc::app {
namespace {

constexpr std::size_t unproven_body = std::size_t{1} << 20;

// Whether any of the cookies is sent, in any field.
bool sends_cookie(const std::vector<HttpHeader>& headers, const std::vector<std::string>& names) {
    for (const auto& [key, value] : headers) {
        if (!same_name(key, "Cookie"))
            continue;
        for (std::string_view rest = value; !rest.empty();) {
            const auto end = rest.find(';');
            const auto name = ascii::trimmed(rest.substr(0, std::min(end, rest.find('='))));
            if (std::find(names.begin(), names.end(), name) != names.end())
                return true;
            rest = end == std::string_view::npos ? std::string_view{} : rest.substr(end + 1);
        }
    }
    return false;
}

// A route whose only answer is a PDF renders it, which takes processor time and memory: documents have a separate lane.
HttpLane lane_of(const api::RouteSpec& route) {
    const bool renders = route.files.size() == 1 && route.files.front() == "application/pdf";
    return renders ? HttpLane::document : static_cast<HttpLane>(route.lane);
}

}  // namespace

HttpPlan Gate::plan(std::string_view method, std::string_view target, const std::vector<HttpHeader>& headers) const {
    const std::string_view path = target.substr(0, target.find('?'));
    constexpr std::size_t unknown_body = 64 * 1024;
    if (!path.starts_with(parts_.base_path) || (parts_.is_outside && parts_.is_outside(path)))
        return {.body_limit = unknown_body, .waits = false};
    std::string_view rest = path.substr(parts_.base_path.size());
    if (rest.empty())
        rest = "/";
    const auto match = parts_.routes.match(method, rest, parts_.module_enabled);
    if (!match.route)
        return {.body_limit = unknown_body, .waits = false};
    // Proving who calls reads the database, so a request with credentials never stays on the I/O thread.
    const bool proves = !field(headers, "Authorization").empty() || sends_cookie(headers, parts_.session_cookies);
    // Bounds the memory for bodies that only staff may send, until the credential is checked.
    const std::size_t most = match.route->body_limit;
    return {.body_limit = match.route->who.is_public() ? most : std::min(most, unproven_body),
            .waits = proves || (match.route->waits && !(match.route->brief && parts_.reads_at_once)),
            .lane = lane_of(*match.route),
            .proven_body_limit = proves && !match.route->who.is_public() ? most : 0};
}

}  // namespace svc::app
