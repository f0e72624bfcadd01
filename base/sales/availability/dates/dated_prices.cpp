// Gathers the prices that departures and rules name.
#include "base/sales/availability/dates/dated_prices.hpp"

#include <algorithm>
#include <limits>

#include "base/sales/availability/dates/offer.hpp"

namespace svc::availability {
namespace {

using catalog::trips::DatePrices;

const Date ever = Date::from_days(std::numeric_limits<std::int32_t>::min());
const Date no_last = Date::from_days(std::numeric_limits<std::int32_t>::max());

bool before(const DatedPrice& a, const DatedPrice& b) {
    return std::pair(a.trip_id, a.number) < std::pair(b.trip_id, b.number);
}

bool same_way(const DatePrices& a, const DatePrices& b) {
    if (a.by_category != b.by_category || a.own != b.own || !a.categories != !b.categories)
        return false;
    return !a.categories || *a.categories == *b.categories;
}

// As Maker would price a date of each kind.
class Gathered {
  public:
    explicit Gathered(std::int64_t trip_id) : trip_id_(trip_id) {}

    void add(const std::optional<PricePair>& pair, const CategoryPrices& categories,
             const std::optional<bool>& is_by_category, Date first, Date last) {
        DatedPrice price;
        price.trip_id = trip_id_;
        price.first = first;
        price.last = last;
        price.by_category = is_by_category;
        if (pair && !is_by_category.value_or(false))
            price.own = pair->effective();
        if (!categories.empty() && is_by_category.value_or(true)) {
            DatePrices::Categories amounts;
            for (const CategoryPrice& each : categories)
                amounts.emplace_back(each.category_id, PricePair{each.regular, each.lowered}.effective());
            std::sort(amounts.begin(), amounts.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
            price.categories = std::make_shared<const DatePrices::Categories>(std::move(amounts));
        }
        for (DatedPrice& each : ways_)
            if (same_way(each, price)) {
                each.first = std::min(each.first, first);
                each.last = std::max(each.last, last);
                return;
            }
        ways_.push_back(std::move(price));
    }
    void add(const Rule& rule) {
        const Date first = rule.start_date.value_or(ever), last = rule.end_date.value_or(no_last);
        const auto of_slot = [&](const RuleSlot* slot) {
            CategoryPrices categories = slot ? slot->by_category : CategoryPrices{};
            take_categories(categories, rule.by_category);
            if (slot && slot->price)  // on every weekday
                return add(slot->price, categories, rule.traveler_based, first, last);
            for (const RuleWeekday& each : rule.overrides)
                add(each.price ? each.price : rule.price, categories, rule.traveler_based, first, last);
            if (!overrides_all(rule))
                add(rule.price, categories, rule.traveler_based, first, last);
        };
        for (const RuleSlot& slot : rule.slots)
            of_slot(&slot);
        if (rule.slots.empty())
            of_slot(nullptr);
    }
    [[nodiscard]] std::vector<DatedPrice> ways() && {
        if (std::all_of(ways_.begin(), ways_.end(),
                        [](const DatedPrice& each) { return !each.by_category && !each.own && !each.categories; }))
            return {};
        for (std::size_t i = 0; i < ways_.size(); ++i)
            ways_[i].number = i;
        return std::move(ways_);
    }

  private:
    // Whether no weekday of the rule is left to the rule itself.
    static bool overrides_all(const Rule& rule) {
        for (unsigned weekday = 0; weekday < 7; ++weekday)
            if ((rule.type != RuleType::weekly || rule.weekdays.has(weekday)) && !rule.override_on(weekday))
                return false;
        return true;
    }

    std::int64_t trip_id_;
    std::vector<DatedPrice> ways_;
};

}  // namespace

bool operator==(const DatedPrice& a, const DatedPrice& b) {
    return a.trip_id == b.trip_id && a.number == b.number && a.first == b.first && a.last == b.last && same_way(a, b);
}

std::vector<DatedPrice> dated_prices(std::int64_t trip_id, const std::vector<Slot>& slots, std::span<const Rule> rules,
                                     bool planned) {
    Gathered prices(trip_id);
    if (!planned)
        prices.add({}, {}, {}, ever, no_last);
    for (const Rule& rule : rules)
        if (rule.active())
            prices.add(rule);
    for (const Slot& slot : slots) {
        if (slot.is_deleted() || !slot.on_sale())
            continue;
        const Rule* rule = rule_of(rules, slot.rule_id);
        CategoryPrices categories = slot.by_category ? *slot.by_category : CategoryPrices{};
        if (rule)
            take_categories(categories, *rule, rule->slot_at(slot.time));
        prices.add(dated_price(slot, rule), categories, own_pricing_of(slot, rule), slot.start_date, slot.start_date);
    }
    return std::move(prices).ways();
}

std::shared_ptr<const PriceList> price_list(std::vector<DatedPrice> prices) {
    std::sort(prices.begin(), prices.end(), before);
    return std::make_shared<const PriceList>(std::move(prices));
}

std::shared_ptr<const PriceList> replaced(const PriceList& list, const std::vector<DatedPrice>& before_it,
                                          const std::vector<DatedPrice>& after) {
    auto next = std::make_shared<PriceList>(list.fork());
    const auto below = [](const DatedPrice& place) {
        return [&place](const DatedPrice& each) { return before(each, place); };
    };
    for (const DatedPrice& each : before_it)
        next->erase(below(each));
    for (const DatedPrice& each : after)
        next->insert(below(each), each);
    return next;
}

}  // namespace svc::availability
