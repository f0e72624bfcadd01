// The SQL of recurring rules with their times, weekdays and prices.
#pragma once

#include <string>
#include <vector>

#include "base/sales/availability/record/rule.hpp"
#include "shared/store/store.hpp"

namespace svc::availability {

struct RuleQuery {
    std::int64_t trip_id = 0;
    std::string status = {};                 // empty and "all": every one
    std::string rule_type = {};              // empty: any
    std::string search = {};                 // as typed: in name and places
    std::optional<Date> from = {}, to = {};  // in force on one of these days
    std::optional<Instant> updated_since = {};
    std::string order_by = "id";
    bool ascending = false;
    std::int64_t limit = INT64_MAX, offset = 0;
};

struct RuleCounts {
    std::int64_t all = 0, active = 0, inactive = 0, paused = 0;
};

// A rule that was written lately; a deleted one too.
struct RuleChanged {
    std::int64_t id = 0, trip_id = 0, row_version = 0;
    bool deleted = false;
};

// Excludes deleted rules by default. Reads do not lock.
namespace rows {
std::vector<Rule> rules_of_trip(store::Session& session, std::int64_t trip_id);  // by precedence
std::vector<Rule> all_rules(store::Session& session);                            // by trip, then by precedence
std::optional<Rule> find_rule(store::Session& session, std::int64_t id);
std::vector<Rule> list_rules(store::Session& session, const RuleQuery& query);
std::int64_t count_rules(store::Session& session, const RuleQuery& query);
RuleCounts rule_counts(store::Session& session, std::int64_t trip_id);
std::optional<std::int64_t> guide_of_rule(store::Session& session, std::int64_t id);
std::vector<RuleChanged> rules_changed_since(store::Session& session, Instant since);
}  // namespace rows

}  // namespace svc::availability
