// The discovery document at the namespace root (spec 4, 9.9) and the operator's route list.
#include "base/app/discovery.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include "base/app/openapi.hpp"
#include "base/platform/compression/bodies.hpp"
#include "shared/api/public_answer.hpp"

namespace svc::app {
namespace {

json::Value arguments_of(const api::RouteSpec& route) {
    json::Value arguments = json::Value::object();
    const auto add = [&arguments](const api::Schema& schema) {
        const json::Value shapes = schema.json_schema();
        for (const api::Field& field : schema.fields()) {
            json::Value argument = shapes["properties"][field.name];
            argument.set("required", field.required);
            arguments.set(field.name, std::move(argument));
        }
    };
    if (route.is_list)
        add(api::list_parameters(route));
    add(route.query);
    add(route.body);
    return arguments;
}

// Each edition has its own version: a release of one leaves the other's as it is.
json::Value versions_of(const About& about) {
    json::Value versions = json::Value::object({{"base", about.version}});
    if (const std::string pro = about.pro_version ? about.pro_version() : std::string(); !pro.empty())
        versions.set("pro", pro);
    return versions;
}

}  // namespace

json::Value discovery_document(const api::RouteTable& routes, const About& about) {
    std::map<std::string, std::vector<const api::RouteSpec*>> by_path;
    for (const auto& route : routes.all())
        if (route->module.empty() || about.module_enabled(route->module))
            by_path[route->path].push_back(route.get());

    json::Value listed = json::Value::object();
    for (const auto& [path, specs] : by_path) {
        json::Value methods = json::Value::array();
        json::Value endpoints = json::Value::array();
        for (const api::RouteSpec* spec : specs) {
            methods.push(api::name_of(spec->method));
            json::Value endpoint = json::Value::object({{"methods", json::Value::array({api::name_of(spec->method)})},
                                                        {"summary", spec->summary},
                                                        {"permission", spec->who.text()},
                                                        {"since", spec->since},
                                                        {"args", arguments_of(*spec)}});
            if (!spec->deprecated_since.empty())
                endpoint.set("deprecated_since", spec->deprecated_since)
                    .set("instead", spec->instead.empty() ? json::Value() : json::Value(spec->instead));
            endpoints.push(std::move(endpoint));
        }
        listed.set(path, json::Value::object({{"methods", std::move(methods)}, {"endpoints", std::move(endpoints)}}));
    }
    return json::Value::object({{"namespace", "svc/v1"},
                                {"edition", about.edition()},
                                {"version", about.version},
                                {"versions", versions_of(about)},
                                {"routes", std::move(listed)}});
}

std::string route_list(const api::RouteTable& routes) {
    std::vector<const api::RouteSpec*> sorted;
    for (const auto& route : routes.all())
        sorted.push_back(route.get());
    std::sort(sorted.begin(), sorted.end(), [](const auto* a, const auto* b) {
        return a->path != b->path ? a->path < b->path : a->method < b->method;
    });
    std::string out;
    for (const api::RouteSpec* route : sorted) {
        std::string method{api::name_of(route->method)};
        method.resize(7, ' ');
        std::string path = route->path;
        path.resize(std::max<std::size_t>(path.size(), 52), ' ');
        std::string who = route->who.text();
        who.resize(std::max<std::size_t>(who.size(), 40), ' ');
        out += method + " " + path + " " + who + " " + (route->module.empty() ? "-" : route->module) + "\n";
    }
    return out;
}

namespace {

// A document of the routes, rebuilt only when the enabled modules change: building takes tens of milliseconds, every
// client may request it, and others wait for the thread.
class Kept {
  public:
    explicit Kept(std::function<std::string()> make) : make_(std::move(make)) {}

    struct Text {
        std::shared_ptr<const std::string> text;
        std::string etag;
    };
    Text text(const api::RouteTable& routes, const About& about) {
        std::string state = about.edition();
        for (const auto& route : routes.all())
            state += route->module.empty() || about.module_enabled(route->module) ? '+' : '-';
        const std::lock_guard lock(mutex_);
        if (!text_ || state != state_) {
            text_ = std::make_shared<const std::string>(make_());
            etag_ = api::entity_tag(*text_);
            state_ = std::move(state);
        }
        return {text_, etag_};
    }

  private:
    const std::function<std::string()> make_;
    std::mutex mutex_;
    std::string state_, etag_;
    std::shared_ptr<const std::string> text_;
};

}  // namespace

void add_discovery_routes(api::RouteTable& routes, About about) {
    // Three documents in two codings.
    constexpr std::size_t most_coded = std::size_t{4} << 20;
    const auto coded = std::make_shared<compression::Bodies>(most_coded);
    const auto add = [&routes, about, coded](const char* path, const char* summary, std::string type,
                                             std::function<std::string()> make,
                                             std::vector<std::pair<std::string, std::string>> headers = {}) {
        routes.add({.method = api::Method::get,
                    .path = path,
                    .who = api::Permission::everyone(),
                    .summary = summary,
                    .enveloped = false,
                    .has_etag = true,
                    .files = {type},
                    .waits = false,
                    .handle = [&routes, about, coded, type, headers = std::move(headers),
                               kept = std::make_shared<Kept>(std::move(make))](const api::Request& request) {
                        const Kept::Text text = kept->text(routes, about);
                        api::Reply reply = coded->answer(request, text.text, text.etag);
                        reply.content_type = type + "; charset=utf-8";
                        for (auto& [name, value] : reply.headers)
                            if (name == "Cache-Control")
                                value = "public, max-age=60";
                        reply.headers.insert(reply.headers.end(), headers.begin(), headers.end());
                        return reply;
                    }});
    };
    add("/", "List the routes of this server.", "application/json",
        [&routes, about] { return discovery_document(routes, about).dump(); });
    add("/openapi.json", "Return this interface as an OpenAPI 3.1 document.", "application/json",
        [&routes, about] { return openapi_document(routes, about).dump(); });
    add("/docs", "Return this interface as a readable page.", "text/html",
        [&routes, about] { return docs_page(routes, about); },
        {{"Content-Security-Policy",
          "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; "
          "frame-ancestors 'none'; base-uri 'none'"}});
    routes.add({.method = api::Method::get,
                .path = "/test",
                .who = api::Permission::can("manage_options"),
                .summary = "Test the connection; returns the server's version.",
                .answer = api::object({{.name = "status", .type = api::text(20)},
                                       {.name = "message", .type = api::text(200)},
                                       {.name = "timestamp", .type = api::instant()},
                                       {.name = "version", .type = api::text(20)}}),
                .handle = [about](const api::Request& request) {
                    return api::ok(json::Value::object({{"status", "success"},
                                                        {"message", "The server answers."},
                                                        {"timestamp", request.now},
                                                        {"version", about.version}}));
                }});
}

}  // namespace svc::app
