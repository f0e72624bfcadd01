// Whether a page of the site holds a shortcode, and putting one into it; the flush of addresses.
#include "base/settings/routes.hpp"
#include "base/settings/values/hooks.hpp"
#include "base/settings/values/site_pages.hpp"
#include "shared/core/log.hpp"

namespace svc::settings {
namespace {

api::Field shortcode_field() {
    std::vector<std::string> names(std::begin(shortcodes), std::end(shortcodes));
    return {.name = "shortcode",
            .type = api::choice(std::move(names)),
            .help = "Name of the shortcode; defaults to svc_booking."};
}

std::string shortcode_of(const json::Value& given) { return given.text_or("shortcode", "svc_booking"); }

}  // namespace

void announce_addresses(store::Store& store, hooks::Hooks& hooks) { announce(store, hooks, register_rewrite_rules); }

void announce(store::Store& store, hooks::Hooks& hooks, const hooks::Action& action) {
    try {
        const auto written = store.write([&](store::Transaction& tx) -> Result<void> {
            hooks.emit(tx, action, {});
            return {};
        });
        if (written)
            return;
        log::warning("action_not_announced",
                     {{"action", log::Value::ours(action.name)}, {"cause", written.error().message().english()}});
    } catch (const store::Failure& failure) {
        log::warning("action_not_announced",
                     {{"action", log::Value::ours(action.name)}, {"cause", log::redacted(failure.what())}});
    }
}

void add_shortcode_routes(api::RouteTable& routes, SiteSettings& settings, store::Store& store, hooks::Hooks& hooks,
                          const std::string& site_url) {
    const auto staff = api::Permission::can("svc_manage_settings");
    routes.add({.method = api::Method::post,
                .path = "/settings/flush-rewrites",
                .name = "flushRewrites",
                .who = staff,
                .summary = "Rebuild the addresses of pages and clear the page cache.",
                .answer = api::object({{.name = "flushed", .type = api::boolean(), .required = true}}),
                .repeats_safely = true,
                .handle = [&store, &hooks](const api::Request&) -> api::Reply {
                    const auto done = store.write([&](store::Transaction& tx) -> Result<void> {
                        hooks.emit(tx, register_rewrite_rules, {});
                        return {};
                    });
                    return done ? api::ok(json::Value::object({{"flushed", true}})) : api::failed(done.error());
                }});
    routes.add({.method = api::Method::get,
                .path = "/settings/check-shortcode/{page_id}",
                .name = "checkShortcode",
                .who = staff,
                .summary = "Return whether a page of /settings/pages contains a shortcode.",
                .query = {shortcode_field()},
                .answer = api::object({{.name = "page_id", .type = api::id(), .required = true},
                                       {.name = "has_shortcode", .type = api::boolean(), .required = true}}),
                .errors = {&errc::not_found},
                .handle = [&settings, site_url](const api::Request& request) -> api::Reply {
                    const std::int64_t id = request.path["page_id"].integer();
                    for (const SitePage& page : site_pages(settings, site_url))
                        if (page.id == id)
                            return api::ok(json::Value::object(
                                {{"page_id", id},
                                 {"has_shortcode", has_shortcode(page.content, shortcode_of(request.query))}}));
                    return api::failed(errc::not_found);
                }});
    routes.add(
        {.method = api::Method::post,
         .path = "/settings/insert-shortcode/{page_id}",
         .name = "insertShortcode",
         .who = staff,
         .summary = "Append a shortcode to a page of /settings/pages unless it already contains it.",
         .body = {shortcode_field()},
         .answer =
             api::object({{.name = "page_id", .type = api::id(), .required = true},
                          {.name = "page_url", .type = api::text(4000), .help = "The whole address.", .required = true},
                          {.name = "already_exists", .type = api::boolean(), .required = true}}),
         .errors = {&errc::not_found, &errc::conflict},
         .repeats_safely = true,
         .handle = [&settings, &store, site_url](const api::Request& request) -> api::Reply {
             SVC_ASSIGN_OR_RETURN(const auto done,
                                  insert_shortcode(store, settings, request.path["page_id"].integer(),
                                                   shortcode_of(request.body), site_url, request.caller.user_id));
             return api::ok(json::Value::object(
                 {{"page_id", done.page.id}, {"page_url", done.page.url}, {"already_exists", done.already_exists}}));
         }});
}

}  // namespace svc::settings
