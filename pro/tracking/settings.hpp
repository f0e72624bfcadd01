// The settings of both modules, and their two routes.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "pro/common/site.hpp"
#include "pro/tracking/catalogue.hpp"

namespace svc::pro::tracking {

inline constexpr std::string_view pixel_test_setting = "fb_test_event_code", ga_debug_setting = "ga4_debug_mode";

// One setting on the wire of /facebook-pixel/settings or /google-analytics/settings.
struct SettingRow {
    std::string_view name;  // on the wire
    std::string_view key;   // of the setting
    api::Type type;
    json::Value initial;
    std::string_view help;
    bool secret = false;
};

// Declares the rows and, of every event, whether it is reported.
void declare_settings(const Site& site, const Partner& partner, const std::vector<SettingRow>& rows);

// Whether the text has the form of the partner's id: a pixel's digits, or a measurement id "G-ABC123".
bool is_id(const Partner& partner, std::string_view text);

// Whether the event is switched on. Any thread.
bool reports(const Site& site, const Partner& partner, const EventKind& kind);

// GET and PUT of `path`. `check`: faults of the settings as they would be, secrets open; `saved` runs in the write's
// transaction.
struct SettingsRoutes {
    std::string path, component, title;
    std::vector<SettingRow> rows;
    std::function<Result<void>(const json::Value& after)> check;
    std::function<void(store::Transaction& tx)> saved;
};
void add_settings_routes(const Site& site, const Partner& partner, const SettingsRoutes& given);

// "****" and the last four characters; shorter secrets show none.
std::string masked(std::string_view secret);
// Whether it is such a mask: the stored secret is meant.
bool is_masked(std::string_view text);

// The secret that a test asks for: the one of the body, or the stored one where the body has none or its mask.
std::string secret_of(const Site& site, const Partner& partner, const std::string& given);

}  // namespace svc::pro::tracking
