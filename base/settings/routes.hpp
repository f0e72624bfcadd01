// The routes of settings.
#pragma once

#include <functional>

#include "base/settings/values/site_settings.hpp"
#include "shared/api/route.hpp"
#include "shared/hooks/hooks.hpp"

namespace svc::settings {

// `then` runs after a write and before its answer, for state that must agree by then; `moved` after a write that
// changed a setting of permalinks; `completed` after the one that first names the company.
void add_routes(api::RouteTable& routes, SiteSettings& settings, std::function<void()> then = {},
                std::function<void()> moved = {}, std::function<void()> completed = {});
// Fires svc_register_rewrite_rules. Only listeners need it, so that a store that takes no writes is logged, not thrown.
void announce_addresses(store::Store& store, hooks::Hooks& hooks);
// An action without arguments; a database that is down is logged, since the setting itself is stored.
void announce(store::Store& store, hooks::Hooks& hooks, const hooks::Action& action);

// The description of a settings form.
void add_schema_route(api::RouteTable& routes, const SiteSettings& settings,
                      const std::function<bool(std::string_view)>& module_enabled);

// The list of the site's pages. `site_url`: the host of pages without one in their address.
void add_page_routes(api::RouteTable& routes, SiteSettings& settings, store::Store& store, const std::string& site_url);
// Shortcodes of those pages, and the action that makes listeners read the addresses of pages again.
void add_shortcode_routes(api::RouteTable& routes, SiteSettings& settings, store::Store& store, hooks::Hooks& hooks,
                          const std::string& site_url);

}  // namespace svc::settings
