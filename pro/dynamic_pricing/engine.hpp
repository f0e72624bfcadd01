// The price of a date by its rules: pure, from rules that were compiled once.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "pro/dynamic_pricing/conditions.hpp"
#include "pro/dynamic_pricing/pricing_rule.hpp"

namespace svc::pro::dynamic_pricing {

// How several rules of one date are combined, and how far they may change a price.
struct Policy {
    enum class Mode : std::uint8_t { highest, cumulative, best } mode = Mode::highest;
    Rate maximum_markup{500'000}, maximum_discount{300'000};
    bool from_regular = false;  // prices are computed from the list price, not from the discounted one
    friend bool operator==(const Policy&, const Policy&) = default;
};

// A rule as prices are computed from it.
struct CompiledRule {
    std::int64_t id = 0, priority = 1;
    std::string name;
    bool is_share = true;
    std::int64_t value = 0;  // parts per million, or minor units
    Currency currency = Currency::usd();
    // The range of each fact, both ends included.
    struct Range {
        Fact fact;
        std::int64_t least = INT64_MIN, most = INT64_MAX;
    };
    std::vector<Range> ranges;
    std::int64_t first_day_of_booking = INT64_MIN, last_day_of_booking = INT64_MAX;
    std::uint8_t weekdays = 0x7f;  // a bit for each, Sunday the lowest
    // Of demand and inventory: where the price rises and where it falls.
    enum class Slope : std::uint8_t { none, demand, inventory } slope = Slope::none;
    std::optional<std::int64_t> rises_from, falls_to;  // demand: from, to; inventory: seats up to, from
    bool for_all_trips = true;
    std::vector<std::int64_t> trip_ids;  // ascending
    Conditions conditions;

    // A stored rule has passed check_rule().
    static CompiledRule of_rule(const PricingRule& rule);
    [[nodiscard]] bool is_for(std::int64_t trip_id) const;
    [[nodiscard]] bool uses_demand() const { return slope == Slope::demand || conditions.use(Fact::demand); }
};

// Reports what is wrong with a rule as it would be stored.
void check_rule(const PricingRule& rule, Faults& faults);

// A rule that applies to a date, with its value times a factor.
struct Match {
    const CompiledRule* rule = nullptr;
    std::int64_t numerator = 1, denominator = 1;  // negative: the price falls
};

struct RuleEffect {
    std::int64_t rule_id = 0;
    std::string name;
    Money delta;
};

// A price with its reasons. before + the deltas is the price, unless a limit cut it.
struct Explained {
    Money before, price;
    std::vector<RuleEffect> rules;
    enum class Capped : std::uint8_t { no, maximum_markup, maximum_discount } capped = Capped::no;
};

std::string_view name_of(Explained::Capped capped);  // empty for no

// What is known of a date. `seats`, `capacity` and `demand` may be unknown.
Facts facts_of(Date travel_date, Date today, std::int64_t travelers, std::int64_t duration_days,
               std::optional<std::int64_t> seats, std::optional<std::int64_t> capacity,
               std::optional<std::int64_t> demand);

// Whether the rule applies there, and by how much.
std::optional<Match> match_of(const CompiledRule& rule, const Facts& facts, Date today);

// The price of one traveler or group whose price is `base`; `matches` by priority descending, then id. Rules of another
// currency change nothing. Never below zero, never outside the policy's limits. Any thread.
Money adjusted(const Money& base, std::span<const Match> matches, const Policy& policy);
Explained explain(const Money& base, std::span<const Match> matches, const Policy& policy);

// The active rules, compiled. Immutable: any thread.
class RuleSet {
  public:
    RuleSet() = default;
    RuleSet(const std::vector<PricingRule>& rules, Policy policy);

    [[nodiscard]] const Policy& policy() const { return policy_; }
    [[nodiscard]] bool uses_demand() const { return uses_demand_; }
    // The rules of a trip by priority descending, then id.
    [[nodiscard]] std::vector<const CompiledRule*> of_trip(std::int64_t trip_id) const;
    // Those that apply to a date; `into` is emptied first.
    static void match(std::span<const CompiledRule* const> rules, const Facts& facts, Date today,
                      std::vector<Match>& into);

  private:
    std::vector<CompiledRule> rules_;
    Policy policy_;
    bool uses_demand_ = false;
};

}  // namespace svc::pro::dynamic_pricing
