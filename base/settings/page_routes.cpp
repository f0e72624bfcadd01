// GET and PUT /settings/pages.
#include "base/settings/routes.hpp"
#include "base/settings/values/site_pages.hpp"
#include "shared/api/named.hpp"
#include "shared/api/sometimes_sent.hpp"

namespace svc::settings {
namespace {

json::Value pages_json(const Settings& settings, const std::string& site_url) {
    auto list = json::Value::array();
    for (const SitePage& page : site_pages(settings, site_url)) {
        json::Value one = page.json();
        one.set("content", page.content);
        list.push(std::move(one));
    }
    return list;
}

api::Schema wanted_page() {
    return {
        {.name = "id", .type = api::id().or_null(), .help = "Id for settings; defaults to the next free one."},
        {.name = "title", .type = api::text(200, 1), .help = "Text of links to the page.", .required = true},
        {.name = "slug", .type = api::text(200).or_null(), .help = "Generated from the title when empty."},
        {.name = "url",
         .type = api::text(2000).or_null(),
         .help = "Address with https:// or http://, or a path from /; generated from the slug when empty."},
        {.name = "content",
         .type = api::raw_text(200'000).or_null(),
         .help = "HTML that the site serves at the slug, with the shortcodes [svc_trips], [svc_trip], [svc_booking] and"
                 " [svc_account]; empty when the page is served elsewhere."}};
}

}  // namespace

api::Type page_answer() {
    return api::object(
        "SitePage",
        {{.name = "id", .type = api::id(), .help = "Id for settings such as terms_page_id.", .required = true},
         {.name = "title", .type = api::text(200), .required = true},
         {.name = "slug", .type = api::text(200), .required = true},
         {.name = "url", .type = api::text(4000), .help = "The whole address.", .required = true},
         api::sometimes_sent(
             {.name = "content",
              .type = api::text(400'000),
              .help = "HTML of a page that the site serves; absent where only a link to it is shown."})});
}

void add_page_routes(api::RouteTable& routes, SiteSettings& settings, store::Store& store,
                     const std::string& site_url) {
    const api::Type answer = api::list(page_answer(), 500);
    routes.add({
        .method = api::Method::get,
        .path = "/settings/pages",
        .who = api::Permission::can("svc_manage_settings"),
        .summary = "List the site's pages that settings can refer to, by title.",
        .answer = answer,
        .handle = [&settings, site_url](const api::Request&) { return api::ok(pages_json(settings, site_url)); },
    });
    routes.add({
        .method = api::Method::put,
        .path = "/settings/pages",
        .who = api::Permission::can("svc_manage_settings"),
        .summary = "Replace the list of the site's pages. Pages used by settings must remain in the list.",
        .body = {{.name = "pages",
                  .type = api::list(api::object(wanted_page()), 500),
                  .help = "The complete list of pages.",
                  .required = true}},
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
