// Which tags are on; Google Analytics and the Facebook pixel by their ids alone.
#include "base/pages/tags.hpp"

#include <algorithm>

#include "base/pages/scripts.hpp"

namespace svc::pages {
namespace {

std::string id_in(const settings::Settings& settings, const char* key) {
    std::string id = settings.text(key);
    const bool is_id =
        id.size() <= 40 && std::all_of(id.begin(), id.end(), [](char c) {
            return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' || c == '_';
        });
    return is_id ? id : std::string();
}

}  // namespace

// Not on pages of one visitor: what those need to tell takes the module.
Tags::Tags(const Site& site, const Partners& partners) : site_(site), partners_(partners) {
    const auto own = [&](const char* setting, OfferedTag tag, const char* script) {
        tag.id = setting;
        tag.configure = [&site, setting](const json::Value&) -> Result<json::Value> {
            return json::Value::object({{"id", id_in(site.settings, setting)}});
        };
        own_.push_back({{std::move(tag), script_of(script).path, true}, setting});
    };
    own("google_analytics",
        {.id = {},
         .name = "Google Analytics",
         .purpose = "analytics",
         .asset = {},
         .origins = {.script = {"https://www.googletagmanager.com"},
                     .connect = {"https://*.google-analytics.com", "https://*.analytics.google.com"}},
         .cookies = {"_ga*"}},
        "count-analytics");
    own("facebook_pixel",
        {.id = {},
         .name = "Facebook Pixel",
         .purpose = "marketing",
         .asset = {},
         .origins = {.script = {"https://connect.facebook.net"}, .connect = {"https://www.facebook.com"}},
         .cookies = {"_fbp", "_fbc"}},
        "count-pixel");
}

TagsOn Tags::on() const {
    std::vector<const Tag*> all = partners_.tags();
    const std::size_t of_partners = all.size();
    for (const Own& own : own_) {
        const bool is_replaced = std::any_of(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(of_partners),
                                             [&](const Tag* tag) { return tag->offered.id == own.tag.offered.id; });
        if (!is_replaced && !id_in(site_.settings, own.setting).empty())
            all.push_back(&own.tag);
    }
    return all.empty() ? nullptr : std::make_shared<const std::vector<const Tag*>>(std::move(all));
}

}  // namespace svc::pages
