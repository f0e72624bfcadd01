// A rule that changes prices by date, seats, notice and demand. Module dynamic_pricing.
#pragma once

#include "shared/record/record.hpp"

namespace svc::pro::dynamic_pricing {

inline constexpr std::string_view module_slug = "dynamic_pricing";

// By a share of the price or by an amount for one traveler or group; both may be negative.
struct Adjustment {
    std::string type{"percentage"};  // percentage, fixed
    Currency currency = Currency::usd();
    Money amount = Money::zero(Currency::usd());  // of fixed; else zero
    Rate rate{};                                  // of percentage; else zero

    [[nodiscard]] bool is_share() const { return type == "percentage"; }
};

struct PricingRule : record::Audit, record::Trash {
    std::int64_t id = 0;
    std::string name;
    std::string rule_type{"seasonal"};  // early_bird, last_minute, demand, inventory, seasonal, time_based
    Adjustment adjustment;
    std::optional<std::int64_t> min_days_before, max_days_before;  // of early_bird and last_minute
    std::optional<std::int64_t> min_inventory, max_inventory;      // of inventory: seats left
    std::int64_t demand_threshold_high = 80, demand_threshold_low = 30;
    std::vector<std::string> weekend_days{"5", "6"};  // of time_based; "0" is Sunday
    // Of early_bird and last_minute the days of booking, else the days of travel.
    std::optional<Date> start_date, end_date;
    std::string applicable_trips{"all"};  // all, specific
    std::vector<std::int64_t> trip_ids{};
    json::Value conditions{};        // see conditions.hpp; null: none
    std::string status{"inactive"};  // active, inactive, trash
    std::int64_t priority = 1;       // 1 to 100, higher first
    // Read alone.
    std::int64_t times_applied = 0;
    Currency revenue_currency = Currency::usd();
    Money revenue_impact = Money::zero(Currency::usd());
};
const record::Record<PricingRule>& rule_record();

}  // namespace svc::pro::dynamic_pricing
