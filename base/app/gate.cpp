// The order of checks is the security of the system: route, identity, limit, right, input, ownership, handler.
#include "base/app/gate.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "base/app/answer_headers.hpp"
#include "base/app/as_sent.hpp"
#include "base/app/fields.hpp"
#include "base/app/input.hpp"
#include "base/app/page_links.hpp"
#include "base/app/ranges.hpp"
#include "base/app/render.hpp"
#include "base/platform/texts/sentences.hpp"
#include "shared/api/query.hpp"
#include "shared/core/correlation.hpp"
#include "shared/core/log.hpp"
#include "shared/core/no_wait.hpp"

namespace svc::app {
namespace {

void report_refusal(const std::string& request_id, const Error& error) {
    if (!log::shows(log::Level::debug))
        return;
    std::string fields;
    for (const FieldError& fault : error.fields())
        fields += (fields.empty() ? "" : " ") + fault.field;
    log::debug("refusal", {{"request_id", log::Value::ours(request_id)},
                           {"code", log::Value::ours(error.code().name)},
                           {"fields", fields}});
}

// The limit that applied to the call, how much of it is left, and in how many seconds all of it is left again.
void add_limit(HttpAnswer& answer, const Allowance& allowance) {
    if (allowance.limit == 0)
        return;
    answer.headers.emplace_back("RateLimit-Limit", std::to_string(allowance.limit));
    answer.headers.emplace_back("RateLimit-Remaining", std::to_string(allowance.rest));
    answer.headers.emplace_back("RateLimit-Reset", std::to_string(allowance.reset));
}

}  // namespace

// One request on its way through.
struct Gate::Call {
    const HttpRequest& http;
    std::string_view path, query;
    const Acting* acting = nullptr;
    std::chrono::steady_clock::time_point began = std::chrono::steady_clock::now();
    api::Request request{};
    const api::RouteSpec* route = nullptr;
    std::vector<api::Notice> notices{};  // deprecated parts that it uses
    Allowance allowance{};
    std::vector<std::string> unknown_keys{};   // of the body
    const api::InnerRequest* inner = nullptr;  // of this process: query and body are values, `http` has the rest
    std::string body_text{};                   // of such a call, where the route reads bytes or a key compares them

    [[nodiscard]] Form form() const { return inner ? Form::value : Form::text; }
    // In which errors are said.
    [[nodiscard]] std::string language() const {
        return texts::language_asked_for(field(http.headers, "Accept-Language"));
    }
    [[nodiscard]] Rendered refused(const Error& error) const { return render(error, form(), language()); }
    [[nodiscard]] std::string query_text() const { return inner ? api::query_text(inner->query) : std::string(query); }
};

Gate::Gate(GateParts parts) : parts_(std::move(parts)), notices_(parts_.routes, parts_.base_path) {
    for (const auto& route : parts_.routes.all())
        if (route->is_list)
            list_queries_.emplace(route.get(), api::list_parameters(*route).plus(route->query));
}

std::string Gate::request_id(const HttpRequest& request) const {
    const std::string_view given = field(request.headers, "X-Request-Id");
    if (is_correlation_id(given) && parts_.is_trusted_proxy(request.peer))
        return std::string(given);
    return fresh_id();
}

Rendered Gate::passed(Call& call) const {
    // A call that a request's handler makes is found by that request's id.
    call.request.id = call.acting && !Correlation::current().empty() ? Correlation::current() : request_id(call.http);
    const Correlation of_request(call.request.id);
    return completed(call, *guarded(call, [&] { return std::optional(serve(call)); }));
}

HttpAnswer Gate::answer(const HttpRequest& http, const Acting* acting) const {
    Call call{.http = http, .path = {}, .query = {}, .acting = acting};
    return passed(call);
}

api::InnerReply Gate::ask(const api::InnerRequest& request, const Acting* acting) const {
    const std::string target = parts_.base_path + std::string(request.path);
    const HttpRequest http{.method = request.method,
                           .target = target,
                           .headers = request.headers,
                           .body = request.bytes,
                           .peer = request.peer,
                           .of_page = request.of_page};
    Call call{.http = http, .path = {}, .query = {}, .acting = acting, .inner = &request};
    call.request.takes_held = request.takes_held;
    Rendered answer = passed(call);
    return {.status = answer.status,
            .headers = std::move(answer.headers),
            .body = std::move(answer.value),
            .held = std::move(answer.held),
            .bytes = std::move(answer.body),
            .file = std::move(answer.file),
            .file_from = answer.file_from,
            .file_size = answer.file_size};
}

std::optional<HttpAnswer> Gate::refusal_of_head(const HttpRequest& head) const {
    Call call{.http = head, .path = {}, .query = {}};
    call.request.id = request_id(head);
    const Correlation of_request(call.request.id);
    const auto refusal = [&]() -> std::optional<Rendered> {
        call.request.address = parts_.client_address(head.peer, head.headers);
        call.path = head.target.substr(0, head.target.find('?'));
        const auto match =
            parts_.routes.match(head.method, call.path.substr(parts_.base_path.size()), parts_.module_enabled);
        if (!match.route)
            return call.refused(Error{errc::no_route});
        call.route = match.route;
        const auto caller = parts_.authenticate(head.headers, head.peer);
        if (!caller)
            return call.refused(caller.error());
        if (const auto admitted = match.route->who.admits(*caller); !admitted)
            return call.refused(admitted.error());
        return caller->is_user() ? std::nullopt : std::optional(call.refused(Error{errc::payload_too_large}));
    };
    auto answer = guarded(call, refusal);
    return answer ? std::optional(completed(call, std::move(*answer))) : std::nullopt;
}

HttpAnswer Gate::redirected(const HttpRequest& http, const std::string& location) const {
    Call call{.http = http, .path = {}, .query = {}};
    call.request.id = request_id(http);
    call.request.address = parts_.client_address(http.peer, http.headers);
    Rendered answer;
    answer.status = 302;
    answer.headers.emplace_back("Location", location);
    return completed(call, std::move(answer));
}

// Adds the common headers and writes the log line.
Rendered Gate::completed(const Call& call, Rendered answer) const {
    const HttpRequest& http = call.http;
    add_cors(parts_.cors_origins, call.http.method, call.http.headers, answer);
    add_limit(answer, call.allowance);
    challenge_no_script(call.http.headers, answer);
    keep_nowhere_unless_said(answer);
    mark(answer, call.request.id);

    const auto micros =
        std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - call.began).count();
    // The template, never the raw path: paths hold ids and tokens, and labels must stay few.
    const std::string route = call.route ? call.route->path : std::string();
    parts_.observe(call.route, answer.status, micros);
    if (!http.of_page || log::shows(log::Level::debug))
        log::info("request", {{"request_id", log::Value::ours(call.request.id)},
                              {"method", log::Value::ours(http.method)},
                              {"route", log::Value::ours(route)},
                              {"status", answer.status},
                              {"micros", static_cast<std::int64_t>(micros)},
                              {"address", log::Value::ours(call.request.address)},
                              {"user_id", call.request.caller.user_id}});
    if (log::shows(log::Level::debug))
        log::debug("request_detail",
                   {{"request_id", log::Value::ours(call.request.id)},
                    {"query", names_in(call.query_text())},
                    {"body_type", field(http.headers, "Content-Type")},
                    {"body_bytes", static_cast<std::int64_t>(http.body.size())},
                    {"answer_bytes", static_cast<std::int64_t>(answer.body ? answer.body->size() : 0)},
                    {"user_agent", field(http.headers, "User-Agent")}});
    return answer;
}

std::optional<HttpAnswer> Gate::answer_at_once(const HttpRequest& http) const {
    const NoWait here;
    try {
        return answer(http);
    } catch (const WouldWait&) {
        return std::nullopt;
    }
}

std::optional<Rendered> Gate::guarded(const Call& call,
                                      const std::function<std::optional<Rendered>()>& answering) const {
    try {
        return answering();
    } catch (const WouldWait&) {
        throw;
    } catch (const store::Unavailable& failure) {
        log::error("database_unavailable",
                   {{"request_id", log::Value::ours(call.request.id)}, {"cause", failure.what()}});
        return call.refused(Error{errc::unavailable}.after(2));
    } catch (const store::Retryable& busy) {
        log::warning("database_busy", {{"request_id", log::Value::ours(call.request.id)}, {"cause", busy.what()}});
        return call.refused(Error{errc::unavailable}.after(1));
    } catch (const std::bad_alloc&) {
        log::error("out_of_memory", {{"request_id", log::Value::ours(call.request.id)}});
        Rendered answer = call.refused(Error{errc::unavailable}.after(2));
        answer.last = true;
        return answer;
    } catch (const std::exception& failure) {
        log::error("unexpected", {{"request_id", log::Value::ours(call.request.id)}, {"cause", failure.what()}});
    } catch (...) {
        log::error("unexpected",
                   {{"request_id", log::Value::ours(call.request.id)}, {"cause", "not an exception type"}});
    }
    return call.refused(Error{errc::internal_error}.with("log_id", json::Value(call.request.id).dump()));
}

Rendered Gate::serve(Call& call) const {
    const HttpRequest& http = call.http;
    const std::size_t mark = http.target.find('?');
    call.path = http.target.substr(0, mark);
    call.query = mark == std::string_view::npos ? std::string_view{} : http.target.substr(mark + 1);
    call.request.address = parts_.client_address(http.peer, http.headers);
    if (parts_.is_outside && parts_.is_outside(call.path))
        return serve_outside(call);
    if (!call.path.starts_with(parts_.base_path))
        return call.refused(Error{errc::no_route});
    std::string_view rest = call.path.substr(parts_.base_path.size());
    if (rest.empty())
        rest = "/";
    if (http.method == "OPTIONS") {
        const auto known = parts_.routes.match(http.method, rest, parts_.module_enabled);
        return known.allow.empty() ? call.refused(Error{errc::no_route}) : preflight(known.allow);
    }
    auto match = parts_.routes.match(http.method, rest, parts_.module_enabled);
    if (!match.route) {
        if (match.allow.empty())
            return call.refused(Error{errc::no_route});
        Rendered answer = call.refused(Error{errc::method_not_allowed});
        answer.headers.emplace_back("Allow", match.allow);
        return answer;
    }
    call.route = match.route;
    call.request.route = match.route;
    call.request.path = std::move(match.path);
    call.notices = notices_.of_route(*match.route);
    Rendered answer = run(call, *match.route);
    notices_.add_to(answer, call.request, call.notices);
    return answer;
}

Rendered Gate::serve_outside(const Call& call) const {
    const std::vector<HttpHeader>& headers = call.http.headers;
    if (call.http.method != "GET" && call.http.method != "HEAD") {
        Rendered answer = call.refused(Error{errc::method_not_allowed});
        answer.headers.emplace_back("Allow", "GET, HEAD");
        return answer;
    }
    auto reply = parts_.beside(call.path, [&headers](std::string_view name) { return field(headers, name); });
    return reply ? render(std::move(*reply), call.form(), call.language()) : call.refused(Error{errc::no_route});
}

Result<void> Gate::read_input(Call& call, const api::RouteSpec& route) const {
    Sent sent{.query = call.query,
              .body = call.http.body,
              .content_type = field(call.http.headers, "Content-Type"),
              .query_value = call.inner ? &call.inner->query : nullptr,
              .body_value = call.inner && !call.inner->body.is_null() ? &call.inner->body : nullptr};
    const auto has_key = [&] { return api::takes_key(route) && !field(call.http.headers, "Idempotency-Key").empty(); };
    if (sent.body_value && (route.raw_body_only || has_key()))
        sent.body = call.body_text = sent.body_value->dump();
    return app::read_input(call.request, route.is_list ? list_queries_.at(&route) : route.query, sent,
                           &call.unknown_keys);
}

// Errors are rare, so a text is parsed again for them instead of stored for all.
Error Gate::by_sent_names(const Call& call, Error error) const {
    const api::RouteSpec& route = *call.route;
    const api::Schema& query = route.is_list ? list_queries_.at(&route) : route.query;
    if (!call.inner)
        return as_sent(std::move(error), route, query, call.query, call.http.body);
    return as_sent(
        std::move(error),
        {.query_schema = query, .query = call.inner->query, .body_schema = route.body, .body = call.inner->body});
}

Rendered Gate::run(Call& call, const api::RouteSpec& route) const {
    api::Request& request = call.request;
    const std::vector<HttpHeader>& headers = call.http.headers;
    // A response without caching is never 304; a body with notices is sent unencoded.
    const bool may_cache = !parts_.caches_answers || parts_.caches_answers();
    request.header = [&headers, &call, may_cache](std::string_view name) {
        const bool is_hidden = (!may_cache && same_name(name, "If-None-Match")) ||
                               (!call.notices.empty() && same_name(name, "Accept-Encoding"));
        return is_hidden ? std::string_view{} : field(headers, name);
    };
    request.now = parts_.clock.now();
    request.say = [&call](const Sentence& sentence) { return texts::say(call.language(), sentence); };
    const auto refuse = [&](const Error& error) {
        report_refusal(request.id, error);
        return call.refused(error);
    };

    auto caller = call.acting ? call.acting->caller : parts_.authenticate(headers, call.http.peer);
    // Without its nonce a cookie proves nothing: the request continues as an anonymous one.
    if (!caller && &caller.error().code() == &errc::invalid_nonce && route.who.is_public())
        caller = api::Caller{};
    if (!caller)
        return refuse(caller.error());
    request.caller = std::move(*caller);
    if (!call.acting || call.acting->is_limited)
        call.allowance = parts_.limited(route, request.address, request.caller, !call.http.tried);
    if (call.allowance.wait)
        return refuse(Error{errc::rate_limited}.after(*call.allowance.wait));
    if (auto admitted = route.who.admits(request.caller); !admitted)
        return refuse(admitted.error());
    if (call.inner)
        notices_.add_used(call.notices, route, call.inner->query, call.inner->body);
    else
        notices_.add_used(call.notices, route, call.query, call.http.body);
    if (auto read = read_input(call, route); !read) {
        if (!read.error().cause().empty())
            log::info("refused", {{"request_id", log::Value::ours(request.id)}, {"cause", read.error().cause()}});
        return refuse(by_sent_names(call, std::move(read.error())));
    }
    const auto owns = route.who.admits(request);
    auto earlier = owns || !parts_.answered ? std::nullopt : parts_.answered(request);
    if (!owns && !earlier)
        return refuse(owns.error());
    Rendered answer = performed(call, route, std::move(earlier));
    if (!may_cache)
        keep_nowhere(answer);
    if (answer.file && call.http.method == "GET")
        take_range(answer, field(headers, "range"), field(headers, "if-range"));
    return answer;
}

Rendered Gate::performed(Call& call, const api::RouteSpec& route, std::optional<api::Reply> earlier) const {
    api::Request& request = call.request;
    api::Reply reply = earlier ? std::move(*earlier) : parts_.perform(request, route);
    if (reply.error && !reply.error->cause().empty())
        log::warning("refused", {{"request_id", log::Value::ours(request.id)},
                                 {"code", reply.error->code().name},
                                 {"cause", reply.error->cause()}});
    if (reply.error) {
        reply.error = by_sent_names(call, std::move(*reply.error));
        report_refusal(request.id, *reply.error);
    }
    // An unpaged list is a single page (spec 4.2).
    if (!reply.error && !reply.page && !reply.raw && !reply.file && !reply.held && route.method == api::Method::get &&
        reply.data.is_array())
        reply.page = api::PageMeta{.page = 1,
                                   .per_page = std::max<std::int64_t>(1, static_cast<std::int64_t>(reply.data.size())),
                                   .total = static_cast<std::int64_t>(reply.data.size())};
    if (reply.page && !reply.error)
        if (std::string links = page_links(call.path, call.query_text(), *reply.page); !links.empty())
            reply.headers.emplace_back("Link", std::move(links));
    // Routes know their paths below the namespace root; clients resolve the header against the host.
    if (reply.status < 300)
        for (auto& [name, value] : reply.headers)
            if (name == "Location" && value.starts_with('/'))
                value.insert(0, parts_.base_path);
    Rendered answer =
        reply.error ? render(std::move(reply), call.form(), call.language()) : render(std::move(reply), call.form());
    if (!call.unknown_keys.empty())
        answer.headers.emplace_back("Warning", warning_of(call.unknown_keys));
    return answer;
}

Rendered Gate::preflight(const std::string& allow) {
    Rendered answer;
    answer.status = 204;
    answer.headers.emplace_back("Allow", allow);
    return answer;
}

HttpAnswer Gate::failure(int status, const std::vector<HttpHeader>& headers) const {
    const ErrorCode* found = &errc::internal_error;
    for (const ErrorCode* each : {&errc::bad_request, &errc::request_timeout, &errc::payload_too_large,
                                  &errc::uri_too_long, &errc::expectation_failed, &errc::headers_too_large,
                                  &errc::not_implemented, &errc::unavailable, &errc::http_version})
        if (each->status == status)
            found = each;
    HttpAnswer answer = render(Error{*found}, Form::text, texts::language_asked_for(field(headers, "Accept-Language")));
    const std::string id = fresh_id();
    // Like any other request; the transport rejected it before reading more.
    log::info("request", {{"request_id", log::Value::ours(id)},
                          {"method", log::Value::ours("")},
                          {"route", log::Value::ours("")},
                          {"status", status},
                          {"micros", 0},
                          {"address", log::Value::ours("")},
                          {"user_id", 0}});
    mark(answer, id);
    add_cors(parts_.cors_origins, {}, headers, answer);
    return answer;
}

}  // namespace svc::app
