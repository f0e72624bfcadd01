// The settings of the module.
#pragma once

#include <string>
#include <vector>

#include "pro/common/site.hpp"
#include "pro/google_calendar/google_calendar.hpp"

namespace svc::pro::google_calendar {

void declare_settings(plugin::Settings& settings);

// What is copied, and how. A copy of the settings.
struct Wishes {
    bool departures = true, bookings = false;
    bool names_contacts = false;  // events of bookings have the name of the contact
    bool invites = false;         // and Google invites the contact by e-mail
    std::vector<std::int64_t> reminder_days = {};
    std::string language;  // of the texts
};
Wishes wishes_of(const Site& site);
bool syncs_by_itself(const Site& site);

struct Client {
    std::string id, secret;
    [[nodiscard]] bool is_complete() const { return !id.empty() && !secret.empty(); }
};
Client client_of(const Site& site);

// As PUT /google-calendar/settings takes them.
api::Schema settings_schema();
// With the secret masked.
json::Value settings_json(const Site& site);
Result<void> check_settings(const Site& site, const json::Value& body);
// Returns whether something changed that events show. Part of `tx`.
Result<bool> write_settings(const Site& site, const json::Value& body, store::Transaction& tx, std::int64_t user_id);

}  // namespace svc::pro::google_calendar
