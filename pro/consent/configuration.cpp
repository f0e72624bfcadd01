// Declares and reads the settings.
#include "pro/consent/configuration.hpp"

#include <algorithm>
#include <charconv>

#include "pro/consent/consent.hpp"

namespace svc::pro::consent {
namespace {

constexpr const char *age = "consent_adult_age", *health = "consent_health_days", *blocks = "consent_blocks_check_in",
                     *before = "consent_send_before_days", *reminders = "consent_reminder_days",
                     *paper = "consent_paper_note";
constexpr std::int64_t most_days = 365, most_kept = 36'500;
constexpr std::size_t most_reminders = 10;

}  // namespace

void declare_settings(plugin::Settings& settings) {
    const auto declare = [&](const char* key, api::Type type, json::Value initial, const char* help) {
        settings.declare({.key = key,
                          .type = std::move(type),
                          .initial = std::move(initial),
                          .help = help,
                          .group = "booking",
                          .module = std::string(module_slug)});
    };
    declare(blocks, api::boolean(), false, "Travelers are not checked in while a consent form of theirs is unsigned.");
    declare(age, api::integer(14, 25), 18, "Who is younger on the travel date signs by a guardian.");
    declare(health, api::integer(0, most_kept), 30,
            "Days after the trip for which answers about health in signed consents are kept.");
    declare(before, api::integer(0, most_days), 7, "Days before the trip on which a new consent form is sent.");
    declare(reminders, api::text(60), "3,1",
            "Days before the trip on which a new consent form reminds those who have not signed, such as 3,1.");
    declare(paper, api::text(500), "", "How a traveler gets a consent form on paper; shown beside the form.");
    declare(keep_days_setting, api::integer(0, most_kept), 0, "Days for which signed consents are kept; 0: for ever.");
}

std::int64_t adult_age(const Site& site) { return site.settings.get(age).integer(); }
std::int64_t health_days(const Site& site) { return site.settings.get(health).integer(); }
bool blocks_check_in(const Site& site) { return site.settings.get(blocks).boolean(); }
std::int64_t default_send_before_days(const Site& site) { return site.settings.get(before).integer(); }
std::string paper_note(const Site& site) { return site.settings.text(paper); }

// Settings are checked by their types alone: a list that is none means no reminders.
std::string default_reminder_days(const Site& site) {
    const auto days = reminder_days_of(site.settings.text(reminders));
    return days ? text_of_reminder_days(*days) : std::string();
}

std::optional<std::vector<std::int64_t>> reminder_days_of(std::string_view text) {
    std::vector<std::int64_t> days;
    while (!text.empty()) {
        auto part = text.substr(0, text.find(','));
        text.remove_prefix(std::min(text.size(), part.size() + 1));
        while (part.starts_with(' '))
            part.remove_prefix(1);
        while (part.ends_with(' '))
            part.remove_suffix(1);
        std::int64_t day = 0;
        const auto [end, fault] = std::from_chars(part.data(), part.data() + part.size(), day);
        if (fault != std::errc{} || end != part.data() + part.size() || day < 0 || day > most_days)
            return std::nullopt;
        if (std::find(days.begin(), days.end(), day) == days.end())
            days.push_back(day);
    }
    std::sort(days.rbegin(), days.rend());
    return days.size() > most_reminders ? std::nullopt : std::optional(std::move(days));
}

std::string text_of_reminder_days(const std::vector<std::int64_t>& days) {
    std::string text;
    for (const std::int64_t day : days)
        text += (text.empty() ? "" : ",") + std::to_string(day);
    return text;
}

}  // namespace svc::pro::consent
