// The rules of one trip as /trips/{id}/recurring-rules shows them: the same rules in fewer words.
#pragma once

#include "base/sales/availability/record/rule.hpp"
#include "base/sales/availability/rules/wire.hpp"
#include "shared/api/schema.hpp"

namespace svc::availability::view {

api::Schema fields();
// The rule with the validated body applied; errors use this view's field names.
Result<Rule> changed(Rule rule, const json::Value& body);
std::vector<PricedCategory> priced_categories(const json::Value& body);
json::Value to_json(const Rule& rule);
api::Type answer();

}  // namespace svc::availability::view
