// The options of the resource of pricing rules.
#pragma once

#include "pro/dynamic_pricing/pricing_rule.hpp"
#include "shared/resource/resource.hpp"

namespace svc::pro::dynamic_pricing {

// `currency` returns the site's, in which a fixed value is read; `zone` the site's, in which days of a list are meant;
// `note_change` runs last in each transaction that writes.
resource::Resource<PricingRule> rule_resource(store::Store& store, std::function<Currency()> currency,
                                              std::function<Zone()> zone,
                                              std::function<void(store::Transaction&)> note_change);
// In the order in which they are registered.
std::vector<api::RouteSpec> rule_routes(const resource::Resource<PricingRule>& rules);

// Sets the value of a rule from a body, in the site's currency.
void take_value(Adjustment& adjustment, const json::Value& given, Currency currency, Faults& faults);

}  // namespace svc::pro::dynamic_pricing
