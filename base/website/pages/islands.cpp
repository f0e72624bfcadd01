// Which template loads which bundle.
#include "base/website/pages/islands.hpp"

#include "base/platform/assets/assets.hpp"

namespace svc::pages {

std::string script_of_site(std::string_view name) {
    return std::string(assets::built_in().path("site/" + std::string(name) + ".js"));
}

json::Value scripts_of(std::string_view page) {
    constexpr std::pair<std::string_view, std::string_view> islands[] = {{"home", "listing"},
                                                                         {"listing-trip", "listing"},
                                                                         {"single-taxonomy", "listing"},
                                                                         {"single-trip", "trip"},
                                                                         {"booking", "booking"},
                                                                         {"booking-waitlist", "booking"},
                                                                         {"booking-details", "questions"},
                                                                         {"booking-pay", "pay"},
                                                                         {"pay-link", "pay"},
                                                                         {"booking-confirmation", "pay"},
                                                                         {"account-booking", "pay"}};
    json::Value scripts = json::Value::array();
    const auto add = [&](std::string_view name) {
        if (std::string path = script_of_site(name); !path.empty())
            scripts.push(std::move(path));
    };
    add("site");
    for (const auto& [template_name, island] : islands)
        if (template_name == page)
            add(island);
    return scripts;
}

}  // namespace svc::pages
