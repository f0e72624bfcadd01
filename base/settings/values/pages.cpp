// Declares the settings of pages.
#include "base/settings/values/pages.hpp"

#include <algorithm>

#include "base/settings/values/site_pages.hpp"
#include "shared/core/ascii.hpp"

namespace svc::settings {
namespace {

bool is_slug(std::string_view text) {
    return !text.empty() && text.front() != '-' && text.back() != '-' &&
           std::all_of(text.begin(), text.end(),
                       [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
}

Result<void> check_slug(const json::Value& value) {
    if (is_reserved_base(value.text()))
        return Error{errc::validation_error, "The server uses this address itself. Choose another one."_sentence};
    if (is_slug(value.text()))
        return {};
    return Error{errc::validation_error, "Use lower-case letters, digits and hyphens between them."_sentence};
}

Result<void> check_colour(const json::Value& value) {
    const std::string& text = value.text();
    const bool is_short = text.size() == 4 && text[0] == '#' && ascii::is_hex(text.substr(1));
    return is_short || ascii::is_color(text)
               ? Result<void>{}
               : Error{errc::validation_error, "This is not a colour such as #3b82f6."_sentence};
}

Result<void> check_colour_if_any(const json::Value& value) {
    return value.text().empty() ? Result<void>{} : check_colour(value);
}

Result<void> check_length(const json::Value& value) {
    const std::string& text = value.text();
    const auto unit = text.find_first_not_of("0123456789.");
    bool known = text.empty();
    if (unit != std::string::npos && unit > 0 && text[0] != '.')
        for (const char* one : {"px", "rem", "em", "%", "vw", "ch"})
            known = known || text.substr(unit) == one;
    return known ? Result<void>{} : Error{errc::validation_error, "Enter a CSS length such as 1200px."_sentence};
}

Result<void> check_currencies(const json::Value& value) {
    for (const json::Value& code : value.items())
        if (!Currency::parse(code.text()))
            return Error{errc::validation_error,
                         "Unknown currency {code} in ISO 4217."_sentence.with("code", code.text())};
    return {};
}

Result<void> check_rates(const json::Value& value) {
    for (const auto& [code, rate] : value.members()) {
        if (!Currency::parse(code))
            return Error{errc::validation_error, "Unknown currency {code} in ISO 4217."_sentence.with("code", code)};
        const std::string& text = rate.number_text();
        const auto point = text.find('.');
        if (text.find_first_not_of("0123456789.") != std::string::npos ||
            text.find_first_of("123456789") == std::string::npos ||
            (point != std::string::npos && text.size() - point - 1 > 6))
            return Error{errc::validation_error,
                         "Enter a rate above 0 with at most six decimals for {code}."_sentence.with("code", code)};
    }
    return {};
}

Result<void> check_origins(const json::Value& value) {
    for (const json::Value& origin : value.items()) {
        const std::string& text = origin.text();
        const std::size_t scheme = text.starts_with("https://") ? 8 : text.starts_with("http://") ? 7 : 0;
        const auto host = text.substr(scheme);
        if (scheme == 0 || host.empty() ||
            host.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789.-:") != std::string::npos)
            return Error{
                errc::validation_error,
                "Enter origins such as https://www.example.org, in small letters and without a path."_sentence};
    }
    return {};
}

void declare_addresses(SiteSettings& settings) {
    settings.declare({.key = "account_base",
                      .type = api::text(60, 1),
                      .initial = "account",
                      .help = "First path segment of customers' account pages.",
                      .group = "permalinks",
                      .also_checks = check_slug});
    settings.declare({.key = "booking_base",
                      .type = api::text(60, 1),
                      .initial = "book",
                      .help = "First path segment of booking pages.",
                      .group = "permalinks",
                      .also_checks = check_slug});
}

void declare_look(SiteSettings& settings) {
    const auto flag = [&](const char* key, bool fresh, const char* help, const char* group) {
        settings.declare({.key = key, .type = api::boolean(), .initial = fresh, .help = help, .group = group});
    };
    const auto text = [&](const char* key, const char* help, const char* group, std::size_t longest) {
        settings.declare({.key = key, .type = api::text(longest), .initial = "", .help = help, .group = group});
    };
    settings.declare({.key = "trip_card_layout",
                      .type = api::choice({"standard", "compact_mobile", "compact"}),
                      .initial = "standard",
                      .help = "Layout of trips in listings, unless a listing sets card_layout.",
                      .group = "listing",
                      .also = {"card_layout"}});
    settings.declare({.key = "trips_per_page",
                      .type = api::integer(1, 100),
                      .initial = 12,
                      .help = "Trips per listing page, requested by themes.",
                      .group = "listing"});
    settings.declare({.key = "frontend_primary_color",
                      .type = api::text(7, 1),
                      .initial = "#3b82f6",
                      .help = "The colour of buttons, and of links without an accent colour.",
                      .group = "listing",
                      .also_checks = check_colour});
    settings.declare({.key = "frontend_accent_color",
                      .type = api::text(7),
                      .initial = "",
                      .help = "The colour of links and stars; empty for that of buttons and the theme's stars.",
                      .group = "listing",
                      .also_checks = check_colour_if_any});
    settings.declare({.key = "frontend_container_max_width",
                      .type = api::text(20),
                      .initial = "",
                      .help = "Maximum page width as a CSS length; empty for the theme's default.",
                      .group = "listing",
                      .also_checks = check_length});
    flag("search_show_keyword", true, "Show the keyword field in the search.", "listing");
    flag("search_show_destination", true, "Show the destination field in the search.", "listing");
    flag("search_show_activities", true, "Show the activity field in the search.", "listing");
    flag("search_show_duration", true, "Show the duration field in the search.", "listing");
    flag("search_show_budget", true, "Show the budget field in the search.", "listing");
    flag("search_show_date", false, "Show the date field in the search.", "listing");
    flag("collapse_filters_on_mobile", false, "Collapse filters on small screens.", "listing");
    settings.declare({.key = "embed_origins",
                      .type = api::list(api::text(200, 1), 50),
                      .initial = json::Value::array(),
                      .help = "Origins of other sites that may show trips in frames, such as https://www.example.org.",
                      .group = "listing",
                      .also_checks = check_origins});
    flag("enable_comparison", false, "Let visitors compare trips side by side.", "listing");
    text("seo_trip_meta_title", "Title of the listing page for search engines.", "seo", 200);
    text("seo_trip_meta_description", "Description of the listing page for search engines.", "seo", 500);
    text("seo_trip_meta_keywords", "Keywords of the listing page for search engines.", "seo", 500);
    settings.declare({.key = "seo_trip_meta_image",
                      .type = api::integer(0),
                      .initial = 0,
                      .help = "Id of the picture for shared links to the listing page; 0 for none.",
                      .group = "seo"});
    flag("enable_sitemap", true, "Include trips in the theme's sitemap.", "seo");
    text("google_analytics",
         "Google Analytics id; its script runs on pages that are the same for everybody, for visitors who allow it in"
         " the banner that asks them.",
         "integration", 100);
    text("facebook_pixel",
         "Facebook pixel id; its script runs on pages that are the same for everybody, for visitors who allow it in the"
         " banner that asks them.",
         "integration", 100);
}

void declare_checkout(SiteSettings& settings) {
    const auto flag = [&](const char* key, bool fresh, const char* help, const char* group) {
        settings.declare({.key = key, .type = api::boolean(), .initial = fresh, .help = help, .group = group});
    };
    flag("date_picker_as_dropdown", false, "Show dates on the booking page as a list.", "booking");
    flag("use_booking_page", false, "Use the page booking_page_id for booking instead of the page at booking_base.",
         "booking");
    settings.declare({.key = "booking_page_id",
                      .type = api::integer(0),
                      .initial = 0,
                      .help = "Page of /settings/pages used with use_booking_page.",
                      .group = "booking"});
    flag("customer_dashboard_enabled", true, "Show customers an overview of their bookings.", "customer");
    settings.declare({.key = "customer_account_page",
                      .type = api::text(200),
                      .initial = "",
                      .help = "Page with customers' accounts; empty for the page at account_base.",
                      .group = "customer"});
    flag("multi_currency", false, "Also show prices in enabled_currencies; bookings always use `currency`.", "locale");
    settings.declare({.key = "enabled_currencies",
                      .type = api::list(api::text(3, 3), 50),
                      .initial = json::Value::array(),
                      .help = "Currencies shown with multi_currency, each by its rate in currency_rates.",
                      .group = "locale",
                      .also_checks = check_currencies});
    settings.declare({.key = "currency_rates",
                      .type = api::map(api::decimal(0, 1'000'000), 50),
                      .initial = json::Value::object(),
                      .help = "What one unit of `currency` is in other currencies, such as {\"EUR\": 0.92}; at most six"
                              " decimals. Prices in them are shown for orientation, with the rate.",
                      .group = "locale",
                      .also_checks = check_rates});
}

}  // namespace

void declare_pages(SiteSettings& settings) {
    declare_addresses(settings);
    declare_look(settings);
    declare_checkout(settings);
}

}  // namespace svc::settings
