// The settings of dynamic pricing.
#pragma once

#include "pro/common/site.hpp"
#include "pro/dynamic_pricing/engine.hpp"

namespace svc::pro::dynamic_pricing {

// What pages show beside a price that was lowered.
struct Display {
    bool original_price = true, savings_badge = true, urgency_messages = false;
};

void declare_settings(plugin::Settings& settings);

// Of the settings, read at each call. Any thread.
Policy policy_of(const Site& site);
Display display_of(const Site& site);
std::int64_t calculation_period_of(const Site& site);  // days
bool is_hourly(const Site& site);                      // demand scores are calculated each hour, else each day

// The members of GET and PUT /dynamic-pricing/settings.
api::Schema settings_schema();
json::Value settings_json(const Site& site);
// Writes the members that the body has.
Result<void> write_settings(const Site& site, const json::Value& body, store::Transaction& tx, std::int64_t user_id);

}  // namespace svc::pro::dynamic_pricing
