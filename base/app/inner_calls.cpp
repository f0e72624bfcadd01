// A call becomes a request without a socket, and its answer a value.
#include "base/app/inner_calls.hpp"

#include <algorithm>

#include "base/app/fields.hpp"
#include "base/identity/capabilities.hpp"
#include "shared/core/uri.hpp"
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

std::string text_of_query(const json::Value& value) { return value.is_string() ? value.text() : value.dump(); }

void append_query(std::string& target, std::string_view name, const json::Value& value) {
    target += target.find('?') == std::string::npos ? '?' : '&';
    target += text::uri_component(name) + "=" + text::uri_component(text_of_query(value));
}

std::string target_of(const std::string& base_path, const CallRequest& request) {
    std::string target = base_path + request.path;
    for (const auto& [name, value] : request.query.members()) {
        if (value.is_null())
            continue;
        if (!value.is_array())
            append_query(target, name, value);
        else
            for (const json::Value& each : value.items())
                append_query(target, name, each);
    }
    return target;
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

Result<CallReply> reply_of(const HttpAnswer& answer) {
    CallReply reply{.status = answer.status, .headers = answer.headers};
    if (answer.file) {
        const std::size_t size = answer.file_size.value_or(answer.file->size() - answer.file_from);
        if (size > most_raw_bytes)
            return Error{errc::payload_too_large, "The answer is a file of more than 8 MiB."_sentence};
        reply.raw.resize(size);
        reply.raw.resize(answer.file->read(answer.file_from, reply.raw.data(), size));
        return reply;
    }
    if (!answer.body || answer.body->empty())
        return reply;
    const auto type = std::find_if(answer.headers.begin(), answer.headers.end(),
                                   [](const HttpHeader& each) { return same_name(each.first, "Content-Type"); });
    if (type == answer.headers.end() || !type->second.starts_with("application/json")) {
        if (answer.body->size() > most_raw_bytes)
            return Error{errc::payload_too_large, "The answer has more than 8 MiB."_sentence};
        reply.raw = *answer.body;
        return reply;
    }
    SVC_ASSIGN_OR_RETURN(reply.body, json::parse_own(*answer.body));
    return reply;
}

Result<CallReply> made(const InnerCallParts& parts, const CallRequest& request) {
    SVC_RETURN_IF_ERROR(check(request));
    SVC_ASSIGN_OR_RETURN(const Acting acting, acting_of(parts.gatekeeper, request));
    const std::string target = target_of(parts.base_path, request);
    std::vector<HttpHeader> headers(request.headers.begin(), request.headers.end());
    if (!request.body.empty())
        headers.emplace_back("Content-Type", "application/json");
    if (!request.language.empty())
        headers.emplace_back("Accept-Language", request.language);
    if (request.body.size() > parts.gate.plan(request.method, target, headers).body_limit)
        return reply_of(parts.gate.failure(413, headers));
    const HttpAnswer answer = parts.gate.answer({.method = request.method,
                                                 .target = target,
                                                 .headers = headers,
                                                 .body = request.body,
                                                 .peer = request.address.empty() ? own_address : request.address},
                                                &acting);
    if (request.method != "GET" && parts.after_write)
        parts.after_write();
    return reply_of(answer);
}

}  // namespace

plugins::Call inner_calls(InnerCallParts parts) {
    return [parts = std::move(parts)](const CallRequest& request) { return made(parts, request); };
}

}  // namespace svc::app
