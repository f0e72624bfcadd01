// Deprecated routes, fields and hooks of a plugin.
#include <doctest/doctest.h>

#include "base/app/discovery.hpp"
#include "shared/hooks/registry.hpp"
#include "tests/plugin/stand.hpp"
#include "tests/plugin/thing_route.hpp"

using namespace svc;
using namespace svc::tests;
using plugin::Host;

TEST_CASE("a deprecated route and a deprecated field of a plugin are told of in headers, envelope and OpenAPI") {
    Stand stand;
    REQUIRE(stand.attach([](Host& host) {
        auto& routes = host.need<plugin::Routes>();
        auto route = thing_route(api::Method::get, "/things/{id}");
        route.deprecated_since = day;
        route.instead = "/others/{id}";
        routes.add(route);
        auto field = thing_route(api::Method::post, "/things");
        field.body = {{.name = "name", .type = api::text(20)},
                      {.name = "title", .type = api::text(20), .deprecated_since = "2026-11-02", .instead = "name"}};
        field.query = {{.name = "sort", .type = api::text(20), .deprecated_since = "2026-10-01"}};
        routes.add(field);
        auto answer = thing_route(api::Method::get, "/things");
        answer.answer =
            api::object({{.name = "title", .type = api::text(9), .deprecated_since = day, .instead = "name"}});
        routes.add(answer);
    }));
    const auto route = stand.call("GET", "/things/12");
    CHECK(route.header("Deprecation") == "@1793491200");  // 2026-11-01T00:00:00Z
    CHECK(route.header("Link") ==
          "</svc/v1/others/12>; rel=\"successor-version\", "
          "</svc/v1/docs#getThing>; rel=\"deprecation\"; type=\"text/html\"");
    REQUIRE(route.body["notices"].size() == 1);
    CHECK(route.body["notices"][0].text_or("in") == "route");
    CHECK(route.body["notices"][0].text_or("instead") == "/others/{id}");

    const auto plain = stand.call("POST", "/things", json::Value::object({{"name", "a"}}));
    CHECK(plain.header("Deprecation").empty());
    CHECK(plain.header("Link").empty());
    CHECK_FALSE(plain.body.find("notices"));
    const auto used = stand.call("POST", "/things", json::Value::object({{"title", "a"}}));
    CHECK(used.header("Deprecation") == "@1793577600");
    CHECK(used.header("Link") == "</svc/v1/docs#createThing>; rel=\"deprecation\"; type=\"text/html\"");
    REQUIRE(used.body["notices"].size() == 1);
    CHECK(used.body["notices"][0].text_or("name") == "title");
    CHECK(used.body["notices"][0].text_or("in") == "body");
    CHECK(used.data().text_or("title") == "a");
    const auto both = stand.call("POST", "/things?sort=up", json::Value::object({{"title", "a"}}));
    CHECK(both.header("Deprecation") == "@1790812800");  // the earlier of the two
    CHECK(both.body["notices"].size() == 2);

    const auto shown = stand.call("GET", "/things");
    CHECK(shown.header("Deprecation").empty());  // the client used nothing that is deprecated
    CHECK(shown.body["notices"][0].text_or("in") == "answer");

    const app::About about{.version = "3.0.0",
                           .edition = [] { return std::string("base"); },
                           .base_path = "/svc/v1",
                           .site_url = "https://site.example",
                           .session_cookie = "svc_session",
                           .module_enabled = [](std::string_view) { return true; }};
    const auto document = app::openapi_document(stand.routes, about);
    CHECK(document["paths"]["/things/{id}"]["get"]["deprecated"].boolean());
    const auto post = document["paths"]["/things"]["post"];
    CHECK_FALSE(post.find("deprecated"));
    CHECK(post["parameters"][0]["deprecated"].boolean());
    const auto schema = post["requestBody"]["content"]["application/json"]["schema"]["properties"];
    CHECK(schema["title"]["deprecated"].boolean());
    CHECK_FALSE(schema["name"].find("deprecated"));
    CHECK(document["components"]["schemas"].find("Notice"));
    const auto page = app::docs_page(stand.routes, about);
    CHECK(page.find("id=\"getThing\"") != std::string::npos);
    CHECK(page.find("Deprecated since 2026-11-02. Use `name` instead.") != std::string::npos);
}

TEST_CASE("a refusal of a deprecated route has the headers and no envelope") {
    Stand stand;
    REQUIRE(stand.attach([](Host& host) {
        auto route = thing_route(api::Method::get, "/things/{id}",
                                 [](const api::Request&) { return api::failed(errc::not_found); });
        route.deprecated_since = day;
        host.need<plugin::Routes>().add(route);
    }));
    const auto reply = stand.call("GET", "/things/12");
    CHECK(reply.status == 404);
    CHECK(reply.header("Deprecation") == "@1793491200");
    CHECK(reply.header("Link").find("successor") == std::string::npos);
    CHECK_FALSE(reply.body.find("notices"));
}

TEST_CASE("a plugin's deprecated hooks cross, and a listener of one is logged once and still called") {
    Stand stand;
    REQUIRE(stand.attach([](Host& host) {
        host.hooks().declare(hooks::Action{"svc_old_action", "For the test.", {"id"}, day, "svc_new_action"});
        hooks::Filter filter{"svc_old_filter", "For the test.", json::Kind::object, {}, R"({"a":1})"};
        filter.deprecated_since = day;
        host.hooks().declare(filter);
    }));
    const auto& action = stand.hooks.declared_actions.back();
    const auto& filter = stand.hooks.declared_filters.back();
    CHECK(action.deprecated_since == day);
    CHECK(action.instead == "svc_new_action");
    CHECK(filter.deprecated_since == day);
    CHECK(filter.like == R"({"a":1})");
    hooks::Registry registry({});
    registry.declare(action);
    int calls = 0;
    for (int i = 0; i < 2; ++i)
        REQUIRE(registry.on("svc_old_action", {.name = "mine"}, [&](const json::Array&) { ++calls; }));
    registry.fire("svc_old_action", {1});
    CHECK(calls == 2);
    CHECK(stand.log_lines("deprecated_hook") == 1);
}

TEST_CASE("a plugin is refused whose deprecation has no day or whose example does not fit its filter") {
    const auto refused = [](std::function<void(Host&)> script) {
        Stand stand;
        const bool is_refused = !stand.attach(std::move(script));
        return is_refused && stand.registered() == 0;
    };
    CHECK(refused([](Host& host) {
        auto route = thing_route(api::Method::get, "/things");
        route.deprecated_since = "3.1.0";
        host.need<plugin::Routes>().add(route);
    }));
    CHECK(refused([](Host& host) { host.hooks().declare(hooks::Action{"svc_old_action", "", {}, "soon"}); }));
    CHECK(refused([](Host& host) {
        host.hooks().declare(hooks::Filter{"svc_old_filter", "", json::Kind::object, {}, "[1]"});
    }));
}
