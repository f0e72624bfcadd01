// Headers and notices of deprecated routes and fields.
#include "base/app/notices.hpp"

#include <algorithm>

#include "base/app/openapi.hpp"
#include "shared/api/query.hpp"
#include "shared/core/date.hpp"
#include "shared/core/uri.hpp"

namespace svc::app {
namespace {

using NoticeOf = api::Notice::Of;

// The first day of those that the header speaks of; empty: of none.
std::string first_day(const std::vector<api::Notice>& notices) {
    std::string first;
    for (const api::Notice& notice : notices)
        if (notice.of != NoticeOf::answer && (first.empty() || notice.since < first))
            first = notice.since;
    return first;
}

std::string path_segment(const json::Value& value) {
    return text::uri_component(value.is_number()   ? value.number_text()
                               : value.is_string() ? value.text()
                                                   : std::string());
}

// The path with the request's values in place of its names; empty when one of them has no value there.
std::string filled_path(const std::string& path, const json::Value& values) {
    std::string out;
    for (std::size_t at = 0; at < path.size();) {
        const std::size_t open = std::min(path.find('{', at), path.size());
        out.append(path, at, open - at);
        if (open == path.size())
            break;
        const std::size_t close = path.find('}', open);
        const std::string name = path.substr(open + 1, close - open - 1);
        const std::string value = values.find(name) ? path_segment(values[name]) : std::string();
        if (close == std::string::npos || value.empty())
            return {};
        out += value;
        at = close + 1;
    }
    return out;
}

void add_link(HttpAnswer& answer, const std::string& target, std::string_view parameters) {
    const std::string link = "<" + target + ">; " + std::string(parameters);
    for (auto& [name, value] : answer.headers)
        if (name == "Link") {
            value += ", " + link;
            return;
        }
    answer.headers.emplace_back("Link", link);
}

bool is_plain_envelope(const HttpAnswer& answer) {
    return answer.body && answer.body->starts_with(R"({"success":true)") && answer.body->ends_with('}') &&
           std::none_of(answer.headers.begin(), answer.headers.end(),
                        [](const HttpHeader& header) { return header.first == "Content-Encoding"; });
}

}  // namespace

Notices::Notices(const api::RouteTable& routes, std::string base_path) : base_path_(std::move(base_path)) {
    for (const auto& route : routes.all()) {
        Declared declared{.always = api::notices_of(*route),
                          .in_query = api::has_deprecated(route->query),
                          .in_body = api::has_deprecated(route->body)};
        if (!declared.always.empty() || declared.in_query || declared.in_body)
            routes_.emplace(route.get(), std::move(declared));
    }
}

std::vector<api::Notice> Notices::of_route(const api::RouteSpec& route) const {
    if (routes_.empty())
        return {};
    const auto found = routes_.find(&route);
    return found == routes_.end() ? std::vector<api::Notice>{} : found->second.always;
}

void Notices::add_used(std::vector<api::Notice>& notices, const api::RouteSpec& route, std::string_view query,
                       std::string_view body) const {
    const auto found = routes_.find(&route);
    if (found == routes_.end())
        return;
    const auto parameters = found->second.in_query ? api::parse_query(query) : Result<json::Value>(json::Value());
    const auto sent = found->second.in_body ? json::parse(body) : Result<json::Value>(json::Value());
    add_used(notices, route, parameters ? *parameters : json::Value(), sent ? *sent : json::Value());
}

void Notices::add_used(std::vector<api::Notice>& notices, const api::RouteSpec& route, const json::Value& query,
                       const json::Value& body) const {
    const auto found = routes_.find(&route);
    if (found == routes_.end())
        return;
    if (found->second.in_query && query.is_object())
        api::add_used(route.query, query, NoticeOf::query, notices);
    if (found->second.in_body && body.is_object())
        api::add_used(route.body, body, NoticeOf::body, notices);
}

void Notices::add_to(Rendered& answer, const api::Request& request, const std::vector<api::Notice>& notices) const {
    if (notices.empty())
        return;
    if (const std::string day = first_day(notices); !day.empty())
        answer.headers.emplace_back("Deprecation",
                                    "@" + std::to_string(std::int64_t{Date::parse(day)->days()} * 86'400));
    for (const api::Notice& notice : notices)
        if (notice.of == NoticeOf::route && !notice.instead.empty())
            if (const std::string successor = filled_path(notice.instead, request.path); !successor.empty())
                add_link(answer, base_path_ + successor, "rel=\"successor-version\"");
    add_link(answer, base_path_ + "/docs#" + api::operation_name(*request.route),
             "rel=\"deprecation\"; type=\"text/html\"");
    const bool is_value = answer.value.find("success") != nullptr;
    if (answer.status >= 300 || (!is_value && !is_plain_envelope(answer)))
        return;
    json::Value list = json::array_of(notices, [&](const api::Notice& notice) { return to_json(notice); });
    if (is_value) {
        answer.value.set("notices", std::move(list));
        return;
    }
    std::string body = *answer.body;
    body.pop_back();
    body += ",\"notices\":";
    list.dump_to(body);
    body += '}';
    answer.body = std::make_shared<const std::string>(std::move(body));
}

}  // namespace svc::app
