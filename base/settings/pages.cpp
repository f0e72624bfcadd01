// Declarations of what pages go by.
#include "base/settings/pages.hpp"

#include <algorithm>

#include "shared/core/ascii.hpp"

namespace svc::settings {
namespace {

bool is_slug(std::string_view text) {
    return !text.empty() && text.front() != '-' && text.back() != '-' &&
           std::all_of(text.begin(), text.end(),
                       [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
}

Result<void> check_slug(const json::Value& value) {
    if (is_slug(value.text()))
        return {};
    return Error{errc::validation_error, "Small letters, digits and hyphens between them make such a word."};
}

Result<void> check_colour(const json::Value& value) {
    const std::string& text = value.text();
    const bool is_short = text.size() == 4 && text[0] == '#' && ascii::is_hex(text.substr(1));
    return is_short || ascii::is_color(text) ? Result<void>{}
                                             : Error{errc::validation_error, "This is not a colour such as #3b82f6."};
}

Result<void> check_length(const json::Value& value) {
    const std::string& text = value.text();
    const auto unit = text.find_first_not_of("0123456789.");
    bool known = text.empty();
    if (unit != std::string::npos && unit > 0 && text[0] != '.')
        for (const char* one : {"px", "rem", "em", "%", "vw", "ch"})
            known = known || text.substr(unit) == one;
    return known ? Result<void>{} : Error{errc::validation_error, "This is not a length of CSS such as 1200px."};
}

Result<void> check_currencies(const json::Value& value) {
    for (const json::Value& code : value.items())
        if (!Currency::parse(code.text()))
            return Error{errc::validation_error, "There is no currency " + code.text() + " in ISO 4217."};
    return {};
}

void declare_addresses(SiteSettings& settings) {
    settings.declare({.key = "account_base",
                      .type = api::text(60, 1),
                      .fresh = "account",
                      .says = "First part of the address of customers' own pages.",
                      .group = "permalinks",
                      .also_checks = check_slug});
}

void declare_look(SiteSettings& settings) {
    const auto flag = [&](const char* key, bool fresh, const char* says, const char* group) {
        settings.declare({.key = key, .type = api::boolean(), .fresh = fresh, .says = says, .group = group});
    };
    const auto text = [&](const char* key, const char* says, const char* group, std::size_t longest) {
        settings.declare({.key = key, .type = api::text(longest), .fresh = "", .says = says, .group = group});
    };
    settings.declare({.key = "trip_card_layout",
                      .type = api::choice({"standard", "compact_mobile", "compact"}),
                      .fresh = "standard",
                      .says = "How trips look in listings, unless a listing's own card_layout says otherwise.",
                      .group = "listing",
                      .also = {"card_layout"}});
    settings.declare({.key = "trips_per_page",
                      .type = api::integer(1, 100),
                      .fresh = 12,
                      .says = "How many trips a page of a listing shows; a theme asks for that many.",
                      .group = "listing"});
    settings.declare({.key = "frontend_primary_color",
                      .type = api::text(7, 1),
                      .fresh = "#3b82f6",
                      .says = "The colour of buttons and links.",
                      .group = "listing",
                      .also_checks = check_colour});
    settings.declare({.key = "frontend_container_max_width",
                      .type = api::text(20),
                      .fresh = "",
                      .says = "How wide pages become, as a length of CSS; empty for the theme's own.",
                      .group = "listing",
                      .also_checks = check_length});
    flag("search_show_keyword", true, "The search has a field for words.", "listing");
    flag("search_show_destination", true, "The search has a field for destinations.", "listing");
    flag("search_show_activities", true, "The search has a field for activities.", "listing");
    flag("search_show_duration", true, "The search has a field for the duration.", "listing");
    flag("search_show_budget", true, "The search has a field for the budget.", "listing");
    flag("search_show_date", false, "The search has a field for the date.", "listing");
    flag("collapse_filters_on_mobile", false, "Filters are folded in on small screens.", "listing");
    flag("enable_comparison", false, "Visitors may compare trips side by side.", "listing");
    text("seo_trip_meta_title", "The title of the listing's page for search engines.", "seo", 200);
    text("seo_trip_meta_description", "The description of the listing's page for search engines.", "seo", 500);
    text("seo_trip_meta_keywords", "The key words of the listing's page for search engines.", "seo", 500);
    settings.declare({.key = "seo_trip_meta_image",
                      .type = api::integer(0),
                      .fresh = 0,
                      .says = "The medium shown where the listing's page is shared; 0 for none.",
                      .group = "seo"});
    flag("enable_sitemap", true, "A theme lists trips in its sitemap.", "seo");
    text("google_analytics", "The id of Google Analytics that a theme's pages report to.", "integration", 100);
    text("facebook_pixel", "The id of the Facebook pixel that a theme's pages report to.", "integration", 100);
}

void declare_checkout(SiteSettings& settings) {
    const auto flag = [&](const char* key, bool fresh, const char* says, const char* group) {
        settings.declare({.key = key, .type = api::boolean(), .fresh = fresh, .says = says, .group = group});
    };
    flag("date_picker_as_dropdown", false, "The booking page shows dates as a list to choose from.", "booking");
    flag("use_booking_page", false, "Booking happens on the page booking_page_id instead of the one at booking_base.",
         "booking");
    settings.declare({.key = "booking_page_id",
                      .type = api::integer(0),
                      .fresh = 0,
                      .says = "The page of /settings/pages that use_booking_page speaks of.",
                      .group = "booking"});
    flag("customer_dashboard_enabled", true, "A theme shows customers an overview of what they booked.", "customer");
    settings.declare({.key = "customer_account_page",
                      .type = api::text(200),
                      .fresh = "",
                      .says = "The page with customers' accounts; empty for the one at account_base.",
                      .group = "customer"});
    flag("multi_currency", false, "A theme shows prices in enabled_currencies too; booked is in `currency` alone.",
         "locale");
    settings.declare({.key = "enabled_currencies",
                      .type = api::list(api::text(3, 3), 50),
                      .fresh = json::Value::array(),
                      .says = "The currencies that multi_currency speaks of.",
                      .group = "locale",
                      .also_checks = check_currencies});
}

}  // namespace

void declare_pages(SiteSettings& settings) {
    declare_addresses(settings);
    declare_look(settings);
    declare_checkout(settings);
}

}  // namespace svc::settings
