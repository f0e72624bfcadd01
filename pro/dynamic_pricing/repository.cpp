// Statements of the history of prices and of the demand scores.
#include "pro/dynamic_pricing/repository.hpp"

#include <algorithm>

#include "shared/store/typed.hpp"

namespace svc::pro::dynamic_pricing {
namespace {

using json::Value;

constexpr std::int64_t most_rules = 10'000;
constexpr std::int64_t day_micros = 86'400'000'000;

}  // namespace

void remove_history(store::Transaction& tx, std::int64_t booking_id) {
    tx.run("DELETE FROM svc_pricing_history WHERE booking_id = :id", {{"id", booking_id}});
}

void store_history(store::Transaction& tx, const HistoryEntry& entry, Instant now) {
    remove_history(tx, entry.booking_id);
    tx.run(
        "INSERT INTO svc_pricing_history (booking_id, trip_id, travel_date, currency, base_minor, final_minor,"
        " demand_score, created_at) VALUES (:booking_id, :trip_id, :travel_date, :currency, :base, :final, :demand,"
        " :now)",
        {{"booking_id", entry.booking_id},
         {"trip_id", entry.trip_id},
         {"travel_date", entry.travel_date},
         {"currency", entry.before.currency().code()},
         {"base", entry.before.minor()},
         {"final", entry.after.minor()},
         {"demand", entry.demand},
         {"now", now}});
    for (const auto& [rule_id, delta] : entry.rules)
        tx.run(
            "INSERT INTO svc_pricing_history_rules (booking_id, rule_id, delta_minor)"
            " SELECT CAST(:booking_id AS BIGINT), id, CAST(:delta AS BIGINT) FROM svc_dynamic_pricing_rules"
            " WHERE id = :rule_id",
            {{"booking_id", entry.booking_id}, {"rule_id", rule_id}, {"delta", delta.minor()}});
}

Stamp stamp(store::Session& session) {
    const auto read = store::tuple<std::int64_t, std::int64_t, std::int64_t, std::int64_t>(
        session,
        "SELECT (SELECT CAST(COALESCE(SUM(row_version), 0) AS BIGINT) FROM svc_dynamic_pricing_rules"
        " WHERE status = 'active'), (SELECT CAST(COALESCE(SUM(updated_at / 1000), 0) AS BIGINT)"
        " FROM svc_dynamic_pricing_rules WHERE status = 'active'), (SELECT COUNT(*) FROM svc_demand_scores),"
        " (SELECT COALESCE(MAX(calculated_at), 0) FROM svc_demand_scores)",
        {});
    if (!read)
        return {};
    const auto& [rules, rules_at, scores, scores_at] = *read;
    return {rules, rules_at, scores, scores_at};
}

std::vector<PricingRule> active_rules(store::Session& session) {
    return rule_record().list(session,
                              {.status = "active", .order_by = "priority", .ascending = false, .limit = most_rules});
}

Scores scores_from(store::Session& session, Date first) {
    Scores scores;
    for (const auto& [trip_id, day, score] : store::tuples<std::int64_t, std::string, std::int64_t>(
             session, "SELECT trip_id, travel_date, score FROM svc_demand_scores WHERE travel_date >= :first",
             {{"first", first}}))
        if (const auto date = Date::parse(day))
            scores[{trip_id, date->days()}] = score;
    return scores;
}

std::int64_t score_of(const Demand& demand) {
    // In millionths, so that the two parts are rounded once.
    constexpr std::int64_t fine = 1'000'000;
    const std::int64_t sold =
        demand.capacity > 0 ? 60 * fine * std::min(demand.booked, demand.capacity) / demand.capacity : 0;
    // Twice the typical number of a period: four periods, at least one booking in each.
    const std::int64_t full = std::max<std::int64_t>(demand.before, 4);
    const std::int64_t lately = std::min(40 * fine, 40 * fine * (2 * demand.recent) / full);
    return std::clamp<std::int64_t>((sold + lately + fine / 2) / fine, 0, 100);
}

std::vector<Demand> demand_from(store::Session& session, Date first, Instant now, std::int64_t period_days) {
    const Instant since = Instant::from_micros(now.micros() - period_days * day_micros);
    const Instant earlier = Instant::from_micros(now.micros() - 5 * period_days * day_micros);
    std::map<std::int64_t, std::pair<std::int64_t, std::int64_t>> sales;
    for (const auto& [trip_id, recent, before] : store::tuples<std::int64_t, std::int64_t, std::int64_t>(
             session,
             "SELECT h.trip_id, SUM(CASE WHEN h.created_at >= :since THEN 1 ELSE 0 END),"
             " SUM(CASE WHEN h.created_at < :since THEN 1 ELSE 0 END) FROM svc_pricing_history h"
             " JOIN svc_booking_v1 b ON b.id = h.booking_id WHERE h.created_at >= :earlier"
             " AND b.status NOT IN ('cancelled', 'expired', 'trash', 'failed') GROUP BY h.trip_id",
             {{"since", since}, {"earlier", earlier}}))
        sales[trip_id] = {recent, before};
    std::vector<Demand> demand;
    for (const auto& [trip_id, day, booked, capacity] :
         store::tuples<std::int64_t, std::string, std::int64_t, std::int64_t>(
             session,
             "SELECT trip_id, start_date, CAST(SUM(booked_count) AS BIGINT), CAST(SUM(capacity) AS BIGINT)"
             " FROM svc_departure_v1 WHERE deleted_at IS NULL AND start_date >= :first AND capacity > 0"
             " GROUP BY trip_id, start_date ORDER BY trip_id, start_date",
             {{"first", first}}))
        if (const auto date = Date::parse(day)) {
            const auto [recent, before] = sales[trip_id];
            demand.push_back({trip_id, *date, booked, capacity, recent, before});
        }
    return demand;
}

void store_scores(store::Transaction& tx, const std::vector<Demand>& demand, Instant now) {
    for (const Demand& each : demand)
        tx.run(
            "INSERT INTO svc_demand_scores (trip_id, travel_date, score, inputs, calculated_at)"
            " VALUES (:trip_id, :travel_date, :score, :inputs, :now) ON CONFLICT (trip_id, travel_date) DO UPDATE SET"
            " score = excluded.score, inputs = excluded.inputs, calculated_at = excluded.calculated_at",
            {{"trip_id", each.trip_id},
             {"travel_date", each.travel_date},
             {"score", score_of(each)},
             {"inputs", Value::object({{"booked", each.booked},
                                       {"capacity", each.capacity},
                                       {"recent_bookings", each.recent},
                                       {"bookings_of_four_periods", each.before}})
                            .dump()},
             {"now", now}});
    tx.run("DELETE FROM svc_demand_scores WHERE calculated_at < :now", {{"now", now}});
}

Value statistics(store::Session& session, Currency currency, Instant now) {
    auto counts = rule_record().count_by_status(session);
    const std::int64_t active = counts["active"], inactive = counts["inactive"], trash = counts["trash"];
    const Instant month_ago = Instant::from_micros(now.micros() - 30 * day_micros);
    // Shares of each booking's price, so that currencies do not matter.
    const auto history = store::tuple<std::int64_t, std::int64_t, std::optional<std::int64_t>,
                                      std::optional<std::int64_t>, std::optional<std::int64_t>>(
        session,
        "SELECT COUNT(*), COUNT(DISTINCT trip_id),"
        " CAST(SUM(CASE WHEN created_at >= :month_ago THEN 1 ELSE 0 END) AS BIGINT),"
        " CAST(SUM(CASE WHEN base_minor > 0 THEN (final_minor - base_minor) * 1000000 / base_minor ELSE 0 END)"
        " AS BIGINT), CAST(SUM(CASE WHEN currency = :currency THEN final_minor - base_minor ELSE 0 END) AS BIGINT)"
        " FROM svc_pricing_history WHERE base_minor <> final_minor",
        {{"month_ago", month_ago}, {"currency", currency.code()}});
    const auto& [total, trips, last_month, shares, impact] = *history;
    const Rate mean{total > 0 ? shares.value_or(0) / total : 0};
    return Value::object(
        {{"total_rules", active + inactive},
         {"active_rules", active},
         {"inactive_rules", inactive},
         {"trash_rules", trash},
         {"rule_types_used", session.number("SELECT COUNT(DISTINCT rule_type) FROM svc_dynamic_pricing_rules"
                                            " WHERE status = 'active'",
                                            {})},
         {"pricing_history_total", total},
         {"pricing_history_trips_affected", trips},
         {"pricing_history_last_30_days", last_month.value_or(0)},
         {"pricing_history_avg_adjustment_percentage", mean},
         {"bookings_affected", total},
         {"revenue_impact", Money{impact.value_or(0), currency}},
         {"average_adjustment", mean},
         {"currency", currency.code()}});
}

}  // namespace svc::pro::dynamic_pricing
