// A route of things, as test plugins declare it.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "shared/api/route.hpp"

namespace svc::tests {

inline constexpr const char* day = "2026-11-01";

inline api::RouteSpec thing_route(api::Method method, std::string path,
                                  std::function<api::Reply(const api::Request&)> handle = {}) {
    if (!handle)
        handle = [](const api::Request& request) { return api::ok(request.body); };
    return {.method = method,
            .path = std::move(path),
            .who = api::Permission::everyone(),
            .summary = "For the test.",
            .handle = std::move(handle)};
}

}  // namespace svc::tests
