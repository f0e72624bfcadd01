// Counting visitors: Google Analytics and the Facebook pixel by their ids, on pages that are the same for everybody.
#include <algorithm>

#include "base/pages/pages.hpp"
#include "base/pages/scripts.hpp"

namespace svc::pages {
namespace {

const Origins of_analytics{.script = {"https://www.googletagmanager.com"},
                           .connect = {"https://*.google-analytics.com", "https://*.analytics.google.com"}};
const Origins of_pixel{.script = {"https://connect.facebook.net"}, .connect = {"https://www.facebook.com"}};

std::string id_in(const settings::Settings& settings, std::string_view key) {
    std::string id = settings.text(key);
    const bool is_id =
        id.size() <= 40 && std::all_of(id.begin(), id.end(), [](char c) {
            return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' || c == '_';
        });
    return is_id ? id : std::string();
}

}  // namespace

// Not on pages of one visitor: their addresses name bookings, and their forms hold names.
void Pages::add_tracking(const PageSpec* page, View& view) const {
    if (!page || view.page.empty() || view.is_framed)
        return;
    const std::string analytics = id_in(parts_.site.settings, "google_analytics"),
                      pixel = id_in(parts_.site.settings, "facebook_pixel");
    if (analytics.empty() && pixel.empty())
        return;
    view.model.set("track", json::Value::object(
                                {{"script", script_of("track").path}, {"analytics", analytics}, {"pixel", pixel}}));
    if (!analytics.empty())
        add_origins(view, of_analytics);
    if (!pixel.empty())
        add_origins(view, of_pixel);
}

}  // namespace svc::pages
