// How long the prices of a calendar take: a year of days, five categories, fifty rules of all kinds; prints the median
// in milliseconds for each mode.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "pro/dynamic_pricing/engine.hpp"

namespace {

using namespace svc;
using namespace svc::pro::dynamic_pricing;

constexpr std::int64_t rule_count = 50;
constexpr int day_count = 365, category_count = 5, runs = 301;

std::vector<PricingRule> rules_from(Date today) {
    const char* const kinds[]{"early_bird", "last_minute", "demand", "inventory", "seasonal", "time_based"};
    std::vector<PricingRule> rules;
    for (std::int64_t id = 1; id <= rule_count; ++id) {
        PricingRule rule;
        rule.id = id;
        rule.name = "Rule";
        rule.rule_type = kinds[id % 6];
        rule.status = "active";
        rule.adjustment.rate = Rate{(id % 40 - 20) * 5'000};
        rule.min_days_before = id * 2;
        rule.max_days_before = id * 2 + 120;
        rule.min_inventory = id % 8;
        rule.max_inventory = 12 + id % 8;
        rule.priority = 1 + id % 5;
        if (rule.rule_type == "seasonal") {
            rule.start_date = today.plus_days(static_cast<std::int32_t>(id * 5));
            rule.end_date = today.plus_days(static_cast<std::int32_t>(id * 5 + 90));
        }
        rules.push_back(std::move(rule));
    }
    return rules;
}

// The sum keeps the work from being left out.
std::int64_t priced_year(const RuleSet& set, Date today, std::vector<Match>& matches) {
    const auto rules = set.of_trip(1);
    std::int64_t sum = 0;
    for (int day = 0; day < day_count; ++day) {
        RuleSet::match(rules, facts_of(today.plus_days(day), today, 2, 5, day * 7 % 20, 20, day * 13 % 101), today,
                       matches);
        for (int category = 0; category < category_count; ++category)
            sum += adjusted(Money{19'999 + category * 4'321, Currency::usd()}, matches, set.policy()).minor();
    }
    return sum;
}

}  // namespace

int main() {
    const Date today = Date::from(2026, 6, 1);
    std::int64_t sum = 0;
    for (const auto mode : {Policy::Mode::highest, Policy::Mode::cumulative, Policy::Mode::best}) {
        const RuleSet set(rules_from(today), {.mode = mode});
        std::vector<Match> matches;
        std::vector<double> took;
        for (int run = 0; run < runs; ++run) {
            const auto began = std::chrono::steady_clock::now();
            sum += priced_year(set, today, matches);
            took.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count());
        }
        std::nth_element(took.begin(), took.begin() + runs / 2, took.end());
        std::printf("%.4f\n", took[runs / 2]);
    }
    return sum == 0 ? 1 : 0;
}
