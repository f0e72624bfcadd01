// Declares the record of pricing rules.
#include "pro/dynamic_pricing/pricing_rule.hpp"

namespace svc::pro::dynamic_pricing {

const record::Record<PricingRule>& rule_record() {
    using namespace record;
    using Rule = PricingRule;
    constexpr std::int64_t most_days = 3660, most_seats = 100'000;
    static const Record<Rule> rule{
        {.table = "svc_dynamic_pricing_rules",
         .component = "PricingRule",
         .search_column = "search",
         .sorts = {{"id", {"r.id"}}, {"created_at", {"r.created_at"}}, {"updated_at", {"r.updated_at"}}},
         .default_sort = "name",
         .conditions = {{"rule_type", "r.rule_type = :rule_type"}}},
        {id(&Rule::id), column("name", &Rule::name, api::text(150, 1), by_client | required | searched | sortable),
         column("rule_type", &Rule::rule_type,
                api::choice({"early_bird", "last_minute", "demand", "inventory", "seasonal", "time_based"}),
                by_client | required, "What the rule looks at; conditions narrow it further."),
         column("adjustment_type", within(&Rule::adjustment, &Adjustment::type), api::choice({"percentage", "fixed"}),
                by_client | default_value("percentage"), "fixed: an amount for one traveler or group."),
         // Taken by the resource, which knows the site's currency.
         computed<Rule>(
             "adjustment_value", api::decimal(),
             [](const Rule& r) {
                 return r.adjustment.is_share() ? json::Value(r.adjustment.rate) : json::Value(r.adjustment.amount);
             },
             [](Rule&, const json::Value&, Faults&) {}, by_client | required,
             "Percentage or amount. early_bird and last_minute lower the price by it, whatever its sign."),
         column("min_days_before", &Rule::min_days_before, api::integer(0, most_days), by_client,
                "Least days from booking to travel."),
         column("max_days_before", &Rule::max_days_before, api::integer(0, most_days), by_client),
         column("min_inventory", &Rule::min_inventory, api::integer(0, most_seats), by_client,
                "inventory: up to so many seats left the price rises."),
         column("max_inventory", &Rule::max_inventory, api::integer(0, most_seats), by_client,
                "inventory: from so many seats left on the price falls by half the value."),
         column("demand_threshold_high", &Rule::demand_threshold_high, api::integer(0, 100),
                by_client | default_value(80)),
         column("demand_threshold_low", &Rule::demand_threshold_low, api::integer(0, 100),
                by_client | default_value(30)),
         column("weekend_days", &Rule::weekend_days, api::list(api::choice({"0", "1", "2", "3", "4", "5", "6"}), 7),
                by_client | default_value(json::Value::array({"5", "6"})),
                "time_based: weekdays of travel; 0 is Sunday."),
         column("start_date", &Rule::start_date, api::date(), by_client,
                "First day of travel; of early_bird and last_minute: of booking."),
         column("end_date", &Rule::end_date, api::date(), by_client),
         column("applicable_trips", &Rule::applicable_trips, api::choice({"all", "specific"}),
                by_client | default_value("all")),
         linked("trip_ids", &Rule::trip_ids,
                {.table = "svc_dynamic_pricing_rule_trips",
                 .owner = "rule_id",
                 .other = "trip_id",
                 .exists_in = "svc_trip_v1",
                 .noun = "trip"},
                by_client, "Trips for specific."),
         column("conditions", &Rule::conditions, api::anything().or_null(), by_client,
                "Further conditions: {match: all or any, conditions: […]}, where each is a group like this one or"
                " {field, operator, value}. Null: none."),
         column("status", &Rule::status, api::choice({"active", "inactive", "trash"}),
                by_client | default_value("inactive") | sortable),
         column("priority", &Rule::priority, api::integer(1, 100), by_client | default_value(1) | sortable,
                "Higher first."),
         column("currency", within(&Rule::adjustment, &Adjustment::currency), api::text(3), by_server,
                "Currency of a fixed value and of revenue_impact."),
         money("amount_minor", within(&Rule::adjustment, &Adjustment::amount),
               within(&Rule::adjustment, &Adjustment::currency), api::decimal(), hidden | stored_as("amount_minor")),
         column("rate_ppm", within(&Rule::adjustment, &Adjustment::rate), api::decimal(), hidden),
         derived("times_applied", &Rule::times_applied,
                 "(SELECT COUNT(*) FROM svc_pricing_history_rules h WHERE h.rule_id = r.id)", api::integer(0),
                 "Bookings whose price it changed."),
         derived("revenue_currency", &Rule::revenue_currency, "r.currency", api::text(3), {}, hidden),
         derived_money("revenue_impact", &Rule::revenue_impact, &Rule::revenue_currency,
                       "(SELECT CAST(COALESCE(SUM(h.delta_minor), 0) AS BIGINT) FROM svc_pricing_history_rules h"
                       " JOIN svc_pricing_history p ON p.booking_id = h.booking_id"
                       " WHERE h.rule_id = r.id AND p.currency = r.currency)"),
         row_version<Rule>(), timestamps<Rule>(), authors<Rule>(Names::left_out, hidden), trashed_at<Rule>(),
         status_before_trash<Rule>()}};
    return rule;
}

}  // namespace svc::pro::dynamic_pricing
