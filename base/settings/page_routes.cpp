// GET and PUT /settings/pages.
#include "base/settings/routes.hpp"
#include "base/settings/site_pages.hpp"

namespace svc::settings {
namespace {

json::Value pages_json(const Settings& settings, const std::string& site_url) {
    auto list = json::Value::array();
    for (const SitePage& page : site_pages(settings, site_url))
        list.push(page.json());
    return list;
}

api::Schema wanted_page() {
    return {{"id", api::id().or_null(), "The number settings name it by; without one the next that is free."},
            {"title", api::text(200, 1), "What links to it say.", true},
            {"slug", api::text(200).or_null(), "Made of the title when empty."},
            {"url", api::text(2000).or_null(),
             "Its address, with https:// or http://, or from / on this site; made of the slug when empty."}};
}

}  // namespace

api::Type page_answer() {
    return api::object({{"id", api::id(), "What a setting such as terms_page_id names it by.", true},
                        {"title", api::text(200), "", true},
                        {"slug", api::text(200), "", true},
                        {"url", api::text(4000), "The whole address.", true}});
}

void add_page_routes(api::RouteTable& routes, SiteSettings& settings, store::Store& store,
                     const std::string& site_url) {
    const api::Type answer = api::list(page_answer(), 500);
    routes.add({
        .method = api::Method::get,
        .path = "/settings/pages",
        .who = api::Permission::can("svc_manage_settings"),
        .summary = "The site's pages that can be chosen for booking, terms and privacy, by title.",
        .answer = answer,
        .handle = [&settings, site_url](const api::Request&) { return api::ok(pages_json(settings, site_url)); },
    });
    routes.add({
        .method = api::Method::put,
        .path = "/settings/pages",
        .who = api::Permission::can("svc_manage_settings"),
        .summary = "Say which pages the site has: the list becomes what is sent. One that a setting names stays.",
        .body = {{"pages", api::list(api::object(wanted_page()), 500), "The whole list.", true}},
        .answer = answer,
        .errors = {&errc::conflict},
        .repeats_safely = true,
        .handle = [&settings, &store, site_url](const api::Request& request) -> api::Reply {
            const auto put = put_site_pages(store, settings, request.body["pages"], request.caller.user_id);
            return put ? api::ok(pages_json(settings, site_url)) : api::failed(put.error());
        },
    });
}

}  // namespace svc::settings
