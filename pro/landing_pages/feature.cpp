// Declarations, listeners and the page of landing pages.
#include "pro/landing_pages/feature.hpp"

#include <utility>

#include "pro/common/module.hpp"
#include "pro/common/page_files.hpp"
#include "pro/common/steps.hpp"

namespace svc::pro::landing_pages {
namespace {

using json::Value;

// Counts writes of pages.
constexpr std::string_view channel = "landing_pages";

}  // namespace

void Feature::declare() {
    site_.modules.declare(module_named(module_slug, {step("0310_landing_pages.sql")}));
    const hooks::Listener listener{.name = "svc_landing_pages", .module = std::string(module_slug)};
    for (const auto& [filter, owner_type] : {std::pair{"svc_destination_permalink", "destination"},
                                             {"svc_activity_permalink", "activity"},
                                             {"svc_category_permalink", "trip_category"}})
        site_.filter_if_known(filter, listener,
                              [this, owner = std::string(owner_type)](store::Transaction*, const json::Array& given) {
                                  return permalink(given, owner);
                              });
    // An older base lists no landing pages in its sitemap.
    site_.filter_if_known("svc_sitemap_pages", listener, [this](store::Transaction*, const json::Array& given) {
        Value all = given.front();
        const Value own = pages.listed();
        for (const Value& page : own.items())
            all.push(page);
        return all;
    });
    // Nor does it leave out the ones that replace a page of the base.
    site_.filter_if_known("svc_sitemap_left_out", listener, [this](store::Transaction*, const json::Array& given) {
        Value all = given.front();
        const Value own = pages.left_out();
        for (const Value& path : own.items())
            all.push(path);
        return all;
    });
}

// The address of the record's page: what comes before its path is the site's.
Value Feature::permalink(const json::Array& given, std::string_view owner_type) const {
    if (given.size() < 2 || !given[1].is_number())
        return given.front();
    const std::string path = pages.path_for(owner_type, given[1].integer());
    if (path.empty())
        return given.front();
    const std::string address = given.front().text();
    const auto scheme = address.find("://");
    const auto end = address.find('/', scheme == std::string::npos ? 0 : scheme + 3);
    return Value(address.substr(0, end == std::string::npos ? address.size() : end) + path);
}

Result<Value> Feature::show(const Value& request) const {
    const auto page = pages.find(request["names"].text_or("slug"));
    if (!page ||
        (page->status != "publish" && !pages.may_preview(request.maybe_integer("user_id").value_or(0), page->id)))
        return errc::not_found;
    return pages.shown(*page);
}

void Feature::connect() {
    site_.pages->add(pages::OfferedPage{.path = std::string(page_path) + "/{slug}",
                                        .type = "landing-page",
                                        .template_source = page_template("landing-page.html"),
                                        .module = std::string(module_slug),
                                        .is_shared = true,
                                        .show = [this](const Value& request) { return show(request); }});
}

void Feature::add_routes() {
    if (site_.changes)
        site_.changes->follow(std::string(channel), [this] { pages.forget(); });
    const auto pages_of_site = pages.resource([this](store::Transaction& tx) {
        tx.after_commit([this] { pages.forget(); });
        if (site_.changes)
            site_.changes->touch(tx, channel);
    });
    for (auto& spec : {pages_of_site.list_route(), pages_of_site.read_route(), pages_of_site.create_route(),
                       pages_of_site.update_route(), pages_of_site.remove_route(), pages_of_site.bulk_route()})
        site_.routes.add(spec, resource::Routes::headers());
}

}  // namespace svc::pro::landing_pages
