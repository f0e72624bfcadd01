// The rules of one trip as /trips/{id}/recurring-rules shows them: the same rules in fewer words.
#pragma once

#include "base/availability/record/rule.hpp"
#include "base/availability/rules/wire.hpp"
#include "shared/api/schema.hpp"

namespace svc::availability::view {

api::Schema fields();
// The rule with the clean body laid over it; every field at fault is named as this view names it.
Result<Rule> changed(Rule rule, const json::Value& body);
std::vector<PricedCategory> priced_categories(const json::Value& body);
json::Value to_json(const Rule& rule);
api::Type answer();

}  // namespace svc::availability::view
