// The settings that no other feature owns: letterhead, locale, limits of the interface.
#include "base/settings/pages.hpp"
#include "base/settings/site_settings.hpp"
#include "shared/core/email.hpp"

namespace svc::settings {
namespace {

Result<void> check_email(const json::Value& value) {
    if (value.text().empty() || email_address(value.text()))
        return {};
    return Error{errc::validation_error, "This is not an e-mail address."};
}

Result<void> check_url(const json::Value& value) {
    const std::string& url = value.text();
    const bool web = url.starts_with("https://") || url.starts_with("http://");
    if (url.empty() || (web && url.size() > url.find("://") + 3 && url.find(' ') == std::string::npos))
        return {};
    return Error{errc::validation_error, "This is not a web address that begins with https:// or http://."};
}

Result<void> check_zone(const json::Value& value) {
    if (Zone::named(value.text()))
        return {};
    return Error{errc::validation_error, "This is not the name of a time zone, such as Europe/Paris."};
}

Result<void> check_currency(const json::Value& value) {
    if (Currency::parse(value.text()))
        return {};
    return Error{errc::validation_error, "This is not a currency of ISO 4217, such as EUR."};
}

void declare_company(SiteSettings& settings) {
    struct Line {
        const char *key, *says;
        std::size_t longest;
        Result<void> (*check)(const json::Value&);
    };
    for (const Line& line : {
             Line{"company_name", "The company's name on letters and documents.", 200, nullptr},
             Line{"company_email", "Where customers write to.", 254, check_email},
             Line{"company_phone", "The company's telephone number.", 40, nullptr},
             Line{"company_address", "Street and number.", 300, nullptr},
             Line{"company_city", "City.", 100, nullptr},
             Line{"company_state", "State or province.", 100, nullptr},
             Line{"company_country", "Country.", 100, nullptr},
             Line{"company_zip", "Postal code.", 20, nullptr},
             Line{"company_website", "The company's web address.", 500, check_url},
             Line{"company_logo", "Web address of the company's logo.", 500, check_url},
         }) {
        Setting setting{.key = line.key, .type = api::text(line.longest), .fresh = "", .says = line.says};
        setting.group = "company";
        if (line.check)
            setting.also_checks = line.check;
        if (line.check == check_email)
            setting.cleans = [](const json::Value& typed) {
                return json::Value(email_address(typed.text()).value_or(std::string()));
            };
        settings.declare(std::move(setting));
    }
}

void declare_locale(SiteSettings& settings) {
    settings.declare({.key = "timezone",
                      .type = api::text(64, 1),
                      .fresh = "UTC",
                      .says = "The IANA time zone that \"today\" and the daily jobs go by.",
                      .group = "locale",
                      .also_checks = check_zone});
    settings.declare({.key = "currency",
                      .type = api::text(3, 3),
                      .fresh = "USD",
                      .says = "The ISO 4217 currency that prices are given in.",
                      .group = "locale",
                      .also = {"default_currency"},
                      .also_checks = check_currency});
    settings.declare({.key = "date_format",
                      .type = api::text(40, 1),
                      .fresh = "Y-m-d",
                      .says = "How dates are displayed.",
                      .group = "locale"});
    settings.declare({.key = "time_format",
                      .type = api::text(40, 1),
                      .fresh = "H:i",
                      .says = "How pages of a theme display clock times.",
                      .group = "locale"});
    settings.declare(
        {.key = "currency_position",
         .type = api::choice({"left", "right", "left_space", "right_space", "before", "after"}),
         .fresh = "left",
         .says =
             "Whether the currency's code stands before or behind an amount; a code has a space either way. before is"
             " stored as left, after as right.",
         .group = "locale",
         .cleans = [](const json::Value& given) {
             return given.text() == "before"  ? json::Value("left")
                    : given.text() == "after" ? json::Value("right")
                                              : given;
         }});
    settings.declare(
        {.key = "currency_decimals",
         .type = api::integer(0, 4),
         .fresh = 2,
         .says = "How many decimals pages of a theme display; our own documents tell amounts to the last unit.",
         .group = "locale",
         .also = {"decimal_places"}});
    settings.declare({.key = "decimal_separator",
                      .type = api::raw_text(3),
                      .fresh = ".",
                      .says = "What stands before the decimals of an amount.",
                      .group = "locale"});
    settings.declare({.key = "thousand_separator",
                      .type = api::raw_text(3),
                      .fresh = ",",
                      .says = "What stands between the thousands of an amount.",
                      .group = "locale"});
    settings.declare_together([](const SiteSettings::Get& get) -> Result<void> {
        if (get("decimal_separator") != get("thousand_separator"))
            return {};
        return invalid("thousand_separator", "This must differ from decimal_separator.");
    });
}

}  // namespace

void declare_settings(SiteSettings& settings) {
    declare_company(settings);
    declare_locale(settings);
    declare_pages(settings);
    settings.declare({.key = "log_retention_days",
                      .type = api::integer(1, 3650),
                      .fresh = 90,
                      .says = "How many days the record of what has happened (events that were told) is kept.",
                      .group = "system"});
    settings.declare(
        {.key = "api_rate_limit",
         .type = api::integer(0, 100'000),
         .fresh = 100,
         .says = "Requests a user may make in a minute, by all sessions and application passwords together; 0 is"
                 " no limit.",
         .group = "system"});
    settings.declare({.key = "debug_mode",
                      .type = api::boolean(),
                      .fresh = false,
                      .says = "Lines of level debug in the log: of each request what was sent and answered, by names "
                              "and sizes, and of each refusal its code and the fields at fault.",
                      .group = "system"});
    settings.declare({.key = "cache_enabled",
                      .type = api::boolean(),
                      .fresh = true,
                      .says = "Whether browsers and proxies may keep answers; off, each is sent whole every time, with "
                              "Cache-Control: no-store.",
                      .group = "system"});
    settings.declare({.key = "session_timeout",
                      .type = api::integer(300, 86'400),
                      .fresh = 3600,
                      .says = "Seconds without a request after which a signed-in session ends.",
                      .group = "system"});
}

}  // namespace svc::settings
