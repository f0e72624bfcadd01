// Recurring rules as JSON: the fields of a write, the rule that comes of them, and how rules and their dates look.
#pragma once

#include "base/availability/dates/dates.hpp"
#include "base/availability/record/rule.hpp"
#include "base/availability/record/rule_rows.hpp"
#include "shared/api/schema.hpp"

namespace svc::availability {

// The body of a write, rule_type and start_date required, see Schema::partial for updates.
api::Schema rule_fields();
// The rule with the clean body laid over it; every field at fault of the whole rule is named.
Result<Rule> changed(Rule rule, const json::Value& body);
// The traveler categories that a clean body prices.
struct PricedCategory {
    std::string field;
    std::int64_t id = 0;
};
std::vector<PricedCategory> priced_categories(const json::Value& body);
// What was made, unless a category of these is not there; then all that is at fault is named.
Result<Rule> with_known(store::Session& session, Result<Rule> made, const std::vector<PricedCategory>& priced);
json::Value to_json(const Rule& rule);
json::Value to_json(const RuleCounts& counts);
api::Type rule_answer();

// A date that a rule produces, as /availability shows a date; its id is a text, as there is no departure.
// Without a trip there is no price but the rule's own.
json::Value to_json(const ProducedDate& date, const std::optional<std::int64_t>& trip_id);
json::Value produced_json(const std::vector<ProducedDate>& dates, const std::optional<std::int64_t>& trip_id);
api::Type produced_answer();
// What a preview answers: all that there are, some of them, and what only excluded_dates keeps away.
json::Value rule_preview_json(const Produced& produced, const std::optional<std::int64_t>& trip_id);
api::Type rule_preview_answer();
api::Type rule_counts_answer();
// The departures that keep more seats than their rule gives by now; the member that answers of changes have then.
json::Value kept_seats_json(const std::vector<KeptSeats>& kept);
api::Schema kept_seats_fields();

}  // namespace svc::availability
