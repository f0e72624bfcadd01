// svc.calls/1: routes that a plugin calls in this process.
#include "base/plugins/calls.hpp"

#include <array>

#include "base/plugins/outside.hpp"
#include "shared/core/ascii.hpp"

namespace svc::plugins {
namespace {

using plugin::Malformed;

// A call that calls itself would run out of stack.
constexpr int deepest = 8;
thread_local int depth = 0;
struct Deeper {
    Deeper() { ++depth; }
    ~Deeper() { --depth; }
    Deeper(const Deeper&) = delete;
    Deeper& operator=(const Deeper&) = delete;
};

CallRequest::As as_from(const std::string& name) {
    constexpr std::array names{"visitor", "user", "system"};
    for (std::size_t i = 0; i < names.size(); ++i)
        if (name == names[i])
            return static_cast<CallRequest::As>(i);
    throw Malformed("\"as\" is visitor, user or system.");
}

CallRequest request_from(const json::Value& value) {
    CallRequest request{.method = plugin::text_of(value, "method"),
                        .path = plugin::text_of(value, "path"),
                        .as = as_from(plugin::text_of(value, "as")),
                        .user_id = value.maybe_integer("user_id").value_or(0),
                        .address = value.text_or("address"),
                        .language = value.text_or("language"),
                        .headers = plugin::headers_from(value)};
    if (const auto* query = value.find("query"); query && query->is_object())
        request.query = *query;
    if (const auto* body = value.find("body"); body && !body->is_null())
        request.body = *body;
    return request;
}

json::Value to_json(const CallReply& reply) {
    auto value = json::Value::object({{"status", reply.status}, {"headers", plugin::headers_json(reply.headers)}});
    if (reply.raw.empty())
        value.set("body", reply.body);
    else
        value.set("raw_hex", ascii::hex(reply.raw));
    return value;
}

svc_status call(void* self, svc_text request, svc_answer* answer) noexcept {
    return outside(self, answer, "A route is not called", [&](Registration& r) {
        if (depth >= deepest)
            throw plugin::Failed("Calls of routes that are made by calls are at most eight deep.");
        const Deeper one;
        const auto reply = r.services.call(request_from(plugin::read_json(request)));
        return reply ? plugin::answer_value(answer, to_json(*reply)) : plugin::answer_error(answer, reply.error());
    });
}

}  // namespace

Result<CallReply> CallDoor::operator()(const CallRequest& request) const {
    const Call* call = call_.load();
    if (!call)
        throw store::Unavailable("The base does not serve yet.");
    return (*call)(request);
}

svc_calls_1 calls_table_of(Registration& r) { return {sizeof(svc_calls_1), &r, &call}; }

}  // namespace svc::plugins
