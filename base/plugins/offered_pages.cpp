// svc.pages/1: pages, files and origins that a plugin brings to the site.
#include <algorithm>

#include "base/plugins/collect.hpp"
#include "shared/plugin/guest.hpp"
#include "shared/plugin/host_pages.hpp"

namespace svc::plugins {
namespace {

using plugin::Malformed;
using plugin::read_json;
using plugin::text_of;
using plugin::view;

using Show = svc_status (*)(void*, svc_text, svc_answer*);

void must_be_declared(const Registration& r, const std::string& module) {
    const bool is_known = module.empty() || std::any_of(r.modules.begin(), r.modules.end(),
                                                        [&](const auto& each) { return each.slug == module; });
    if (!is_known)
        throw Malformed("Its module " + module + " is not declared.");
}

svc_status collect_page(void* self, svc_text text, void* context, Show show, bool is_account_page) noexcept {
    return collect(self, "page", [&](Registration& r) {
        const auto value = read_json(text);
        pages::OfferedPage page{.path = text_of(value, "path"),
                                .type = text_of(value, "type"),
                                .template_source = text_of(value, "template"),
                                .module = value.text_or("module"),
                                .takes_forms = value.maybe_boolean("forms").value_or(false),
                                .is_shared = value.maybe_boolean("shared").value_or(false),
                                .origins = plugin::origins_from(value["origins"])};
        if (is_account_page)
            page.account_label = text_of(value, "label");
        if (is_account_page && page.account_label.empty())
            throw Malformed("A page of the account without a label.");
        if (!show)
            throw Malformed("A page without a function.");
        if (page.is_shared && (page.takes_forms || is_account_page))
            throw Malformed("A page with forms, or of the account, is not the same for all visitors.");
        const auto same = [&](const pages::OfferedPage& other) {
            return other.path == page.path || other.type == page.type;
        };
        if (std::any_of(r.offered_pages.begin(), r.offered_pages.end(), same))
            throw Malformed("The path or the type of " + page.path + " is taken.");
        if (const auto fits = r.services.pages.check(page); !fits)
            throw Malformed(fits.error().message().english());
        must_be_declared(r, page.module);
        page.show = plugin::page_call(r.guest, context, show);
        r.offered_pages.push_back(std::move(page));
    });
}

svc_status add_page(void* self, svc_text text, void* context, Show show) noexcept {
    return collect_page(self, text, context, show, false);
}

svc_status add_account_page(void* self, svc_text text, void* context, Show show) noexcept {
    return collect_page(self, text, context, show, true);
}

svc_status add_asset(void* self, svc_text name, svc_text content) noexcept {
    return collect(self, "file of pages", [&](Registration& r) {
        pages::OfferedAsset asset{.name = std::string(view(name)), .text = std::string(view(content))};
        const bool is_file =
            asset.name.ends_with(".js") || asset.name.ends_with(".css") || asset.name.ends_with(".svg");
        if (!is_file || asset.name.size() > 64 ||
            asset.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-.") != std::string::npos)
            throw Malformed("The name " + asset.name + " is no file's: small letters, ending in .js, .css or .svg.");
        if (std::any_of(r.page_assets.begin(), r.page_assets.end(),
                        [&](const pages::OfferedAsset& other) { return other.name == asset.name; }))
            throw Malformed("The name " + asset.name + " is taken.");
        constexpr std::size_t largest = std::size_t{1} << 20U;
        if (asset.text.size() > largest)
            throw Malformed("The file " + asset.name + " is larger than 1 MiB.");
        r.page_assets.push_back(std::move(asset));
    });
}

svc_status declare_origins(void* self, svc_text of, svc_text origins) noexcept {
    return collect(self, "origins", [&](Registration& r) {
        if (view(of).empty())
            throw Malformed("Say of what the origins are.");
        r.origins.emplace_back(std::string(view(of)), plugin::origins_from(read_json(origins)));
    });
}

svc_status add_tag(void* self, svc_text text, void* context, Show configure) noexcept {
    return collect(self, "tag", [&](Registration& r) {
        const auto value = read_json(text);
        pages::OfferedTag tag{.id = text_of(value, "id"),
                              .name = text_of(value, "name"),
                              .purpose = text_of(value, "purpose"),
                              .asset = text_of(value, "asset"),
                              .module = value.text_or("module"),
                              .origins = plugin::origins_from(value["origins"]),
                              .cookies = plugin::texts_of(value, "cookies")};
        if (!configure)
            throw Malformed("A tag without a function.");
        const bool has_script = std::any_of(r.page_assets.begin(), r.page_assets.end(),
                                            [&](const auto& asset) { return asset.name == tag.asset; });
        if (!has_script)
            throw Malformed("Its script " + tag.asset + " is not added.");
        if (std::any_of(r.offered_tags.begin(), r.offered_tags.end(),
                        [&](const auto& other) { return other.id == tag.id; }))
            throw Malformed("The tag " + tag.id + " is taken.");
        must_be_declared(r, tag.module);
        if (const auto fits = r.services.pages.check_tag(tag); !fits)
            throw Malformed(fits.error().message().english());
        tag.configure = plugin::page_call(r.guest, context, configure);
        r.offered_tags.push_back(std::move(tag));
    });
}

}  // namespace

svc_pages_1 pages_table_of(Registration& r) {
    return {sizeof(svc_pages_1), &r, &add_page, &add_asset, &declare_origins, &add_account_page, &add_tag};
}

}  // namespace svc::plugins
