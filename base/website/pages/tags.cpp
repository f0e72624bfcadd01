// Which tags are on; Google Analytics and the Facebook pixel by their ids alone.
#include "base/website/pages/tags.hpp"

#include <algorithm>

#include "base/website/pages/scripts.hpp"
#include "shared/core/log.hpp"
#include "shared/core/no_wait.hpp"

namespace svc::pages {
namespace {

constexpr std::int64_t known_for = 1'000'000;  // as pages in memory

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

json::Value Tags::read_by(const Tag& tag, const json::Value& request) {
    try {
        if (auto made = tag.offered.configure(request))
            return std::move(*made);
        else
            log::warning("tag_failed",
                         {{"tag", log::Value::ours(tag.offered.id)}, {"cause", made.error().message().english()}});
    } catch (const WouldWait&) {
        throw;
    } catch (const std::exception& failure) {
        log::warning("tag_failed",
                     {{"tag", log::Value::ours(tag.offered.id)}, {"cause", log::redacted(failure.what())}});
    }
    return {};
}

std::vector<const Tag*> Tags::now() const {
    const json::Value none = json::Value::object({{"analytics", false}, {"marketing", false}});
    const json::Value request = json::Value::object(
        {{"page", "privacy-choices"}, {"language", "en"}, {"allowed", none}, {"facts", json::Value::object()}});
    std::vector<const Tag*> all = partners_.tags();
    const std::vector<const Tag*> of_partners = all;
    std::erase_if(all, [&](const Tag* tag) { return read_by(*tag, request).is_null(); });
    for (const Own& own : own_) {
        const bool is_replaced = std::any_of(of_partners.begin(), of_partners.end(),
                                             [&](const Tag* tag) { return tag->offered.id == own.tag.offered.id; });
        if (!is_replaced && !id_in(site_.settings, own.setting).empty())
            all.push_back(&own.tag);
    }
    return all;
}

TagsOn Tags::on(std::uint64_t writes) const {
    const std::int64_t time = site_.clock.now().micros();
    {
        const std::lock_guard lock(mutex_);
        if (writes_ == writes && time < until_ && time >= until_ - known_for)
            return on_;
    }
    std::vector<const Tag*> all = now();
    TagsOn on = all.empty() ? nullptr : std::make_shared<const std::vector<const Tag*>>(std::move(all));
    const std::lock_guard lock(mutex_);
    on_ = on;
    writes_ = writes;
    until_ = time + known_for;
    return on;
}

}  // namespace svc::pages
