// Computes prices in billionths of a minor unit and rounds once, at the end.
#include "pro/dynamic_pricing/engine.hpp"

#include <algorithm>

namespace svc::pro::dynamic_pricing {
namespace {

__extension__ typedef __int128 Fine;

constexpr Fine fine = 1'000'000'000, whole = 1'000'000;
// 10^19 minor units: above every amount of money, and products with it stay within 128 bits.
constexpr Fine most_fine = fine * 1'000'000'000 * 10'000'000'000;

// Half away from zero.
Fine divided(Fine amount, Fine by) {
    const Fine half = by / 2;
    return amount >= 0 ? (amount + half) / by : -((-amount + half) / by);
}

Fine clamped(Fine amount) { return std::clamp(amount, -most_fine, most_fine); }

Fine delta_of(const Match& match, Fine price) {
    const CompiledRule& rule = *match.rule;
    if (rule.is_share)
        return divided(price * rule.value * match.numerator, whole * match.denominator);
    return divided(Fine(rule.value) * fine * match.numerator, match.denominator);
}

Fine size_of(Fine delta) { return delta < 0 ? -delta : delta; }

bool counts(const Match& match, Currency currency) { return match.rule->is_share || match.rule->currency == currency; }

struct Cut {
    Fine price;
    Explained::Capped capped;
};

Cut cut_to(const Policy& policy, Fine base, Fine price) {
    const Fine highest = base + divided(base * policy.maximum_markup.ppm, whole);
    const Fine lowest = base - divided(base * policy.maximum_discount.ppm, whole);
    if (price > highest)
        return {highest, Explained::Capped::maximum_markup};
    if (price < lowest)
        return {std::max<Fine>(lowest, 0), Explained::Capped::maximum_discount};
    return {std::max<Fine>(price, 0), Explained::Capped::no};
}

// The matches that are applied, in order: all of them or the best one.
void choose(Fine base, std::span<const Match> matches, Currency currency, Policy::Mode mode,
            std::vector<const Match*>& chosen) {
    const Match* best = nullptr;
    Fine best_delta = 0;
    for (const Match& each : matches) {
        if (!counts(each, currency))
            continue;
        if (mode == Policy::Mode::cumulative) {
            chosen.push_back(&each);
            continue;
        }
        const Fine delta = delta_of(each, base);
        const bool is_better =
            mode == Policy::Mode::highest ? size_of(delta) > size_of(best_delta) : delta < best_delta;
        if (!best || is_better) {
            best = &each;
            best_delta = delta;
        }
    }
    if (best)
        chosen.push_back(best);
}

Money rounded(Fine price, Currency currency) {
    return {static_cast<std::int64_t>(std::clamp<Fine>(divided(price, fine), INT64_MIN / 2, INT64_MAX / 2)), currency};
}

template <class Applied>
Cut price_of(const Money& base, std::span<const Match> matches, const Policy& policy, Applied applied) {
    static thread_local std::vector<const Match*> chosen;
    chosen.clear();
    const Fine start = Fine(base.minor()) * fine;
    choose(start, matches, base.currency(), policy.mode, chosen);
    if (chosen.empty())
        return {start, Explained::Capped::no};
    Fine price = start;
    for (const Match* each : chosen) {
        const Fine before = price;
        price = clamped(price + delta_of(*each, price));
        applied(*each, before, price);
    }
    return cut_to(policy, start, price);
}

void use_window(CompiledRule& compiled, const PricingRule& rule, bool of_booking) {
    const std::int64_t first = rule.start_date ? rule.start_date->days() : INT64_MIN;
    const std::int64_t last = rule.end_date ? rule.end_date->days() : INT64_MAX;
    if (of_booking) {
        compiled.first_day_of_booking = first;
        compiled.last_day_of_booking = last;
    } else if (rule.start_date || rule.end_date) {
        compiled.ranges.push_back({Fact::travel_date, first, last});
    }
}

}  // namespace

CompiledRule CompiledRule::of_rule(const PricingRule& rule) {
    Faults ignored;
    CompiledRule compiled{
        .id = rule.id,
        .priority = rule.priority,
        .name = rule.name,
        .is_share = rule.adjustment.is_share(),
        .value = rule.adjustment.is_share() ? rule.adjustment.rate.ppm : rule.adjustment.amount.minor(),
        .currency = rule.adjustment.currency,
        .ranges = {},
        .rises_from = {},
        .falls_to = {},
        .for_all_trips = rule.applicable_trips == "all",
        .trip_ids = rule.trip_ids,
        .conditions = Conditions::parse(rule.conditions, ignored)};
    const std::string& kind = rule.rule_type;
    const bool lowers = kind == "early_bird" || kind == "last_minute";
    if (lowers) {
        compiled.value = -std::abs(compiled.value);
        compiled.ranges.push_back(
            {Fact::days_before, rule.min_days_before.value_or(0), rule.max_days_before.value_or(INT64_MAX)});
    }
    if (kind == "inventory") {
        compiled.slope = Slope::inventory;
        compiled.rises_from = rule.min_inventory;
        compiled.falls_to = rule.max_inventory;
    }
    if (kind == "demand") {
        compiled.slope = Slope::demand;
        compiled.rises_from = rule.demand_threshold_high;
        compiled.falls_to = rule.demand_threshold_low;
    }
    if (compiled.slope != Slope::none)
        compiled.value = std::abs(compiled.value);
    if (kind == "time_based") {
        compiled.weekdays = 0;
        for (const std::string& day : rule.weekend_days)
            compiled.weekdays |= static_cast<std::uint8_t>(1U << static_cast<unsigned>(day.front() - '0'));
    }
    use_window(compiled, rule, lowers);
    return compiled;
}

bool CompiledRule::is_for(std::int64_t trip_id) const {
    return for_all_trips || std::find(trip_ids.begin(), trip_ids.end(), trip_id) != trip_ids.end();
}

void check_rule(const PricingRule& rule, Faults& faults) {
    const auto in_order = [&](const auto& least, const auto& most, const char* field, SentenceId sentence) {
        if (least && most && *least > *most)
            faults.at(field, sentence);
    };
    const std::string& kind = rule.rule_type;
    in_order(rule.min_days_before, rule.max_days_before, "max_days_before", "Enter at least min_days_before."_sentence);
    in_order(rule.start_date, rule.end_date, "end_date", "Enter a day that is not before start_date."_sentence);
    if (rule.min_inventory && rule.max_inventory && *rule.min_inventory >= *rule.max_inventory)
        faults.at("max_inventory", "Enter more seats than min_inventory."_sentence);
    if (rule.demand_threshold_low >= rule.demand_threshold_high)
        faults.at("demand_threshold_low", "Enter less than demand_threshold_high."_sentence);
    if (kind == "early_bird" && !rule.min_days_before)
        faults.at("min_days_before", "Enter from how many days before travel the price is lower."_sentence);
    if (kind == "last_minute" && !rule.max_days_before)
        faults.at("max_days_before", "Enter up to how many days before travel the price is lower."_sentence);
    if (kind == "inventory" && !rule.min_inventory && !rule.max_inventory)
        faults.at("min_inventory", "Enter min_inventory, max_inventory or both."_sentence);
    if (kind == "seasonal" && !rule.start_date && !rule.end_date)
        faults.at("start_date", "Enter start_date, end_date or both."_sentence);
    if (kind == "time_based" && rule.weekend_days.empty())
        faults.at("weekend_days", "Enter at least one weekday."_sentence);
    if (rule.applicable_trips == "specific" && rule.trip_ids.empty())
        faults.at("trip_ids", "Enter at least one trip."_sentence);
    static_cast<void>(Conditions::parse(rule.conditions, faults));
}

std::string_view name_of(Explained::Capped capped) {
    switch (capped) {
        case Explained::Capped::maximum_markup:
            return "maximum_markup";
        case Explained::Capped::maximum_discount:
            return "maximum_discount";
        case Explained::Capped::no:
            break;
    }
    return {};
}

Facts facts_of(Date travel_date, Date today, std::int64_t travelers, std::int64_t duration_days,
               std::optional<std::int64_t> seats, std::optional<std::int64_t> capacity,
               std::optional<std::int64_t> demand) {
    Facts facts;
    of(facts, Fact::travel_date) = travel_date.days();
    of(facts, Fact::weekday) = travel_date.weekday();
    of(facts, Fact::days_before) = travel_date.days() - today.days();
    of(facts, Fact::seats_left) = seats;
    if (seats && capacity && *capacity > 0)
        of(facts, Fact::occupancy) = std::clamp<std::int64_t>((*capacity - *seats) * 100 / *capacity, 0, 100);
    of(facts, Fact::demand) = demand;
    of(facts, Fact::travelers) = travelers;
    of(facts, Fact::duration_days) = duration_days;
    return facts;
}

std::optional<Match> match_of(const CompiledRule& rule, const Facts& facts, Date today) {
    if (today.days() < rule.first_day_of_booking || today.days() > rule.last_day_of_booking)
        return std::nullopt;
    for (const CompiledRule::Range& range : rule.ranges) {
        const auto& known = of(facts, range.fact);
        if (!known || *known < range.least || *known > range.most)
            return std::nullopt;
    }
    if (((rule.weekdays >> *of(facts, Fact::weekday)) & 1) == 0)
        return std::nullopt;
    Match match{.rule = &rule};
    if (rule.slope == CompiledRule::Slope::inventory) {
        const auto& seats = of(facts, Fact::seats_left);
        if (seats && rule.rises_from && *seats <= *rule.rises_from)
            match.numerator = 1;
        else if (seats && rule.falls_to && *seats >= *rule.falls_to)
            match = {.rule = &rule, .numerator = -1, .denominator = 2};
        else
            return std::nullopt;
    }
    if (rule.slope == CompiledRule::Slope::demand) {
        const auto& score = of(facts, Fact::demand);
        if (score && *score >= *rule.rises_from) {
            match.numerator = *score - *rule.rises_from + 1;
            match.denominator = 101 - *rule.rises_from;
        } else if (score && *score <= *rule.falls_to) {
            match.numerator = -(*rule.falls_to - *score + 1);
            match.denominator = *rule.falls_to + 1;
        } else {
            return std::nullopt;
        }
    }
    if (!rule.conditions.hold(facts))
        return std::nullopt;
    return match;
}

Money adjusted(const Money& base, std::span<const Match> matches, const Policy& policy) {
    if (matches.empty())
        return base;
    return rounded(price_of(base, matches, policy, [](const Match&, Fine, Fine) {}).price, base.currency());
}

Explained explain(const Money& base, std::span<const Match> matches, const Policy& policy) {
    Explained explained{.before = base, .price = base, .rules = {}};
    const Cut cut = price_of(base, matches, policy, [&](const Match& match, Fine before, Fine after) {
        explained.rules.push_back(
            {match.rule->id, match.rule->name, rounded(after, base.currency()) - rounded(before, base.currency())});
    });
    explained.price = rounded(cut.price, base.currency());
    explained.capped = cut.capped;
    return explained;
}

RuleSet::RuleSet(const std::vector<PricingRule>& rules, Policy policy) : policy_(policy) {
    rules_.reserve(rules.size());
    for (const PricingRule& rule : rules)
        rules_.push_back(CompiledRule::of_rule(rule));
    std::sort(rules_.begin(), rules_.end(), [](const CompiledRule& a, const CompiledRule& b) {
        return a.priority != b.priority ? a.priority > b.priority : a.id < b.id;
    });
    uses_demand_ =
        std::any_of(rules_.begin(), rules_.end(), [](const CompiledRule& each) { return each.uses_demand(); });
}

std::vector<const CompiledRule*> RuleSet::of_trip(std::int64_t trip_id) const {
    std::vector<const CompiledRule*> rules;
    for (const CompiledRule& rule : rules_)
        if (rule.is_for(trip_id))
            rules.push_back(&rule);
    return rules;
}

void RuleSet::match(std::span<const CompiledRule* const> rules, const Facts& facts, Date today,
                    std::vector<Match>& into) {
    into.clear();
    for (const CompiledRule* rule : rules)
        if (const auto match = match_of(*rule, facts, today))
            into.push_back(*match);
}

}  // namespace svc::pro::dynamic_pricing
