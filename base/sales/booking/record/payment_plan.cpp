// From a listener's list to the parts of a rest, and these as JSON.
#include "base/sales/booking/record/payment_plan.hpp"

#include <algorithm>

namespace svc::booking {
namespace {

// In order and adding up to the rest; else none.
std::vector<PlanPart> parts_in(const json::Value& list, const Money& rest) {
    std::vector<PlanPart> parts;
    Money sum = Money::zero(rest.currency());
    if (!list.is_array())
        return parts;
    for (const json::Value& each : list.items()) {
        const auto day = Date::parse(each.text_or("date"));
        const auto amount = each["amount"].is_number() ? Money::parse(each["amount"].number_text(), rest.currency())
                                                       : Result<Money>(errc::not_found);
        if (!day || !amount || amount->is_zero() || amount->is_negative() ||
            (!parts.empty() && *day < parts.back().day))
            return {};
        sum += *amount;
        parts.push_back({.day = *day,
                         .amount = *amount,
                         .number = each.maybe_integer("number").value_or(1),
                         .count = each.maybe_integer("count").value_or(1)});
    }
    if (sum != rest)
        parts.clear();
    return parts;
}

// One part is the rest by another day.
PlannedMoney with_parts(MoneyTerms terms, std::vector<PlanPart> parts, bool binds) {
    PlannedMoney money{std::move(terms)};
    if (!parts.empty())
        money.rest_on = parts.back().day;
    if (parts.size() > 1) {
        money.parts = std::move(parts);
        money.binds = binds;
    }
    return money;
}

json::Value id_or_null(std::int64_t id) { return id == 0 ? json::Value() : json::Value(id); }

}  // namespace

PlannedMoney planned(const hooks::Hooks& hooks, MoneyTerms terms, const PlanFor& which, store::Transaction* tx) {
    const bool is_shown = terms.stage == MoneyTerms::Stage::open;
    if (terms.rest.is_zero() || !(is_shown || which.is_agreed) || !hooks.filtered(payment_plan.name))
        return PlannedMoney{std::move(terms)};
    const auto list = hooks.apply(payment_plan, json::Value::array(),
                                  {json::Value::object({{"booking_id", id_or_null(which.booking_id)},
                                                        {"trip_id", id_or_null(which.trip_id)},
                                                        {"currency", terms.rest.currency().code()},
                                                        {"total", terms.total},
                                                        {"rest", terms.rest},
                                                        {"travel_date", which.travel_date},
                                                        {"is_agreed", which.is_agreed}})},
                                  tx);
    auto parts = parts_in(list, terms.rest);
    const bool binds = !parts.empty() && list.items().front().maybe_boolean("binds").value_or(false);
    return with_parts(std::move(terms), std::move(parts), binds);
}

void keep_last_day(store::Transaction& tx, Booking& booking, const PlannedMoney& agreed) {
    if (!agreed.rest_on || !booking.rest_on || agreed.rest_on == booking.rest_on)
        return;
    booking.rest_on = agreed.rest_on;
    tx.run("UPDATE svc_bookings SET rest_on = :day WHERE id = :id", {{"day", *booking.rest_on}, {"id", booking.id}});
}

std::optional<PlannedMoney> planned_money_from(const json::Value& value) {
    auto terms = money_terms_from(value);
    if (!terms)
        return std::nullopt;
    auto parts = parts_in(value["plan"], terms->rest);
    return with_parts(std::move(*terms), std::move(parts), value.maybe_boolean("plan_binds").value_or(false));
}

json::Value to_json(const PlannedMoney& money) {
    json::Value value = to_json(static_cast<const MoneyTerms&>(money));
    value.set("plan", json::array_of(money.parts, [](const PlanPart& part) {
                  return json::Value::object(
                      {{"date", part.day}, {"amount", part.amount}, {"number", part.number}, {"count", part.count}});
              }));
    value.set("plan_binds", money.binds);
    return value;
}

}  // namespace svc::booking
