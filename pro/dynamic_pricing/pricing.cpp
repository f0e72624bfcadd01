// Listeners of the base's filters for prices.
#include "pro/dynamic_pricing/pricing.hpp"

#include <algorithm>

namespace svc::pro::dynamic_pricing {
namespace {

using json::Value;

constexpr std::chrono::seconds oldest{1};

std::optional<Money> money_in(const Value& given, Currency currency) {
    if (!given.is_number())
        return std::nullopt;
    const auto money = Money::parse(given.number_text(), currency);
    return money && !money->is_negative() ? std::optional(*money) : std::nullopt;
}

Value rules_json(const Explained& explained) {
    return json::array_of(explained.rules, [](const RuleEffect& each) {
        return Value::object({{"rule_id", each.rule_id}, {"name", each.name}, {"adjustment", each.delta}});
    });
}

Value part_json(const Explained& explained) {
    const auto capped = name_of(explained.capped);
    return Value::object({{"adjustment", explained.price - explained.before},
                          {"rules", rules_json(explained)},
                          {"capped", capped.empty() ? Value() : Value(capped)}});
}

// What a shown price is kept for. All of it is decided by the customer.
std::string choice_of(const Value& context) {
    return Value::array({context["trip_id"], context["travel_date"], context["departure_time"],
                         context["travelers_count"], context["traveler_counts"]})
        .dump();
}

std::map<std::int64_t, std::int64_t> quantities_of(const Value& quote) {
    std::map<std::int64_t, std::int64_t> quantities;
    for (const Value& line : quote["lines"].items())
        if (line.text_or("kind") == "traveler")
            quantities[line.maybe_integer("category_id").value_or(0)] += line.maybe_integer("quantity").value_or(1);
    return quantities;
}

}  // namespace

Pricing::Current Pricing::read(store::Session& session, const Current& before) const {
    const Date today = site_.today(site_.clock.now());
    const Stamp now = stamp(session);
    const Policy policy = policy_of(site_);
    if (before && before->today == today && before->stamp == now && before->rules.policy() == policy)
        return before;
    auto fresh = std::make_shared<Known>();
    fresh->stamp = now;
    fresh->today = today;
    fresh->rules = RuleSet(active_rules(session), policy);
    if (fresh->rules.uses_demand()) {
        const bool is_same = before && before->today == today && before->rules.uses_demand() &&
                             before->stamp.scores == now.scores && before->stamp.scores_at == now.scores_at;
        fresh->scores = is_same ? before->scores : scores_from(session, today);
    }
    return fresh;
}

Pricing::Current Pricing::current(store::Transaction* tx) {
    Current before;
    {
        const std::lock_guard lock(mutex_);
        before = current_;
        if (!tx && before && std::chrono::steady_clock::now() - read_at_ < oldest &&
            before->today == site_.today(site_.clock.now()))
            return before;
    }
    if (tx)
        return read(*tx, before);
    const auto at = std::chrono::steady_clock::now();
    auto fresh = site_.store.reading<Current>([&](store::Session& session) { return read(session, before); });
    const std::lock_guard lock(mutex_);
    if (at > read_at_) {
        current_ = fresh;
        read_at_ = at;
    }
    return fresh;
}

void Pricing::forget() {
    const std::lock_guard lock(mutex_);
    current_.reset();
    read_at_ = std::chrono::steady_clock::now();  // older reads are not stored
}

bool Pricing::knows_rules_of(store::Transaction& tx) {
    const Stamp now = stamp(tx);
    const std::lock_guard lock(mutex_);
    return current_ && current_->stamp.rules == now.rules && current_->stamp.rules_at == now.rules_at;
}

std::optional<std::int64_t> Pricing::demand_of(const Known& known, std::int64_t trip_id, Date date) {
    const auto found = known.scores.find({trip_id, date.days()});
    return found == known.scores.end() ? std::nullopt : std::optional(found->second);
}

Value Pricing::date_prices(Value rows, const Value& context) {
    const auto trip_id = context.maybe_integer("trip_id");
    const auto currency = Currency::parse(context.text_or("currency"));
    const Value &dates = context["dates"], &regular = context["regular_prices"];
    if (!trip_id || !currency || !rows.is_array() || !dates.is_array() || dates.size() != rows.size())
        return rows;
    const Current known = current(nullptr);
    const auto rules = known->rules.of_trip(*trip_id);
    if (rules.empty())
        return rows;
    const Policy& policy = known->rules.policy();
    const std::int64_t travelers = context.maybe_integer("travelers_count").value_or(1);
    const std::int64_t duration = context.maybe_integer("duration_days").value_or(1);
    const auto number_at = [](const Value& list, std::size_t at) {
        return list[at].is_number() ? std::optional(list[at].integer()) : std::nullopt;
    };
    std::vector<Match> matches;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const auto date = dates[i].is_string() ? Date::parse(dates[i].text()) : std::nullopt;
        Value& row = rows.items()[i];
        if (!date || !row.is_array())
            continue;
        RuleSet::match(rules,
                       facts_of(*date, known->today, travelers, duration, number_at(context["available_capacity"], i),
                                number_at(context["max_capacity"], i), demand_of(*known, *trip_id, *date)),
                       known->today, matches);
        if (matches.empty())
            continue;
        for (std::size_t j = 0; j < row.size(); ++j) {
            Value& price = row.items()[j];
            const auto base = money_in(policy.from_regular ? regular[i][j] : price, *currency);
            if (base)
                price = adjusted(*base, matches, policy);
        }
    }
    return rows;
}

Explained Pricing::price(const Asked& asked, const Money& base) {
    const Current known = current(nullptr);
    std::vector<Match> matches;
    RuleSet::match(known->rules.of_trip(asked.trip_id),
                   facts_of(asked.travel_date, known->today, asked.travelers, asked.duration_days, asked.seats,
                            asked.capacity, demand_of(*known, asked.trip_id, asked.travel_date)),
                   known->today, matches);
    return explain(base, matches, known->rules.policy());
}

Explained Pricing::explained(const Known& known, const Money& base, const Value& context) const {
    const auto date = Date::parse(context.text_or("travel_date"));
    const auto trip_id = context.maybe_integer("trip_id");
    if (!date || !trip_id)
        return {.before = base, .price = base, .rules = {}};
    std::vector<Match> matches;
    RuleSet::match(
        known.rules.of_trip(*trip_id),
        facts_of(*date, known.today, context.maybe_integer("travelers_count").value_or(1),
                 context.maybe_integer("duration_days").value_or(1), context.maybe_integer("available_capacity"),
                 context.maybe_integer("max_capacity"), demand_of(known, *trip_id, *date)),
        known.today, matches);
    const auto& policy = known.rules.policy();
    const auto currency = base.currency();
    const auto regular = policy.from_regular ? money_in(context["regular_price"], currency) : std::nullopt;
    if (matches.empty() || !regular)
        return explain(base, matches, policy);
    // The reasons begin with the list price; the change is that of the price that would be paid without rules.
    Explained from_list = explain(*regular, matches, policy);
    from_list.before = base;
    return from_list;
}

Value Pricing::unit_price(store::Transaction* tx, Value price, const Value& context) {
    const auto currency = Currency::parse(context.text_or("currency"));
    const auto base = currency ? money_in(price, *currency) : std::nullopt;
    if (!base)
        return price;
    const std::int64_t category = context.maybe_integer("category_id").value_or(0);
    const auto session_id = context.maybe_integer("session_id");
    const Instant now = site_.clock.now();
    const Current known = current(tx);
    const std::string choice = session_id ? choice_of(context) : std::string();
    if (session_id)
        if (const auto parts = shown_.find(tx, *session_id, choice, now))
            if (const auto part = parts->find(category); part != parts->end()) {
                const auto& delta = part->second["adjustment"];
                const auto read =
                    delta.is_number() ? Money::parse(delta.number_text(), *currency) : Result<Money>(errc::not_found);
                if (read)
                    return max(*base + *read, Money::zero(*currency));
            }
    const Explained explained_price = explained(*known, *base, context);
    if (session_id && !tx && !known->rules.of_trip(context.maybe_integer("trip_id").value_or(0)).empty())
        shown_.add(*session_id, choice, category, part_json(explained_price), now);
    return explained_price.price;
}

Value Pricing::quote(store::Transaction* tx, Value shown, const Value& context) {
    const auto session_id = context.maybe_integer("session_id");
    const Instant now = site_.clock.now();
    const std::string choice = session_id ? choice_of(context) : std::string();
    std::optional<PriceParts> parts;
    if (session_id) {
        if (!tx)
            shown_.store(*session_id, choice, now);
        parts = shown_.find(tx, *session_id, choice, now);
    }
    const auto currency = Currency::parse(context.text_or("currency"));
    const Value* dynamic = shown.find("dynamic_pricing");
    if (!currency || !dynamic || !dynamic->is_object())
        return shown;
    const Current known = current(tx);
    Value dynamic_pricing = *dynamic;
    Value prices = Value::array();
    for (Value each : dynamic_pricing["prices"].items()) {
        const std::int64_t category = each.maybe_integer("category_id").value_or(0);
        Value part;
        if (parts && parts->contains(category)) {
            part = parts->at(category);
        } else if (const auto before = money_in(each["before"], *currency)) {
            Value about = context;
            about.set("regular_price", each["regular_price"]);
            part = part_json(explained(*known, *before, about));
        }
        each.set("rules", part["rules"].is_array() ? part["rules"] : Value::array());
        each.set("capped", part["capped"]);
        prices.push(std::move(each));
    }
    dynamic_pricing.set("prices", std::move(prices));
    shown.set("dynamic_pricing", std::move(dynamic_pricing));
    return shown;
}

void Pricing::store_booked(store::Transaction& tx, const Value& quote, std::int64_t booking_id) {
    const auto currency = Currency::parse(quote.text_or("currency"));
    const auto trip_id = quote.maybe_integer("trip_id");
    const auto date = Date::parse(quote.text_or("travel_date"));
    const auto base = currency ? money_in(quote["base_amount"], *currency) : std::nullopt;
    if (!trip_id || !date || !base)
        return;
    const Value& dynamic = quote["dynamic_pricing"];
    HistoryEntry entry{.booking_id = booking_id,
                       .trip_id = *trip_id,
                       .travel_date = *date,
                       .before = dynamic.is_object() ? money_in(dynamic["before"], *currency).value_or(*base) : *base,
                       .after = *base,
                       .demand = demand_of(*current(&tx), *trip_id, *date)};
    if (dynamic.is_object()) {
        const auto quantities = quantities_of(quote);
        for (const Value& each : dynamic["prices"].items()) {
            const auto quantity = quantities.find(each.maybe_integer("category_id").value_or(0));
            const auto before = money_in(each["before"], *currency), price = money_in(each["price"], *currency);
            if (quantity == quantities.end() || !before || !price || !each["rules"].is_array())
                continue;
            std::vector<std::pair<std::int64_t, Money>> effects;
            Money sum = Money::zero(*currency);
            for (const Value& rule : each["rules"].items())
                if (const auto delta = Money::parse(rule["adjustment"].number_text(), *currency)) {
                    effects.emplace_back(rule["rule_id"].integer(), *delta);
                    sum += *delta;
                }
            // A limit cut the change: each rule has its share of what is left.
            const Money change = *price - *before;
            const std::int64_t sign = sum.is_negative() ? -1 : 1;
            for (const auto& [rule_id, delta] : effects) {
                const Money share =
                    sum == change || sum.is_zero() ? delta : change.share(sign * delta.minor(), sign * sum.minor());
                entry.rules.try_emplace(rule_id, Money::zero(*currency)).first->second += share.times(quantity->second);
            }
        }
    }
    store_history(tx, entry, site_.clock.now());
}

}  // namespace svc::pro::dynamic_pricing
