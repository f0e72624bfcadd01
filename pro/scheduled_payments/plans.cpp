// The plans of bookings that exist first, then those of bookings to come.
#include "pro/scheduled_payments/plans.hpp"

#include <algorithm>

namespace svc::pro::scheduled_payments {
namespace {

json::Value shown_part(Date day, const Money& amount, std::int64_t number, std::int64_t count) {
    return json::Value::object({{"date", day}, {"amount", amount}, {"number", number}, {"count", count}});
}

// A base from before plans of trips passes it on or leaves it out.
json::Value binding(json::Value parts, std::string_view plan_is_by) {
    if (plan_is_by == made_by::fixed)
        for (json::Value& part : parts.items())
            part.set("binds", true);
    return parts;
}

json::Value shown_parts(const std::vector<AgreedPart>& parts, const std::vector<Money>& left) {
    auto list = json::Value::array();
    for (std::size_t at = 0; at < parts.size(); ++at)
        if (!left[at].is_zero())
            list.push(
                shown_part(parts[at].part.date, left[at], parts[at].number, static_cast<std::int64_t>(parts.size())));
    return list;
}

// What is charged by itself: the parts that are open, and those that failed and are still to be paid. Nothing: none is
// charged any more.
std::optional<json::Value> charged_parts(store::Session& session, std::int64_t booking_id, const Money& rest) {
    std::vector<ScheduledPayment> rows = Repository::of_booking(session, booking_id);
    std::erase_if(rows, [](const ScheduledPayment& row) { return row.kind != kind::charge; });
    const std::int64_t count = rows.empty() ? 0 : rows.back().sequence_no;
    const auto is_coming = [](const ScheduledPayment& row) {
        return row.status == status::scheduled || row.status == status::processing;
    };
    if (std::none_of(rows.begin(), rows.end(), is_coming))
        return std::nullopt;
    std::erase_if(rows, [&](const ScheduledPayment& row) { return !is_coming(row) && row.status != status::failed; });
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.date < b.date; });
    std::vector<Money> amounts;
    Money sum = Money::zero(rest.currency());
    for (const ScheduledPayment& row : rows) {
        amounts.push_back(row.amount);
        sum += row.amount;
    }
    if (sum > rest)
        amounts = left_of(rest, amounts);
    auto list = json::Value::array();
    for (std::size_t at = 0; at < rows.size(); ++at)
        if (!amounts[at].is_zero())
            list.push(shown_part(rows[at].date, amounts[at], rows[at].sequence_no, count));
    return list;
}

std::optional<Money> money_in(const json::Value& number, Currency currency) {
    const auto amount =
        number.is_number() ? Money::parse(number.number_text(), currency) : Result<Money>(errc::not_found);
    return amount && !amount->is_zero() && !amount->is_negative() ? std::optional(*amount) : std::nullopt;
}

// What a price is computed from, where it names a trip, a day and a currency.
struct Asked {
    std::int64_t trip_id = 0;
    Date travel_date;
    Currency currency = Currency::usd();
};
std::optional<Asked> asked_in(const json::Value& context) {
    const auto trip_id = context.maybe_integer("trip_id");
    const auto travel_date = Date::parse(context.text_or("travel_date"));
    const auto currency = Currency::parse(context.text_or("currency"));
    if (!trip_id || !travel_date || !currency)
        return std::nullopt;
    return Asked{.trip_id = *trip_id, .travel_date = *travel_date, .currency = *currency};
}

}  // namespace

json::Value Plans::plan(store::Transaction* tx, const json::Value& context, Instant now) {
    const auto none = json::Value::array();
    const auto currency = Currency::parse(context.text_or("currency"));
    const auto rest = currency && context["rest"].is_number() ? Money::parse(context["rest"].number_text(), *currency)
                                                              : Result<Money>(errc::not_found);
    if (!rest || rest->is_zero() || rest->is_negative())
        return none;
    const Date today = site_.today(now);
    const auto booking_id = context.maybe_integer("booking_id");
    const bool is_agreed = context.maybe_boolean("is_agreed").value_or(false);
    if (!booking_id || is_agreed) {
        const auto travel_date = Date::parse(context.text_or("travel_date"));
        if (!travel_date || !settings_.is_on())
            return none;
        const auto [parts, plan_is_by] = fresh_plan(tx, context, *rest, today, *travel_date);
        if (is_agreed && booking_id && tx)
            AgreedPlans::insert(*tx, *booking_id, parts, plan_is_by, money_in(context["total"], *currency));
        return binding(shown_parts(parts, amounts_of(parts)), plan_is_by);
    }
    const PlanLeft left =
        read<PlanLeft>(tx, [&](store::Session& session) { return plan_left(session, *booking_id, *rest, today); });
    return binding(left.parts, left.made_by);
}

Plans::PlanLeft Plans::plan_left(store::Session& session, std::int64_t booking_id, const Money& rest, Date today) {
    PlanLeft left{.made_by = AgreedPlans::made_by(session, booking_id)};
    if (auto charged = charged_parts(session, booking_id, rest)) {
        left.parts = std::move(*charged);
        return left;
    }
    const auto booking = Repository::booking(session, booking_id);
    const auto parts = booking ? AgreedPlans::find(session, *booking, today) : std::vector<AgreedPart>();
    if (!parts.empty())
        left.parts = shown_parts(parts, left_of(rest, amounts_of(parts)));
    return left;
}

std::pair<std::vector<AgreedPart>, std::string> Plans::fresh_plan(store::Transaction* tx, const json::Value& context,
                                                                  const Money& rest, Date today, Date travel_date) {
    if (const auto trip_id = context.maybe_integer("trip_id"); trip_id && context["total"].is_number())
        if (const auto plan = plan_of_trip(tx, *trip_id, rest.currency()))
            if (const auto total = Money::parse(context["total"].number_text(), rest.currency());
                total && *total > rest)
                return {for_rest(divide(*plan, *total, today, travel_date).later, rest), plan->kind};
    const Terms terms = settings_.terms();
    return {agreed_parts(plan_of(rest, today, travel_date, terms), travel_date, terms), std::string(made_by::settings)};
}

std::optional<TripPlan> Plans::plan_of_trip(store::Transaction* tx, std::int64_t trip_id, Currency currency) {
    if (!settings_.is_on())
        return std::nullopt;
    auto found = known.find(tx, trip_id);
    return found && found->fits(currency) ? std::move(found) : std::nullopt;
}

json::Value Plans::payment_amounts(store::Transaction* tx, const json::Value& amounts, const json::Value& context,
                                   const json::Value& total, Instant now) {
    const auto asked = asked_in(context);
    const auto price = asked ? money_in(total, asked->currency) : std::nullopt;
    if (const auto booking_id = context.maybe_integer("booking_id"); booking_id && price)
        return amounts_agreed(tx, amounts, *booking_id, *price);
    const auto plan = price ? plan_of_trip(tx, asked->trip_id, asked->currency) : std::nullopt;
    if (!plan)
        return amounts;
    const Divided divided = divide(*plan, *price, site_.today(now), asked->travel_date);
    json::Value ours = json::Value::object();
    // All at once: where the plan lets, and where nothing is left to be divided.
    if (divided.later.empty() || !plan->is_fixed())
        ours.set("full", *price);
    if (!divided.later.empty())
        ours.set("deposit", divided.first);
    return ours;
}

// A booking with another price: its first payment has the share of the price that its customer agreed to, whatever has
// become of the plan.
json::Value Plans::amounts_agreed(store::Transaction* tx, const json::Value& amounts, std::int64_t booking_id,
                                  const Money& price) {
    return read<json::Value>(tx, [&](store::Session& session) {
        json::Value ours = amounts;
        const auto booking = Repository::booking(session, booking_id);
        const std::string plan_is_by = AgreedPlans::made_by(session, booking_id);
        if (!booking || plan_is_by.empty() || plan_is_by == made_by::settings || booking->currency != price.currency())
            return ours;
        // The booking's total is another one where its price was set before.
        const Money agreed = AgreedPlans::price(session, booking_id, price.currency()).value_or(booking->total);
        Money first = agreed;
        for (const AgreedPart& each : AgreedPlans::find(session, *booking, booking->travel_date))
            first -= each.part.amount;
        if (!first.is_zero() && !first.is_negative())
            ours.set("deposit", price.share(first.minor(), agreed.minor()));
        return ours;
    });
}

json::Value Plans::payment_options(store::Transaction* tx, json::Value options, const json::Value& context,
                                   Instant now) {
    const auto asked = asked_in(context);
    const auto plan = asked ? plan_of_trip(tx, asked->trip_id, asked->currency) : std::nullopt;
    if (!plan || !options.is_array())
        return options;
    for (json::Value& option : options.items())
        if (option.is_object() && option.text_or("id") == "deposit") {
            const auto amount = money_in(option["amount"], asked->currency),
                       balance = money_in(option["balance"], asked->currency);
            if (!amount || !balance)
                continue;
            const auto later = divide(*plan, *amount + *balance, site_.today(now), asked->travel_date).later;
            if (!later.empty())
                option.set("balance_on", later.back().part.date);
        }
    return options;
}

json::Value Plans::next_amount(store::Transaction* tx, const json::Value& balance, const json::Value& booking,
                               Instant now) {
    const auto currency = Currency::parse(booking.text_or("currency"));
    const auto booking_id = booking.maybe_integer("id");
    const auto rest = currency && booking_id ? money_in(balance, *currency) : std::nullopt;
    if (!rest)
        return balance;
    const auto left = read<PlanLeft>(
        tx, [&](store::Session& session) { return plan_left(session, *booking_id, *rest, site_.today(now)); });
    if (left.made_by != made_by::fixed || left.parts.size() == 0)
        return balance;
    // Nothing is paid yet: the first payment comes before the parts.
    if (const auto due = money_in(booking["amount_due"], *currency); due && *due < *rest)
        return *due;
    return left.parts[std::size_t{0}]["amount"];
}

}  // namespace svc::pro::scheduled_payments
