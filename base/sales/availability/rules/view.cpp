// daily is an interval of one day, custom_days another name for weekly, monthly the day of start_date.
#include "base/sales/availability/rules/view.hpp"

#include <array>

#include "base/sales/availability/rules/wire.hpp"
#include "shared/api/named.hpp"
#include "shared/core/exact_money.hpp"

namespace svc::availability::view {
namespace {

using json::Value;

constexpr std::array<std::pair<std::string_view, std::string_view>, 4> other_names{
    {{"days_of_week", "weekdays"},
     {"seats_total", "max_capacity"},
     {"original_price", "base_price"},
     {"traveler_pricing", "pricing_by_traveler_type"}}};

std::string name_here(const std::string& field) {
    for (const auto& [there, here] : other_names)
        if (field.substr(0, field.find('.')) == there)
            return std::string(here);
    return field;
}

Error named_here(const Error& error) {
    Error renamed{error.code(), error.message()};
    for (const FieldError& each : error.fields())
        renamed.at(name_here(each.field), each.sentence);
    return renamed;
}

std::string_view recurrence_of(const Rule& rule) {
    switch (rule.type) {
        case RuleType::weekly:
            return rule.custom_days ? "custom_days" : "weekly";
        case RuleType::monthly:
            return "monthly";
        case RuleType::interval:
            break;
    }
    return "daily";
}

// The recurrence_type of the other view. A rule that already counts so stays unchanged.
void set_recurrence(Value& body, const Rule& rule, const Value& sent) {
    const auto recurrence = sent.maybe_text("recurrence_type");
    if (!recurrence || *recurrence == recurrence_of(rule)) {
        if (rule.id != 0 || !recurrence)
            return;
    }
    if (*recurrence == "daily") {
        body.set("rule_type", "interval").set("interval_days", 1).set("interval_start_date", Value());
    } else if (*recurrence == "monthly") {
        const auto day = sent.maybe_text("start_date");
        const auto start = day ? Date::parse(*day) : rule.start_date;
        body.set("rule_type", "monthly").set("day_of_month", static_cast<int>(start ? start->day() : 1));
    } else {
        body.set("rule_type", "weekly");
    }
}

void copy(Value& body, const Value& sent, std::string_view here, std::string_view there) {
    if (const Value* value = sent.find(here))
        body.set(std::string(there), *value);
}

const json::Object& prices_in(const Value& sent) {
    static const json::Object none;
    const Value& prices = sent["pricing_by_traveler_type"];
    return prices.is_object() ? prices.members() : none;
}

std::optional<std::int64_t> category_named(const std::string& text) {
    const bool digits = !text.empty() && text.size() <= 18 && text.front() != '0' &&
                        text.find_first_not_of("0123456789") == std::string::npos;
    return digits ? std::optional<std::int64_t>(std::stoll(text)) : std::nullopt;
}

}  // namespace

std::vector<PricedCategory> priced_categories(const Value& body) {
    std::vector<PricedCategory> priced;
    for (const auto& [category, price] : prices_in(body))
        if (const auto id = category_named(category))
            priced.push_back({"pricing_by_traveler_type." + category, *id});
    return priced;
}

api::Schema fields() {
    using namespace api;
    using api::text;
    return {
        {.name = "recurrence_type",
         .type = choice({"daily", "weekly", "monthly", "custom_days"}),
         .help = "monthly repeats the day of start_date.",
         .required = true},
        {.name = "weekdays",
         .type = list(integer(0, 6), 7),
         .help = "weekly and custom_days: weekdays from 0 (Sunday) to 6."},
        {.name = "start_date", .type = date(), .help = "First travel date.", .required = true},
        {.name = "end_date", .type = date().or_null(), .help = "Last travel date; null for open-ended."},
        {.name = "max_capacity", .type = integer(1, 100'000).or_null(), .help = "Seats per date."},
        {.name = "base_price", .type = money().or_null(), .help = "List price; defaults to the trip's."},
        {.name = "pricing_by_traveler_type",
         .type = map(money(), 50).or_null(),
         .help = "List prices by traveler category id."},
        {.name = "is_active", .type = boolean(), .help = "Whether the rule is active."},
    };
}

Result<Rule> changed(Rule rule, const Value& sent) {
    Value body = Value::object();
    set_recurrence(body, rule, sent);
    copy(body, sent, "weekdays", "days_of_week");
    copy(body, sent, "start_date", "start_date");
    copy(body, sent, "end_date", "end_date");
    copy(body, sent, "max_capacity", "seats_total");
    copy(body, sent, "base_price", "original_price");
    // This view has no reduced price: one that is not below the new list price is removed.
    if (const Value* base = sent.find("base_price"); base && rule.price && rule.price->lowered) {
        const auto list = parse_exact(base->is_null() ? "0" : base->number_text(), rule.currency);
        if (list && *list < *rule.price->lowered)
            body.set("sale_price", Value());
    }
    if (const auto active = sent.maybe_boolean("is_active"))
        body.set("status", *active ? "active" : "inactive");
    Value prices = Value::array();
    for (const auto& [category, price] : prices_in(sent)) {
        const auto id = category_named(category);
        if (!id)
            return invalid("pricing_by_traveler_type." + category, "Enter the id of a traveler category."_sentence);
        prices.push(Value::object({{"category_id", *id}, {"original_price", price}}));
    }
    if (sent.find("pricing_by_traveler_type"))
        body.set("traveler_pricing", std::move(prices));
    if (const auto recurrence = sent.maybe_text("recurrence_type"))
        rule.custom_days = *recurrence == "custom_days";
    auto draft = availability::changed(std::move(rule), body);
    if (!draft)
        return named_here(draft.error());
    return draft;
}

Value to_json(const Rule& rule) {
    const Value whole = availability::to_json(rule);
    Value prices = Value::object();
    for (const CategoryPrice& each : rule.by_category)
        prices.set(std::to_string(each.category_id), each.regular);
    return Value::object({{"id", rule.id},
                          {"trip_id", rule.trip_id},
                          {"recurrence_type", recurrence_of(rule)},
                          {"weekdays", whole["days_of_week"]},
                          {"week_of_month", whole["week_of_month"]},
                          {"day_of_month", rule.day_of_month},
                          {"interval_days", rule.interval_days},
                          {"start_date", rule.start_date},
                          {"end_date", rule.end_date},
                          {"max_capacity", rule.seats},
                          {"base_price", whole["original_price"]},
                          {"pricing_by_traveler_type", std::move(prices)},
                          {"is_active", rule.active()},
                          {"row_version", rule.row_version},
                          {"created_at", rule.created_at},
                          {"updated_at", rule.updated_at}});
}

api::Type answer() {
    using namespace api;
    using api::text;
    Schema own{{.name = "id", .type = id(), .required = true}, {.name = "trip_id", .type = id(), .required = true}};
    own = own.plus(fields());
    return object(
        "RecurringRule",
        own.plus(
            {{.name = "week_of_month", .type = text(10).or_null()},
             {.name = "day_of_month", .type = integer(1, 31).or_null()},
             {.name = "interval_days", .type = integer(1, 365).or_null(), .help = "Above 1 for rules of type daily."},
             {.name = "row_version", .type = integer(1)},
             {.name = "created_at", .type = instant()},
             {.name = "updated_at", .type = instant()}}));
}

}  // namespace svc::availability::view
