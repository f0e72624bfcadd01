// Preview and simulation: the same engine that prices bookings, asked by staff.
#include "pro/dynamic_pricing/routes.hpp"

#include <array>

#include "pro/dynamic_pricing/resource.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/named.hpp"
#include "shared/plugin/host_calls.hpp"
#include "shared/store/typed.hpp"

namespace svc::pro::dynamic_pricing {
namespace {

using json::Value;

api::RouteSpec route(api::Method method, std::string path, std::string summary) {
    api::RouteSpec spec{
        .method = method, .path = "/dynamic-pricing" + std::move(path), .who = api::Permission::can("manage_svc")};
    spec.module = module_slug;
    spec.summary = std::move(summary);
    return spec;
}

// A trip as prices are made of it, and the seats of a date where it has a departure.
struct TripPrice {
    Money regular, effective;
    std::int64_t days = 1;
    std::optional<std::int64_t> seats, capacity;
};

std::optional<TripPrice> stored_price(store::Session& session, std::int64_t trip_id, Date date) {
    const auto trip = store::tuple<std::string, std::optional<std::int64_t>, std::optional<std::int64_t>,
                                   std::optional<std::int64_t>, std::optional<std::int64_t>>(
        session,
        "SELECT currency, regular_price_minor, discounted_price_minor, sale_price_minor, duration_days"
        " FROM svc_trip_v2 WHERE id = :id AND deleted_at IS NULL",
        {{"id", trip_id}});
    if (!trip)
        return std::nullopt;
    const auto& [code, regular, discounted, sale, days] = *trip;
    const auto currency = Currency::parse(code);
    if (!currency)
        return std::nullopt;
    const auto lowered = discounted.value_or(0) > 0 ? discounted : sale.value_or(0) > 0 ? sale : regular;
    TripPrice price{.regular = Money{regular.value_or(0), *currency},
                    .effective = Money{lowered.value_or(0), *currency},
                    .days = std::max<std::int64_t>(1, days.value_or(1)),
                    .seats = {},
                    .capacity = {}};
    const auto departure =
        store::tuple<std::int64_t, std::int64_t, std::optional<std::int64_t>, std::optional<std::int64_t>>(
            session,
            "SELECT capacity, booked_count, regular_price_minor, sale_price_minor FROM svc_departure_v1"
            " WHERE trip_id = :trip_id AND start_date = :date AND deleted_at IS NULL ORDER BY start_time, id LIMIT 1",
            {{"trip_id", trip_id}, {"date", date}});
    if (departure) {
        const auto& [capacity, booked, own, own_sale] = *departure;
        price.capacity = capacity;
        price.seats = std::max<std::int64_t>(0, capacity - booked);
        if (own.value_or(0) > 0) {
            price.regular = Money{*own, *currency};
            price.effective = own_sale.value_or(0) > 0 ? Money{*own_sale, *currency} : price.regular;
        }
    }
    return price;
}

// The price of a published trip's date as the site shows it: of the category that dates are shown with, before rules.
void take_shown(const Site& site, TripPrice& price, std::int64_t trip_id, Date date, std::int64_t travelers) {
    const auto* calls = site.host.find<plugin::Calls>();
    if (!calls)
        return;  // an older base: trips that are priced by category have no preview
    std::optional<plugin::Calls::Reply> answered;
    try {
        auto reply = (*calls)({.path = "/trips/" + std::to_string(trip_id) + "/date-pricing",
                               .query = Value::object({{"date", date}, {"travelers", travelers}})});
        if (reply)
            answered = std::move(*reply);
    } catch (const store::Unavailable&) {  // the base does not answer itself yet; the trip's own price is known
        return;
    }
    if (!answered || !answered->is_good() || !answered->data()["price"].is_number())
        return;
    const Value& data = answered->data();
    const auto before = Money::parse(data["dynamic"]["original"].number_text(), price.effective.currency());
    if (!before)
        return;
    if (price.regular.is_zero())
        price.regular = *before;
    price.effective = *before;
    price.seats = data.maybe_integer("available_capacity");
}

api::RouteSpec preview_route(const Site& site, Pricing& pricing) {
    auto spec = route(api::Method::post, "/preview", "Return the price of a trip's date by the active rules.");
    spec.body = {{.name = "trip_id", .type = api::id(), .required = true},
                 {.name = "date", .type = api::date(), .help = "The travel date.", .required = true},
                 {.name = "travelers", .type = api::integer(1, 10'000), .otherwise = Value(1)}};
    spec.answer = api::object(
        {{.name = "base_price", .type = api::money(), .help = "Of one traveler, before the rules.", .required = true},
         {.name = "final_price", .type = api::money(), .required = true},
         {.name = "currency", .type = api::text(3), .required = true},
         {.name = "applied",
          .type = api::list(
              api::object(
                  "PreviewedPriceRule",
                  {{.name = "rule_id", .type = api::id().referring_to("dynamic-pricing/rules"), .required = true},
                   {.name = "name", .type = api::text(150), .required = true},
                   {.name = "adjustment", .type = api::decimal(), .required = true}}),
              10'000),
          .help = "The rules that changed it, in order.",
          .required = true},
         {.name = "capped",
          .type = api::choice({"maximum_markup", "maximum_discount"}).or_null(),
          .help = "The limit that cut the rules' change."}});
    spec.keeps_replay = false;
    spec.errors = {&errc::trip_not_found};
    spec.handle = [&site, &pricing](const api::Request& request) -> api::Reply {
        const std::int64_t trip_id = request.body["trip_id"].integer();
        const Date date = Date::parse(request.body["date"].text()).value();
        auto trip = site.store.reading<std::optional<TripPrice>>(
            [&](store::Session& session) { return stored_price(session, trip_id, date); });
        if (!trip)
            return api::failed(errc::trip_not_found);
        take_shown(site, *trip, trip_id, date, request.body["travelers"].integer());
        const Money base = policy_of(site).from_regular ? trip->regular : trip->effective;
        const Explained price = pricing.price({.trip_id = trip_id,
                                               .travelers = request.body["travelers"].integer(),
                                               .duration_days = trip->days,
                                               .travel_date = date,
                                               .seats = trip->seats,
                                               .capacity = trip->capacity},
                                              base);
        const auto capped = name_of(price.capped);
        return api::ok(Value::object({{"base_price", price.before},
                                      {"final_price", price.price},
                                      {"currency", base.currency().code()},
                                      {"applied", json::array_of(price.rules,
                                                                 [](const RuleEffect& each) {
                                                                     return Value::object({{"rule_id", each.rule_id},
                                                                                           {"name", each.name},
                                                                                           {"adjustment", each.delta}});
                                                                 })},
                                      {"capped", capped.empty() ? Value() : Value(capped)}}));
    };
    return spec;
}

struct Scenario {
    std::string label;
    std::int64_t days_before, seats;
    std::optional<std::int64_t> demand;
};

// Dates on which the kinds of rules differ, and those that decide about this one.
std::vector<Scenario> scenarios_of(const PricingRule& rule, Date today) {
    std::vector<Scenario> all{{"Tomorrow, 2 seats left", 1, 2, 90},
                              {"In 7 days, 5 seats left", 7, 5, 80},
                              {"In 30 days, 10 seats left", 30, 10, 50},
                              {"In 90 days, 15 seats left", 90, 15, 30},
                              {"In 180 days, 20 seats left", 180, 20, 10}};
    const auto add_day = [&](const char* label, const std::optional<Date>& date) {
        if (date && *date >= today && *date <= today.plus_days(3660))
            all.push_back({label, date->days() - today.days(), 10, 50});
    };
    const bool of_travel = rule.rule_type == "seasonal" || rule.rule_type == "time_based" ||
                           rule.rule_type == "inventory" || rule.rule_type == "demand";
    if (of_travel) {
        add_day("First day of the rule", rule.start_date);
        add_day("Last day of the rule", rule.end_date);
    }
    if (rule.rule_type == "time_based")
        for (std::int64_t day = 30; day < 37; ++day)
            if (today.plus_days(static_cast<std::int32_t>(day)).weekday() == 6)
                all.push_back({"A Saturday", day, 10, 50});
    if (rule.min_inventory)
        all.push_back({"Seats at min_inventory", 30, *rule.min_inventory, 50});
    if (rule.max_inventory)
        all.push_back({"Seats at max_inventory", 30, *rule.max_inventory, 50});
    return all;
}

Value scenario_json(const CompiledRule& rule, const Policy& policy, const Scenario& scenario, const Money& base,
                    Date today) {
    const Date date = today.plus_days(static_cast<std::int32_t>(scenario.days_before));
    const auto match = match_of(
        rule, facts_of(date, today, 1, 1, scenario.seats, std::max<std::int64_t>(20, scenario.seats), scenario.demand),
        today);
    const Money price = match ? adjusted(base, std::span(&*match, 1), policy) : base;
    const Money change = price - base;
    const Rate percent{base.is_zero() ? 0
                                      : Money{1'000'000, base.currency()}.share(change.minor(), base.minor()).minor()};
    return Value::object({{"label", scenario.label},
                          {"departure_date", date},
                          {"spots_remaining", scenario.seats},
                          {"applies", match.has_value()},
                          {"base_price", base},
                          {"final_price", price},
                          {"adjustment", change},
                          {"adjustment_percent", percent}});
}

api::RouteSpec simulate_route(const Site& site) {
    auto spec = route(api::Method::post, "/simulate-rule",
                      "Return what a rule would do on several dates, stored or not; it is not stored.");
    spec.body = rule_record().create_schema().plus(
        {{.name = "base_price", .type = api::money(), .help = "The price to change.", .otherwise = Value(100)}});
    spec.answer = api::object(
        {{.name = "rule_type", .type = api::text(20), .required = true},
         {.name = "base_price", .type = api::money(), .required = true},
         {.name = "current_date", .type = api::date(), .required = true},
         {.name = "currency", .type = api::text(3), .required = true},
         {.name = "scenarios",
          .type = api::list(
              api::object("PriceScenario", {{.name = "label", .type = api::text(100), .required = true},
                                            {.name = "departure_date", .type = api::date(), .required = true},
                                            {.name = "spots_remaining", .type = api::integer(0), .required = true},
                                            {.name = "applies", .type = api::boolean(), .required = true},
                                            {.name = "base_price", .type = api::money(), .required = true},
                                            {.name = "final_price", .type = api::money(), .required = true},
                                            {.name = "adjustment", .type = api::decimal(), .required = true},
                                            {.name = "adjustment_percent", .type = api::decimal(), .required = true}}),
              100),
          .required = true}});
    spec.keeps_replay = false;
    spec.handle = [&site](const api::Request& request) -> api::Reply {
        const Currency currency = site.currency();
        PricingRule rule;
        Faults faults;
        rule_record().patch(rule, request.body, true, faults);
        take_value(rule.adjustment, request.body["adjustment_value"], currency, faults);
        check_rule(rule, faults);
        const auto base = Money::parse(request.body["base_price"].number_text(), currency);
        if (!base)
            faults.at("base_price", "Enter an amount."_sentence);
        if (!faults.none())
            return api::failed(faults.error());
        const Date today = site.today(request.now);
        const CompiledRule compiled = CompiledRule::of_rule(rule);
        const Policy policy = policy_of(site);
        return api::ok(
            Value::object({{"rule_type", rule.rule_type},
                           {"base_price", *base},
                           {"current_date", today},
                           {"currency", currency.code()},
                           {"scenarios", json::array_of(scenarios_of(rule, today), [&](const Scenario& each) {
                                return scenario_json(compiled, policy, each, *base, today);
                            })}}));
    };
    return spec;
}

api::RouteSpec statistics_route(const Site& site) {
    auto spec = route(api::Method::get, "/statistics",
                      "Count the rules by status and the bookings whose price they changed; total_rules is without"
                      " the trash.");
    std::vector<api::Field> fields;
    for (const char* name :
         {"total_rules", "active_rules", "inactive_rules", "trash_rules", "rule_types_used", "pricing_history_total",
          "pricing_history_trips_affected", "pricing_history_last_30_days", "bookings_affected"})
        fields.push_back({.name = name, .type = api::integer(0), .required = true});
    fields.push_back({.name = "pricing_history_avg_adjustment_percentage",
                      .type = api::decimal(),
                      .help = "Mean change in percent.",
                      .required = true});
    fields.push_back({.name = "average_adjustment", .type = api::decimal(), .help = "The same.", .required = true});
    fields.push_back({.name = "revenue_impact",
                      .type = api::decimal(),
                      .help = "Sum of the changes in the site's currency.",
                      .required = true});
    fields.push_back({.name = "currency", .type = api::text(3), .required = true});
    spec.answer = api::object(api::Schema(std::move(fields)));
    spec.handle = [&site](const api::Request& request) {
        return api::ok(site.store.reading<Value>(
            [&](store::Session& session) { return statistics(session, site.currency(), request.now); }));
    };
    return spec;
}

void add_settings_routes(const Site& site, std::function<void(store::Transaction&)> note_change) {
    const api::Type answer = api::object("DynamicPricingSettings", settings_schema());
    auto read = route(api::Method::get, "/settings", "Return the settings of dynamic pricing.");
    read.answer = answer;
    read.handle = [&site](const api::Request&) { return api::ok(settings_json(site)); };
    site.routes.add(std::move(read));

    auto write = route(api::Method::put, "/settings", "Change settings of dynamic pricing.");
    write.body = settings_schema();
    write.answer = answer;
    write.repeats_safely = true;
    write.handle = [&site, note_change = std::move(note_change)](const api::Request& request) -> api::Reply {
        const auto written = site.store.write([&](store::Transaction& tx) -> Result<void> {
            SVC_RETURN_IF_ERROR(write_settings(site, request.body, tx, request.caller.user_id));
            note_change(tx);
            return {};
        });
        if (!written)
            return api::failed(written.error());
        return api::ok(settings_json(site));
    };
    site.routes.add(std::move(write));
}

}  // namespace

void add_routes(const Site& site, Pricing& pricing, std::function<void(store::Transaction&)> note_change) {
    site.routes.add(preview_route(site, pricing));
    site.routes.add(simulate_route(site));
    site.routes.add(statistics_route(site));
    add_settings_routes(site, std::move(note_change));
}

}  // namespace svc::pro::dynamic_pricing
