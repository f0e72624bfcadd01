// The tables of dynamic pricing besides the rules themselves: what bookings paid, and how much dates are in demand.
#pragma once

#include <map>
#include <unordered_map>

#include "pro/dynamic_pricing/engine.hpp"

namespace svc::pro::dynamic_pricing {

// A booking whose price was changed. Amounts are of all travelers.
struct HistoryEntry {
    std::int64_t booking_id = 0, trip_id = 0;
    Date travel_date;
    Money before, after;
    std::optional<std::int64_t> demand;
    std::map<std::int64_t, Money> rules{};  // the change by each
};

// Replaces the booking's entry; rules that do not exist are left out.
void store_history(store::Transaction& tx, const HistoryEntry& entry, Instant now);
void remove_history(store::Transaction& tx, std::int64_t booking_id);

// Changes with every write of a rule or of the demand scores.
struct Stamp {
    std::int64_t rules = 0, rules_at = 0, scores = 0, scores_at = 0;
    friend bool operator==(const Stamp&, const Stamp&) = default;
};
Stamp stamp(store::Session& session);
std::vector<PricingRule> active_rules(store::Session& session);

// Scores by trip and day.
using Scores = std::map<std::pair<std::int64_t, std::int32_t>, std::int64_t>;
Scores scores_from(store::Session& session, Date first);

// How well a date sells, see score_of().
struct Demand {
    std::int64_t trip_id = 0;
    Date travel_date;
    std::int64_t booked = 0, capacity = 0;
    std::int64_t recent = 0, before = 0;  // bookings of the trip in the last period, and in the four before it
};
// 0 to 100: 60 parts by the seats sold, 40 by recent bookings against the typical number.
std::int64_t score_of(const Demand& demand);
// The coming departures with seats.
std::vector<Demand> demand_from(store::Session& session, Date first, Instant now, std::int64_t period_days);
void store_scores(store::Transaction& tx, const std::vector<Demand>& demand, Instant now);

// The members of GET /dynamic-pricing/statistics; `mean_impact` in parts per million of the price before.
json::Value statistics(store::Session& session, Currency currency, Instant now);

}  // namespace svc::pro::dynamic_pricing
