// Recurring rules as JSON: the fields of a write, the resulting rule, and the JSON of rules and their dates.
#pragma once

#include "base/sales/availability/dates/dates.hpp"
#include "base/sales/availability/record/rule.hpp"
#include "base/sales/availability/record/rule_rows.hpp"
#include "shared/api/schema.hpp"

namespace svc::availability {

// The body of a write, rule_type and start_date required, see Schema::partial for updates.
api::Schema rule_fields();
// The rule with the validated body applied; reports every invalid field of the whole rule.
Result<Rule> changed(Rule rule, const json::Value& body);
// The traveler categories that a clean body prices.
struct PricedCategory {
    std::string field;
    std::int64_t id = 0;
};
std::vector<PricedCategory> priced_categories(const json::Value& body);
// The rule, unless its guide or one of its categories does not exist; then all faults are reported.
Result<Rule> with_known(store::Session& session, Result<Rule> rule, const std::vector<PricedCategory>& priced);
json::Value to_json(const Rule& rule);
json::Value to_json(const RuleCounts& counts);
api::Type rule_answer();

// A date that a rule produces, as /availability shows a date; its id is a text, as there is no departure.
// Without a trip there is no price but the rule's own.
json::Value to_json(const ProducedDate& date, const std::optional<std::int64_t>& trip_id);
json::Value produced_json(const std::vector<ProducedDate>& dates, const std::optional<std::int64_t>& trip_id);
api::Type produced_answer();
// The response of a preview: the total, some dates, and those that only excluded_dates prevents.
json::Value rule_preview_json(const Produced& produced, const std::optional<std::int64_t>& trip_id);
api::Type rule_preview_answer();
api::Type rule_counts_answer();
// Departures with more seats than their rule now offers; member of the response to changes.
json::Value extra_seats_json(const std::vector<ExtraSeats>& extra_seats);
api::Schema extra_seats_fields();

}  // namespace svc::availability
