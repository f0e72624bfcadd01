// Calls a route's handler as the gate would, without a gate: input checked by the route's schemas.
#pragma once

#include <map>
#include <stdexcept>
#include <string>

#include "shared/api/route.hpp"

namespace svc::tests {

struct Call {
    api::Caller caller = {};
    json::Value body = json::Value::object();
    json::Value query = json::Value::object();
    std::map<std::string, std::string> headers = {};  // names as the handler asks for them
    std::string address = "203.0.113.9";
    Instant now = {};
};

inline api::Reply call_route(
    const api::RouteTable& routes, std::string_view method, std::string_view path, const Call& call,
    const std::function<api::Reply(api::Request&)>& handle = [](api::Request& request) {
        return request.route->handle(request);
    }) {
    const auto match = routes.match(method, path, [](std::string_view) { return true; });
    if (!match.route)
        throw std::logic_error("no such route in this test");
    if (auto admitted = match.route->who.admits(call.caller); !admitted)
        return api::failed(admitted.error());
    const std::string raw = call.body.dump();
    api::Request request;
    request.route = match.route;
    request.caller = call.caller;
    request.path = match.path;
    request.raw_body = raw;
    request.address = call.address;
    request.now = call.now;
    request.header = [&call](std::string_view name) -> std::string_view {
        const auto found = call.headers.find(std::string(name));
        return found == call.headers.end() ? std::string_view{} : std::string_view(found->second);
    };
    request.query = call.query;
    if (match.route->free_body) {
        request.body = call.body;
    } else {
        auto clean = match.route->body.check(call.body);
        if (!clean)
            return api::failed(clean.error());
        request.body = std::move(*clean);
    }
    return handle(request);
}

}  // namespace svc::tests
