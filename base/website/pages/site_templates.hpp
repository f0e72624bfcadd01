// The seven templates around pages that staff edit: HTML with {{> svc/page-content}} in place of the page.
#pragma once

#include <string>
#include <string_view>

#include "base/settings/values/site_settings.hpp"
#include "base/website/pages/page.hpp"
#include "base/website/pages/theme.hpp"
#include "shared/api/route.hpp"

namespace svc::pages {

struct SiteTemplate {
    const char *name, *title, *key;  // key: of the setting that holds it; empty text: the page is not wrapped
};
inline constexpr SiteTemplate site_templates[] = {
    {"single-trip", "Single Trip", "site_template_single_trip"},
    {"trip-listing", "Trip Listing", "site_template_trip_listing"},
    {"destination", "Destination", "site_template_destination"},
    {"activity", "Activity", "site_template_activity"},
    {"booking", "Booking", "site_template_booking"},
    {"booking-confirmation", "Booking Confirmation", "site_template_booking_confirmation"},
    {"my-account", "My Account", "site_template_my_account"},
};
inline constexpr std::string_view page_content = "{{> svc/page-content}}";

// The stored template around that page; empty: none.
std::string around_of(const settings::Settings& settings, const PageSpec* page, std::string_view type);

// Declares the settings that hold them. [start-up]
void declare_site_templates(settings::Settings& settings);
// /site/templates and /site/templates/{name}, for staff. What they are given outlives the routes.
void add_template_routes(api::RouteTable& routes, settings::SiteSettings& settings, const Theme& theme);

}  // namespace svc::pages
