// The rules for pricing rules as they are written.
#include "pro/dynamic_pricing/resource.hpp"

#include "pro/dynamic_pricing/engine.hpp"
#include "shared/core/exact_money.hpp"

namespace svc::pro::dynamic_pricing {
namespace {

void adjust(const PricingRule* before, PricingRule& after, const json::Value& body, Currency site, Faults& faults) {
    if (const auto& value = body["adjustment_value"]; value.is_number())
        take_value(after.adjustment, value, site, faults);
    else if (before && before->adjustment.type != after.adjustment.type)  // ten per cent must not become ten dollars
        faults.at("adjustment_value", "Enter a value when changing adjustment_type."_sentence);
    if (after.applicable_trips == "all")
        after.trip_ids.clear();
}

}  // namespace

void take_value(Adjustment& adjustment, const json::Value& given, Currency currency, Faults& faults) {
    constexpr std::int64_t least = -1'000'000, most = 10'000'000;
    adjustment.currency = currency;
    adjustment.amount = Money::zero(currency);
    adjustment.rate = {};
    if (adjustment.is_share()) {
        if (const auto rate = Rate::parse_percent(given.number_text()); rate && rate->ppm >= least && rate->ppm <= most)
            adjustment.rate = *rate;
        else
            faults.at("adjustment_value", "Enter a percentage from -100 to 1000 with at most 4 decimals."_sentence);
    } else if (const auto amount = parse_exact(given.number_text(), currency)) {
        adjustment.amount = *amount;
    } else {
        faults.at("adjustment_value",
                  "Enter an amount with the decimals of {currency}."_sentence.with("currency", currency.code()));
    }
}

resource::Resource<PricingRule> rule_resource(store::Store& store, std::function<Currency()> currency,
                                              std::function<Zone()> zone,
                                              std::function<void(store::Transaction&)> note_change) {
    using Does = resource::BulkAction::Does;
    const auto may = api::Permission::can("manage_svc");
    resource::Options options{.store = store,
                              .path = "/dynamic-pricing/rules",
                              .one = "pricing rule",
                              .many = "pricing rules",
                              .reads = may,
                              .writes = may,
                              .removes = may,
                              .module = std::string(module_slug),
                              .filters = {{.name = "rule_type",
                                           .type = api::choice({"early_bird", "last_minute", "demand", "inventory",
                                                                "seasonal", "time_based"}),
                                           .help = "Only rules of this kind."}},
                              .ascending = true,
                              .bulk = {{.name = "activate", .status = "active"},
                                       {.name = "deactivate", .status = "inactive"},
                                       {.name = "trash", .status = "trash"},
                                       {.name = "restore", .does = Does::restore},
                                       {.name = "delete", .does = Does::remove}},
                              .restored_status = "inactive",
                              .zone = std::move(zone),
                              .note_change = std::move(note_change)};
    resource::Rules<PricingRule> rules;
    rules.adjust = [currency = std::move(currency)](const auto* before, auto& after, const json::Value& body,
                                                    Faults& faults) {
        adjust(before, after, body, currency(), faults);
    };
    rules.check = [](const auto*, const PricingRule& after, Faults& faults) { check_rule(after, faults); };
    return {rule_record(), std::move(options), std::move(rules)};
}

std::vector<api::RouteSpec> rule_routes(const resource::Resource<PricingRule>& rules) {
    auto bulk = rules.bulk_route();
    bulk.path = "/dynamic-pricing/bulk-status";
    return {rules.list_route(),   rules.read_route(),   rules.create_route(),
            rules.update_route(), rules.remove_route(), std::move(bulk)};
}

}  // namespace svc::pro::dynamic_pricing
