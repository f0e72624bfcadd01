// The settings that no other feature owns: letterhead, locale, limits of the interface.
#include <algorithm>

#include "base/platform/texts/texts.hpp"
#include "base/settings/values/pages.hpp"
#include "base/settings/values/site_settings.hpp"
#include "shared/core/email.hpp"

namespace svc::settings {
namespace {

Result<void> check_email(const json::Value& value) {
    if (value.text().empty() || email_address(value.text()))
        return {};
    return Error{errc::validation_error, "Enter a valid e-mail address."_sentence};
}

Result<void> check_url(const json::Value& value) {
    const std::string& url = value.text();
    const bool web = url.starts_with("https://") || url.starts_with("http://");
    if (url.empty() || (web && url.size() > url.find("://") + 3 && url.find(' ') == std::string::npos))
        return {};
    return Error{errc::validation_error, "Enter a web address that begins with https:// or http://."_sentence};
}

// Those that pages can speak, English first: the bundled ones and those of the operator's catalogues.
std::vector<std::string> languages() {
    std::vector<std::string> all = texts::bundled().languages("site");
    std::rotate(all.begin(), std::find(all.begin(), all.end(), "en"), std::find(all.begin(), all.end(), "en") + 1);
    return all;
}

Result<void> check_zone(const json::Value& value) {
    if (Zone::named(value.text()))
        return {};
    return Error{errc::validation_error, "Enter the name of a time zone, such as Europe/Paris."_sentence};
}

Result<void> check_currency(const json::Value& value) {
    if (Currency::parse(value.text()))
        return {};
    return Error{errc::validation_error, "Enter a currency code of ISO 4217, such as EUR."_sentence};
}

void declare_company(SiteSettings& settings) {
    struct Line {
        const char *key, *help;
        std::size_t longest;
        Result<void> (*check)(const json::Value&);
    };
    for (const Line& line : {
             Line{"company_name", "The company's name on letters and documents.", 200, nullptr},
             Line{"company_email", "The company's e-mail address for customers.", 254, check_email},
             Line{"company_phone", "The company's telephone number.", 40, nullptr},
             Line{"company_address", "Street and number.", 300, nullptr},
             Line{"company_city", "City.", 100, nullptr},
             Line{"company_state", "State or province.", 100, nullptr},
             Line{"company_country", "Country.", 100, nullptr},
             Line{"company_zip", "Postal code.", 20, nullptr},
             Line{"company_website", "The company's web address.", 500, check_url},
             Line{"company_logo", "Web address of the company's logo.", 500, check_url},
         }) {
        Setting setting{.key = line.key, .type = api::text(line.longest), .initial = "", .help = line.help};
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
                      .initial = "UTC",
                      .help = "IANA time zone for \"today\" and daily jobs.",
                      .group = "locale",
                      .also_checks = check_zone});
    settings.declare({.key = "currency",
                      .type = api::text(3, 3),
                      .initial = "USD",
                      .help = "ISO 4217 currency of prices.",
                      .group = "locale",
                      .also = {"default_currency"},
                      .also_checks = check_currency});
    settings.declare({.key = "site_language",
                      .type = api::choice(languages()),
                      .initial = "en",
                      .help = "Language of pages and e-mails for whoever has chosen none, and of e-mails to staff.",
                      .group = "locale"});
    settings.declare({.key = "date_format",
                      .type = api::text(40, 0),
                      .initial = "",
                      .help = "Format of displayed dates, such as d.m.Y; empty: in words, in the reader's language.",
                      .group = "locale"});
    settings.declare({.key = "time_format",
                      .type = api::text(40, 1),
                      .initial = "H:i",
                      .help = "Format of times on theme pages.",
                      .group = "locale"});
    settings.declare({.key = "currency_position",
                      .type = api::choice({"left", "right", "left_space", "right_space", "before", "after"}),
                      .initial = "left",
                      .help =
                          "Position of the currency relative to the amount; codes are separated by a space. before is"
                          " stored as left, after as right.",
                      .group = "locale",
                      .cleans = [](const json::Value& given) {
                          return given.text() == "before"  ? json::Value("left")
                                 : given.text() == "after" ? json::Value("right")
                                                           : given;
                      }});
    settings.declare({.key = "currency_decimals",
                      .type = api::integer(0, 4),
                      .initial = 2,
                      .help =
                          "0: pages and e-mails write whole amounts without decimals, and all decimals of the others."
                          " Otherwise amounts have the decimals of their currency, as documents always have.",
                      .group = "locale",
                      .also = {"decimal_places"}});
    settings.declare({.key = "decimal_separator",
                      .type = api::raw_text(3),
                      .initial = ".",
                      .help = "Decimal separator of amounts.",
                      .group = "locale"});
    settings.declare({.key = "thousand_separator",
                      .type = api::raw_text(3),
                      .initial = ",",
                      .help = "Thousands separator of amounts.",
                      .group = "locale"});
    settings.declare_together([](const SiteSettings::Get& get) -> Result<void> {
        if (get("decimal_separator") != get("thousand_separator"))
            return {};
        return invalid("thousand_separator", "This must differ from decimal_separator."_sentence);
    });
}

}  // namespace

void declare_settings(SiteSettings& settings) {
    declare_company(settings);
    declare_locale(settings);
    declare_pages(settings);
    settings.declare({.key = "log_retention_days",
                      .type = api::integer(1, 3650),
                      .initial = 90,
                      .help = "Number of days that delivered events and lines of the log are kept.",
                      .group = "system"});
    settings.declare({.key = "api_rate_limit",
                      .type = api::integer(0, 100'000),
                      .initial = 100,
                      .help = "Requests per minute that a user may make with all sessions and application passwords; 0:"
                              " no limit. Staff in the admin have staff_rate_limit instead.",
                      .group = "system"});
    settings.declare({.key = "staff_rate_limit",
                      .type = api::integer(0, 100'000),
                      .initial = 1'200,
                      .help = "Requests per minute that a member of staff may make in the admin, in all sessions"
                              " together; 0: no limit.",
                      .group = "system"});
    settings.declare({.key = "debug_mode",
                      .type = api::boolean(),
                      .initial = false,
                      .help = "Write debug lines to the log: names and sizes of what each request sent and received, "
                              "and the code and invalid fields of each error.",
                      .group = "system"});
    settings.declare({.key = "cache_enabled",
                      .type = api::boolean(),
                      .initial = true,
                      .help = "Remember pages and bodies in memory and allow browsers and proxies to cache answers;"
                              " when off, each answer is made anew and carries Cache-Control: no-store.",
                      .group = "system"});
    settings.declare({.key = "session_timeout",
                      .type = api::integer(300, 86'400),
                      .initial = 3600,
                      .help = "Seconds of inactivity after which a session ends.",
                      .group = "system"});
}

}  // namespace svc::settings
