// Files for search engines and browsers: the sitemap, robots.txt, the web manifest.
#include <array>
#include <set>

#include "base/platform/html/html.hpp"
#include "base/website/pages/hooks.hpp"
#include "base/website/views/views.hpp"

namespace svc::pages {

using catalog::classifications::Type;
using json::Value;

namespace {

std::set<std::string> paths_left_out(const hooks::Hooks& hooks) {
    std::set<std::string> paths;
    if (!hooks.filtered(sitemap_left_out.name))
        return paths;
    const Value all = hooks.apply(sitemap_left_out, Value::array(), {});
    for (const Value& path : all.items())
        if (path.is_string())
            paths.insert(path.text());
    return paths;
}

}  // namespace

View Views::sitemap(PageRequest& visit) const {
    if (!settings().flag("enable_sitemap"))
        missing();
    const std::string& site_address = site.installation.address;
    View view;
    view.content_type = "application/xml; charset=utf-8";
    const std::set<std::string> left_out = paths_left_out(site.hooks);
    view.raw =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n";
    const auto add = [&](const std::string& where, std::string_view changed = {}) {
        if (left_out.contains(where))
            return;
        view.raw += "<url><loc>" + html::escaped(site_address + where) + "</loc>";
        if (changed.size() >= 10)
            view.raw.append("<lastmod>").append(changed.substr(0, 10)).append("</lastmod>");
        view.raw += "</url>\n";
    };
    const Bases now = bases();
    add("/");
    add(path({now.trip}));
    constexpr int most_pages = 500;  // of a hundred: the limit of a sitemap is 50,000 addresses
    for (int page = 1; page <= most_pages; ++page) {
        constexpr std::string_view members[] = {"slug", "updated_at"};
        const Answered found = visit.get_partly(
            "/trips/public?per_page=100&orderby=title&order=asc&page=" + std::to_string(page), members);
        for (const Value& trip : list_of(found.data()))
            add(path({now.trip, trip.text_or("slug")}), trip.text_or("updated_at"));
        if (page >= found.body["meta"].maybe_integer("total_pages").value_or(1))
            break;
    }
    const Answered counted = visit.get_held("/trips/public?per_page=1&facets=1");
    for (const auto& [kind, base, type] : {std::tuple{"destination", now.destination, Type::destination},
                                           {"activity", now.activity, Type::activity},
                                           {"trip_category", now.trip_category, Type::trip_category}}) {
        const Value& facet = counted.body["meta"]["facets"][kind];
        if (facet.size() > 0)
            add(path({base}));
        for (const Value& each : list_of(facet))
            add(local(class_places(type, each["id"].integer(), each.text_or("slug")).page));
    }
    if (site.hooks.filtered(sitemap_pages.name)) {
        const Value more = site.hooks.apply(sitemap_pages, Value::array(), {});
        for (const Value& page : more.items())
            if (const std::string where = page.text_or("path"); where.starts_with('/'))
                add(where, page.text_or("updated_at"));
    }
    view.raw += "</urlset>\n";
    return view;
}

View Views::robots(PageRequest&) const {
    View view;
    view.content_type = "text/plain; charset=utf-8";
    const Bases now = bases();
    view.raw =
        "User-agent: *\nDisallow: /admin\nDisallow: " + path({now.book}) + "/\nDisallow: " + path({now.account}) + "\n";
    if (settings().flag("enable_sitemap"))
        view.raw += "\nSitemap: " + site.installation.address + "/sitemap.xml\n";
    return view;
}

View Views::manifest(PageRequest& visit) const {
    View view;
    view.content_type = "application/manifest+json";
    view.raw = Value::object({{"name", company(visit.words)},
                              {"short_name", company(visit.words)},
                              {"start_url", "/"},
                              {"display", "browser"},
                              {"background_color", "#fbfaf8"},
                              {"theme_color", "#fbfaf8"}})
                   .dump();
    return view;
}

}  // namespace svc::pages
