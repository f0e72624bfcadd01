// Statements on svc_availability_rules and what hangs on it.
#include "base/availability/record/rule_rows.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <stdexcept>

#include "shared/core/words.hpp"
#include "shared/store/like.hpp"

namespace svc::availability::rows {
namespace {

#define SVC_RULES                                                                                                    \
    "SELECT r.id, r.trip_id, t.currency, r.name, r.rule_type, r.status, r.custom_days, r.weekdays, r.months,"        \
    " r.week_of_month, r.day_of_week, r.day_of_month, r.interval_days, r.interval_start_date, r.start_date,"         \
    " r.end_date, r.excluded_dates, r.pricing_type, r.regular_price_minor, r.sale_price_minor, r.seats_total,"       \
    " r.alert_threshold, r.departure_time, r.arrival_time, r.from_location, r.to_location, r.from_latitude,"         \
    " r.from_longitude, r.to_latitude, r.to_longitude, r.cutoff_hours, r.advance_booking_days, r.priority, r.notes," \
    " r.row_version, r.created_at, r.updated_at, (SELECT COUNT(*) FROM svc_departures d WHERE d.rule_id = r.id"      \
    " AND d.deleted_at IS NULL) FROM svc_availability_rules r JOIN svc_trips t ON t.id = r.trip_id"                  \
    " WHERE r.deleted_at IS NULL"
constexpr store::Columns rule_types =
    "iitttt"
    "iii"
    "iiii"
    "ttttt"
    "iiii"
    "tttt"
    "iiii"
    "iii"
    "t"
    "iiii";

// One statement for all that hangs on rules; `of` says which rules. kind 0 is a time, 1 a weekday, 2 a price.
#define SVC_RULE_PARTS(of)                                                                                     \
    "SELECT 0, s.rule_id, s.id, CAST(NULL AS BIGINT), s.departure_time, s.arrival_time, s.seats_total,"        \
    " s.regular_price_minor, s.sale_price_minor FROM svc_availability_rule_slots s"                            \
    " JOIN svc_availability_rules r ON r.id = s.rule_id WHERE r.deleted_at IS NULL" of                         \
    " UNION ALL SELECT 1, w.rule_id, w.weekday, CAST(NULL AS BIGINT), CAST(NULL AS TEXT), CAST(NULL AS TEXT)," \
    " w.seats_total, w.regular_price_minor, w.sale_price_minor FROM svc_availability_rule_weekdays w"          \
    " JOIN svc_availability_rules r ON r.id = w.rule_id WHERE r.deleted_at IS NULL" of                         \
    " UNION ALL SELECT 2, p.rule_id, p.category_id, p.slot_id, CAST(NULL AS TEXT), CAST(NULL AS TEXT),"        \
    " CAST(NULL AS BIGINT), p.regular_price_minor, p.sale_price_minor FROM svc_availability_rule_prices p"     \
    " JOIN svc_availability_rules r ON r.id = p.rule_id WHERE r.deleted_at IS NULL" of " ORDER BY 1, 2, 5, 3"
constexpr store::Columns part_types = "iiiittiii";

#define SVC_OF_TRIP " AND r.trip_id = :trip_id"
#define SVC_OF_ONE " AND r.id = :id"
#define SVC_RULE_FILTER                                                \
    SVC_OF_TRIP                                                        \
    " AND (:status = '' OR r.status = :status)"                        \
    " AND (:rule_type = '' OR r.rule_type = :rule_type)"               \
    " AND (:searching = 0 OR r.search_text LIKE :pattern ESCAPE '\\')" \
    " AND COALESCE(r.end_date, :from) >= :from AND COALESCE(r.start_date, :to) <= :to"

struct Order {
    std::string_view key, ascending, descending;
};
#define SVC_RULE_ORDER(key, column)                                                                      \
    Order {                                                                                              \
        key, SVC_RULES SVC_RULE_FILTER " ORDER BY " column ", r.id LIMIT :limit OFFSET :offset",         \
            SVC_RULES SVC_RULE_FILTER " ORDER BY " column " DESC, r.id DESC LIMIT :limit OFFSET :offset" \
    }
constexpr std::array orders{
    SVC_RULE_ORDER("id", "r.id"), SVC_RULE_ORDER("name", "r.name"), SVC_RULE_ORDER("rule_type", "r.rule_type"),
    SVC_RULE_ORDER("start_date", "COALESCE(r.start_date, '')"), SVC_RULE_ORDER("priority", "r.priority")};

std::optional<PricePair> pair_of(const store::Row& row, std::size_t column, Currency currency) {
    if (row.is_null(column))
        return std::nullopt;
    PricePair pair{Money{row.integer(column), currency}, std::nullopt};
    if (!row.is_null(column + 1))
        pair.lowered = Money{row.integer(column + 1), currency};
    return pair;
}

std::optional<int> small(const store::Row& row, std::size_t column) {
    return row.is_null(column) ? std::nullopt : std::optional(static_cast<int>(row.integer(column)));
}

std::optional<ClockTime> time_in(const store::Row& row, std::size_t column) {
    return row.is_null(column) ? std::nullopt : ClockTime::parse(row.text(column));
}

std::optional<catalog::trips::Place> place_in(const store::Row& row, std::size_t column) {
    if (row.is_null(column))
        return std::nullopt;
    return catalog::trips::Place{{row.integer(column)}, {row.integer(column + 1)}};
}

std::vector<Date> dates_in(std::string_view text) {
    std::vector<Date> dates;
    for (; text.size() >= 10; text.remove_prefix(std::min<std::size_t>(text.size(), 11)))
        if (const auto date = Date::parse(text.substr(0, 10)))
            dates.push_back(*date);
    return dates;
}

Rule read(const store::Row& row) {
    Rule rule;
    const Currency currency = Currency::parse(row.text(2)).value();
    rule.id = row.integer(0);
    rule.trip_id = row.integer(1);
    rule.name = row.text(3);
    rule.type = rule_type_of(row.text(4)).value();
    rule.status = rule_status_of(row.text(5)).value();
    rule.custom_days = row.flag(6);
    rule.weekdays = Bits::of(row.integer(7));
    rule.months = Bits::of(row.integer(8));
    rule.week_of_month = small(row, 9);
    rule.day_of_week = small(row, 10);
    rule.day_of_month = small(row, 11);
    rule.interval_days = small(row, 12);
    rule.interval_start = row.maybe_date(13);
    rule.start_date = row.maybe_date(14);
    rule.end_date = row.maybe_date(15);
    rule.excluded = dates_in(row.text(16));
    if (!row.is_null(17))
        rule.traveler_based = row.text(17) == "traveler_based";
    rule.price = pair_of(row, 18, currency);
    rule.seats = small(row, 20);
    rule.alert_threshold = static_cast<int>(row.integer(21));
    rule.departure_time = time_in(row, 22);
    rule.arrival_time = time_in(row, 23);
    rule.from_location = row.text(24);
    rule.to_location = row.text(25);
    rule.from_place = place_in(row, 26);
    rule.to_place = place_in(row, 28);
    rule.cutoff_hours = small(row, 30);
    rule.advance_days = static_cast<int>(row.integer(31));
    rule.priority = static_cast<int>(row.integer(32));
    rule.notes = row.text(33);
    rule.row_version = row.integer(34);
    rule.created_at = row.instant(35);
    rule.updated_at = row.instant(36);
    rule.generated_count = row.integer(37);
    rule.currency = currency;
    return rule;
}

// Hangs times, weekdays and prices on the rules; the times come first, then what refers to them.
void take_part(const store::Row& row, std::map<std::int64_t, Rule*>& rules,
               std::map<std::int64_t, std::pair<Rule*, std::size_t>>& slots) {
    const auto found = rules.find(row.integer(1));
    if (found == rules.end())
        return;
    Rule& rule = *found->second;
    const auto price = pair_of(row, 7, rule.currency);
    if (row.integer(0) == 0) {
        slots[row.integer(2)] = {&rule, rule.slots.size()};
        rule.slots.push_back({.departure_time = ClockTime::parse(row.text(4)).value(),
                              .arrival_time = time_in(row, 5),
                              .seats = small(row, 6),
                              .price = price});
    } else if (row.integer(0) == 1) {
        rule.overrides.push_back(
            {.weekday = static_cast<unsigned>(row.integer(2)), .seats = small(row, 6), .price = price});
    } else if (row.is_null(3)) {
        rule.by_category.push_back({row.integer(2), price.value().regular, price.value().lowered});
    } else if (const auto slot = slots.find(row.integer(3)); slot != slots.end()) {
        slot->second.first->slots[slot->second.second].by_category.push_back(
            {row.integer(2), price.value().regular, price.value().lowered});
    }
}

void complete(store::Session& session, std::vector<Rule>& rules, std::string_view parts, const store::Params& params) {
    if (rules.empty())
        return;
    std::map<std::int64_t, Rule*> by_id;
    for (Rule& rule : rules)
        by_id[rule.id] = &rule;
    std::map<std::int64_t, std::pair<Rule*, std::size_t>> slots;
    session.each(parts, part_types, params, [&](const store::Row& row) { take_part(row, by_id, slots); });
}

store::Params filter_of(const RuleQuery& query) {
    return {{"trip_id", query.trip_id},
            {"status", query.status == "all" ? std::string() : query.status},
            {"rule_type", query.rule_type},
            {"searching", !query.search.empty()},
            {"pattern", store::like_contains(text::search_key(query.search))},
            {"from", query.from.value_or(Date::from(1, 1, 1))},
            {"to", query.to.value_or(Date::from(9999, 12, 31))}};
}

}  // namespace

std::vector<Rule> rules_of_trip(store::Session& session, std::int64_t trip_id) {
    const store::Params params{{"trip_id", trip_id}};
    auto rules =
        session.all<Rule>(SVC_RULES SVC_OF_TRIP " ORDER BY r.priority DESC, r.id DESC", rule_types, params, read);
    complete(session, rules, SVC_RULE_PARTS(SVC_OF_TRIP), params);
    return rules;
}

std::vector<Rule> all_rules(store::Session& session) {
    auto rules = session.all<Rule>(SVC_RULES " ORDER BY r.trip_id, r.priority DESC, r.id DESC", rule_types, {}, read);
    complete(session, rules, SVC_RULE_PARTS(""), {});
    return rules;
}

std::optional<Rule> find_rule(store::Session& session, std::int64_t id) {
    const store::Params params{{"id", id}};
    auto rules = session.all<Rule>(SVC_RULES SVC_OF_ONE, rule_types, params, read);
    if (rules.empty())
        return std::nullopt;
    complete(session, rules, SVC_RULE_PARTS(SVC_OF_ONE), params);
    return std::move(rules.front());
}

std::vector<Rule> list_rules(store::Session& session, const RuleQuery& query) {
    const auto* order =
        std::find_if(orders.begin(), orders.end(), [&](const Order& each) { return each.key == query.order_by; });
    if (order == orders.end())
        throw std::logic_error("rules have no such order: " + query.order_by);
    auto params = filter_of(query);
    params.emplace_back("limit", query.limit);
    params.emplace_back("offset", query.offset);
    auto rules = session.all<Rule>(query.ascending ? order->ascending : order->descending, rule_types, params, read);
    complete(session, rules, SVC_RULE_PARTS(SVC_OF_TRIP), params);
    return rules;
}

std::int64_t count_rules(store::Session& session, const RuleQuery& query) {
    return session.number("SELECT COUNT(*) FROM svc_availability_rules r WHERE r.deleted_at IS NULL" SVC_RULE_FILTER,
                          filter_of(query));
}

RuleCounts rule_counts(store::Session& session, std::int64_t trip_id) {
    RuleCounts counts;
    session.each("SELECT r.status, COUNT(*) FROM svc_availability_rules r WHERE r.deleted_at IS NULL" SVC_OF_TRIP
                 " GROUP BY r.status",
                 "ti", {{"trip_id", trip_id}}, [&](const store::Row& row) {
                     const auto number = row.integer(1);
                     counts.all += number;
                     switch (rule_status_of(row.text(0)).value()) {
                         case RuleStatus::active:
                             counts.active = number;
                             break;
                         case RuleStatus::inactive:
                             counts.inactive = number;
                             break;
                         case RuleStatus::paused:
                             counts.paused = number;
                             break;
                     }
                 });
    return counts;
}

std::vector<RuleChanged> rules_changed_since(store::Session& session, Instant since) {
    return session.all<RuleChanged>(
        "SELECT id, trip_id, row_version, CASE WHEN deleted_at IS NULL THEN 0 ELSE 1 END"
        " FROM svc_availability_rules WHERE updated_at >= :since",
        "iiii", {{"since", since}}, [](const store::Row& row) {
            return RuleChanged{row.integer(0), row.integer(1), row.integer(2), row.flag(3)};
        });
}

}  // namespace svc::availability::rows
