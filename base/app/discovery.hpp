// Self-descriptions from the route table: discovery document, OpenAPI 3.1, a readable page.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "shared/api/route.hpp"

namespace svc::app {

struct About {
    std::string version;                            // of the base: "3.0.0"
    std::function<std::string()> pro_version = {};  // empty where no Pro is attached
    std::function<std::string()> edition;           // "base" or "pro"
    std::string base_path;
    std::string site_url;
    std::string session_cookie;  // its name
    std::function<bool(std::string_view module)> module_enabled;
    std::function<json::Value()> webhooks = {};  // of the OpenAPI document, by event; empty: none
};

json::Value discovery_document(const api::RouteTable& routes, const About& about);
json::Value openapi_document(const api::RouteTable& routes, const About& about);
std::string docs_page(const api::RouteTable& routes, const About& about);  // HTML, readable without a script
std::string route_list(const api::RouteTable& routes);                     // a line a route, for `svc routes`

// GET /, /openapi.json, /docs, /test.
void add_discovery_routes(api::RouteTable& routes, About about);

}  // namespace svc::app
