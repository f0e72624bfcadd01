// The settings of consent forms, among the site's.
#pragma once

#include "pro/common/site.hpp"

namespace svc::pro::consent {

void declare_settings(plugin::Settings& settings);

// Read at each call; outside of transactions.
std::int64_t adult_age(const Site& site);
std::int64_t health_days(const Site& site);
bool blocks_check_in(const Site& site);
std::int64_t default_send_before_days(const Site& site);
std::string default_reminder_days(const Site& site);
std::string paper_note(const Site& site);

// "3,1": days before the trip, each once, the earliest reminder first. Nothing: it is no such list.
std::optional<std::vector<std::int64_t>> reminder_days_of(std::string_view text);
std::string text_of_reminder_days(const std::vector<std::int64_t>& days);

inline constexpr const char* keep_days_setting = "consent_keep_days";

}  // namespace svc::pro::consent
