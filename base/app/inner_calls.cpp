// A plugin's call becomes a request of values, and its reply an answer to the plugin.
#include "base/app/inner_calls.hpp"

#include <algorithm>

#include "base/app/fields.hpp"
#include "base/people/identity/capabilities.hpp"
#include "shared/api/query.hpp"
#include "shared/json/own.hpp"

namespace svc::app {
namespace {

using plugins::CallReply;
using plugins::CallRequest;

constexpr std::string_view own_address = "127.0.0.1";
constexpr std::size_t most_raw_bytes = 8U << 20U;

// What the process itself says of the caller, or what belongs to a transport.
bool is_callers_own(std::string_view name) {
    constexpr std::string_view known[] = {"If-Match",      "If-None-Match",       "Idempotency-Key",
                                          "X-Svc-Session", "X-Svc-Booking-Token", "User-Agent"};
    return std::any_of(std::begin(known), std::end(known),
                       [&](std::string_view each) { return same_name(name, each); });
}

// A query as an address would have it: every value a text.
json::Value query_of(const CallRequest& request) {
    json::Value query = json::Value::object();
    const auto add = [&](const std::string& name, const json::Value& value) {
        api::add_parameter(query, name, value.is_string() ? value.text() : value.dump());
    };
    for (const auto& [name, value] : request.query.members()) {
        if (value.is_null())
            continue;
        if (!value.is_array())
            add(name, value);
        else
            for (const json::Value& each : value.items())
                add(name, each);
    }
    return query;
}

Result<Acting> acting_of(identity::Gatekeeper& gatekeeper, const CallRequest& request) {
    if (request.as == CallRequest::As::visitor)
        return Acting{};
    if (request.as == CallRequest::As::user) {
        auto caller = gatekeeper.of_user(request.user_id, "call:" + std::to_string(request.user_id));
        if (!caller)
            return Error{errc::unauthorized, "There is no active user of that id."_sentence};
        return Acting{.caller = std::move(*caller)};
    }
    api::Caller system{.kind = api::Caller::Kind::user,
                       .login = "system",
                       .email = {},
                       .capabilities = *identity::capabilities_of("administrator"),
                       .session_key = "call:system"};
    return Acting{.caller = std::move(system), .is_limited = false};
}

Result<void> check(const CallRequest& request) {
    if (!request.path.starts_with('/') || request.path.find_first_of("?# \r\n") != std::string::npos)
        return invalid("path", "The path begins with / and holds no query."_sentence);
    for (const auto& [name, value] : request.headers)
        if (!is_callers_own(name) || value.find_first_of("\r\n") != std::string::npos)
            return invalid("headers", "The header {name} is not passed on."_sentence.with("name", name));
    if (request.language.find_first_of("\r\n") != std::string::npos)
        return invalid("language", "A language as in Accept-Language, such as de."_sentence);
    return {};
}

Result<CallReply> reply_of(api::InnerReply given) {
    CallReply reply{.status = given.status};
    if (given.is_json()) {  // a text that a handler had ready
        SVC_ASSIGN_OR_RETURN(reply.body, json::parse_own(*given.bytes));
    } else if (given.bytes || given.file) {
        auto content = api::content_of(given, most_raw_bytes);
        if (!content)
            return Error{errc::payload_too_large, given.file ? "The answer is a file of more than 8 MiB."_sentence
                                                             : "The answer has more than 8 MiB."_sentence};
        reply.raw = std::move(*content);
    } else {
        reply.body = std::move(given.body);
    }
    reply.headers = std::move(given.headers);
    return reply;
}

api::InnerReply failure_of(HttpAnswer answer) {
    return {.status = answer.status, .headers = std::move(answer.headers), .bytes = std::move(answer.body)};
}

// About the bytes that the body would have as a text.
std::size_t size_of(const json::Value& value) {
    std::size_t size = 2;
    if (value.is_string())
        size += value.text().size();
    else if (value.is_number())
        size = value.number_text().size();
    if (value.is_array())
        for (const json::Value& each : value.items())
            size += size_of(each) + 1;
    if (value.is_object())
        for (const auto& [name, member] : value.members())
            size += name.size() + 4 + size_of(member);
    return size;
}

Result<CallReply> made(const InnerCallParts& parts, const CallRequest& request) {
    SVC_RETURN_IF_ERROR(check(request));
    SVC_ASSIGN_OR_RETURN(const Acting acting, acting_of(parts.gatekeeper, request));
    std::vector<HttpHeader> headers(request.headers.begin(), request.headers.end());
    if (!request.body.is_null())
        headers.emplace_back("Content-Type", "application/json");
    if (!request.language.empty())
        headers.emplace_back("Accept-Language", request.language);
    if (size_of(request.body) > parts.gate.plan(request.method, parts.base_path + request.path, headers).body_limit)
        return reply_of(failure_of(parts.gate.failure(413, headers)));
    auto reply = parts.gate.ask({.method = request.method,
                                 .path = request.path,
                                 .query = query_of(request),
                                 .body = request.body,
                                 .headers = headers,
                                 .peer = request.address.empty() ? own_address : request.address},
                                &acting);
    if (request.method != "GET" && parts.after_write)
        parts.after_write();
    return reply_of(std::move(reply));
}

}  // namespace

plugins::Call inner_calls(InnerCallParts parts) {
    return [parts = std::move(parts)](const CallRequest& request) { return made(parts, request); };
}

}  // namespace svc::app
