// Statements that read svc_availability_rules and what belongs to it.
#include "base/sales/availability/record/rule_rows.hpp"

#include <map>

#include "base/sales/availability/record/rule_record.hpp"
#include "shared/core/words.hpp"
#include "shared/store/like.hpp"
#include "shared/store/read_rows.hpp"

namespace svc::availability::rows {
namespace {

// One statement for all rows of rules; `of` selects the rules. kind 0 is a time, 1 a weekday, 2 a price.
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
enum class Kind : std::uint8_t { time, weekday, price };

#define SVC_OF_TRIP " AND r.trip_id = :trip_id"
#define SVC_OF_ONE " AND r.id = :id"
#define SVC_RULE_FILTER                                                                \
    " WHERE r.deleted_at IS NULL" SVC_OF_TRIP                                          \
    " AND (:status = '' OR r.status = :status)"                                        \
    " AND (:rule_type = '' OR r.rule_type = :rule_type)"                               \
    " AND (:searching = 0 OR r.search_text LIKE :pattern ESCAPE '\\')"                 \
    " AND COALESCE(r.end_date, :from) >= :from AND COALESCE(r.start_date, :to) <= :to" \
    " AND r.updated_at >= :updated_since"

// Adds times, weekdays and prices to the rules; the times come first, then what refers to them.
void complete(store::Session& session, std::vector<Rule>& rules, std::string_view parts, const store::Params& params) {
    if (rules.empty())
        return;
    std::map<std::int64_t, Rule*> by_id;
    for (Rule& rule : rules)
        by_id[rule.id] = &rule;
    std::map<std::int64_t, std::pair<Rule*, std::size_t>> slots;
    store::each_row(session, parts, params,
                    [&](int kind, std::int64_t rule_id, std::int64_t id, std::optional<std::int64_t> slot_id,
                        std::optional<ClockTime> departure, std::optional<ClockTime> arrival, std::optional<int> seats,
                        std::optional<std::int64_t> regular, std::optional<std::int64_t> lowered) {
                        const auto found = by_id.find(rule_id);
                        if (found == by_id.end())
                            return;
                        Rule& rule = *found->second;
                        const auto price = price_pair(regular, lowered, rule.currency);
                        switch (static_cast<Kind>(kind)) {
                            case Kind::time:
                                slots[id] = {&rule, rule.slots.size()};
                                rule.slots.push_back({departure.value(), arrival, seats, price});
                                break;
                            case Kind::weekday:
                                rule.overrides.push_back({static_cast<unsigned>(id), seats, price});
                                break;
                            case Kind::price:
                                const CategoryPrice of_category =
                                    category_price(id, regular.value(), lowered, rule.currency);
                                if (!slot_id)
                                    rule.by_category.push_back(of_category);
                                else if (const auto slot = slots.find(*slot_id); slot != slots.end())
                                    slot->second.first->slots[slot->second.second].by_category.push_back(of_category);
                                break;
                        }
                    });
}

store::Params filter_of(const RuleQuery& query) {
    return {{"trip_id", query.trip_id},
            {"status", query.status == "all" ? std::string() : query.status},
            {"rule_type", query.rule_type},
            {"searching", !query.search.empty()},
            {"pattern", store::like_contains(text::search_key(query.search))},
            {"from", query.from.value_or(Date::from(1, 1, 1))},
            {"to", query.to.value_or(Date::from(9999, 12, 31))},
            {"updated_since", query.updated_since.value_or(Instant::from_micros(INT64_MIN))}};
}

}  // namespace

std::vector<Rule> rules_of_trip(store::Session& session, std::int64_t trip_id) {
    static const auto statement =
        rule_record().select("WHERE r.deleted_at IS NULL" SVC_OF_TRIP " ORDER BY r.priority DESC, r.id DESC");
    const store::Params params{{"trip_id", trip_id}};
    auto rules = rule_record().all(session, statement, params);
    complete(session, rules, SVC_RULE_PARTS(SVC_OF_TRIP), params);
    return rules;
}

std::vector<Rule> all_rules(store::Session& session) {
    static const auto statement =
        rule_record().select("WHERE r.deleted_at IS NULL ORDER BY r.trip_id, r.priority DESC, r.id DESC");
    auto rules = rule_record().all(session, statement);
    complete(session, rules, SVC_RULE_PARTS(""), {});
    return rules;
}

std::optional<Rule> find_rule(store::Session& session, std::int64_t id) {
    static const auto statement = rule_record().select("WHERE r.deleted_at IS NULL" SVC_OF_ONE);
    const store::Params params{{"id", id}};
    auto rules = rule_record().all(session, statement, params);
    complete(session, rules, SVC_RULE_PARTS(SVC_OF_ONE), params);
    return rules.empty() ? std::nullopt : std::optional(std::move(rules.front()));
}

std::optional<std::int64_t> guide_of_rule(store::Session& session, std::int64_t id) {
    return store::first_row(session, "SELECT guide_user_id FROM svc_availability_rules WHERE id = :id", {{"id", id}},
                            [](std::optional<std::int64_t> guide) { return guide; })
        .value_or(std::nullopt);
}

std::vector<Rule> list_rules(store::Session& session, const RuleQuery& query) {
    static const record::Head head{rule_record().select(SVC_RULE_FILTER)};
    static const record::Orders rule_orders{"r.id",
                                            {{"id", {"r.id"}},
                                             {"name", {"r.name"}},
                                             {"rule_type", {"r.rule_type"}},
                                             {"start_date", {"COALESCE(r.start_date, '')"}},
                                             {"priority", {"r.priority"}}}};
    auto params = filter_of(query);
    params.emplace_back("limit", query.limit);
    params.emplace_back("offset", query.offset);
    auto rules = rule_record().all(session, rule_orders.page(head, query.order_by, query.ascending), params);
    complete(session, rules, SVC_RULE_PARTS(SVC_OF_TRIP), params);
    return rules;
}

std::int64_t count_rules(store::Session& session, const RuleQuery& query) {
    return session.number("SELECT COUNT(*) FROM svc_availability_rules r" SVC_RULE_FILTER, filter_of(query));
}

RuleCounts rule_counts(store::Session& session, std::int64_t trip_id) {
    RuleCounts counts;
    store::each_row(session,
                    "SELECT r.status, COUNT(*) FROM svc_availability_rules r WHERE r.deleted_at IS NULL" SVC_OF_TRIP
                    " GROUP BY r.status",
                    {{"trip_id", trip_id}}, [&](const std::string& name, std::int64_t number) {
                        const RuleStatus status = rule_status_of(name).value();
                        counts.all += number;
                        (status == RuleStatus::active     ? counts.active
                         : status == RuleStatus::inactive ? counts.inactive
                                                          : counts.paused) = number;
                    });
    return counts;
}

std::vector<RuleChanged> rules_changed_since(store::Session& session, Instant since) {
    return store::all_rows(session,
                           "SELECT id, trip_id, row_version, CASE WHEN deleted_at IS NULL THEN 0 ELSE 1 END"
                           " FROM svc_availability_rules WHERE updated_at >= :since",
                           {{"since", since}},
                           [](std::int64_t id, std::int64_t trip_id, std::int64_t row_version, bool deleted) {
                               return RuleChanged{id, trip_id, row_version, deleted};
                           });
}

}  // namespace svc::availability::rows
