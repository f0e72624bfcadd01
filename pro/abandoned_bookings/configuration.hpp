// The settings of abandoned bookings.
#pragma once

#include <array>

#include "pro/abandoned_bookings/abandoned_booking.hpp"
#include "pro/common/site.hpp"

namespace svc::pro::abandoned_bookings {

void declare_settings(plugin::Settings& settings);

// What must be true before an address is kept, by the law of the visitor's country.
enum class Consent : std::uint8_t {
    opt_in,     // the visitor ticked the box
    customers,  // the same, or the address has booked before; the notice is shown
    notice      // the notice is shown and was not answered with no
};

// Each reads the settings; any thread.
bool is_tracking(const Site& site);
bool sends_by_itself(const Site& site);
// `country`: two letters, empty for an unknown one, which has the rule of all others.
Consent consent_in(const Site& site, std::string_view country);
std::string_view name_of(Consent consent);
// Hours after the last activity, of the standard reminders.
std::array<std::int64_t, most_reminders> delays_of(const Site& site);
// Percent of a standard reminder's own coupon; 0: it has none. `stage` from 1.
Rate discount_of(const Site& site, std::int64_t stage);
std::string common_code(const Site& site);    // named by reminders without a coupon of their own; empty: none
std::int64_t coupon_days(const Site& site);   // how long such a coupon counts
std::int64_t days_between(const Site& site);  // a person is reminded of another booking only after so many

// As GET and PUT /abandoned-bookings/settings have them.
api::Schema settings_schema();
json::Value settings_json(const Site& site);
// Refuses delays that do not ascend and names that are no countries, naming the field.
Result<void> check_settings(const Site& site, const json::Value& body);
Result<void> write_settings(const Site& site, const json::Value& body, store::Transaction& tx, std::int64_t user_id);

}  // namespace svc::pro::abandoned_bookings
