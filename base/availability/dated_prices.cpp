// Gathers the prices that departures and rules name.
#include "base/availability/dated_prices.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "base/availability/offer.hpp"

namespace svc::availability {
namespace {

auto key_of(const DatedPrice& each) {
    return std::tuple(each.trip_id, each.of_category, each.price.currency().code(), each.price.minor());
}

bool before(const DatedPrice& a, const DatedPrice& b) { return key_of(a) < key_of(b); }

class Gathered {
  public:
    explicit Gathered(std::int64_t trip_id) : trip_id_(trip_id) {}
    void add(Money price, bool of_category, Date last) {
        for (DatedPrice& each : prices_)
            if (each.price == price && each.of_category == of_category) {
                each.last = std::max(each.last, last);
                return;
            }
        prices_.push_back({trip_id_, price, of_category, last});
    }
    void add(const std::optional<PricePair>& pair, const CategoryPrices& categories, Date last) {
        if (pair)
            add(pair->effective(), false, last);
        for (const CategoryPrice& each : categories)
            add(PricePair{each.regular, each.lowered}.effective(), true, last);
    }
    [[nodiscard]] std::vector<DatedPrice> sorted() && {
        std::sort(prices_.begin(), prices_.end(), before);
        return std::move(prices_);
    }

  private:
    std::int64_t trip_id_;
    std::vector<DatedPrice> prices_;
};

}  // namespace

std::vector<DatedPrice> dated_prices(std::int64_t trip_id, const std::vector<Slot>& slots,
                                     std::span<const Rule> rules) {
    Gathered prices(trip_id);
    for (const Rule& rule : rules) {
        if (!rule.active())
            continue;
        const Date last = rule.end_date.value_or(Date::from_days(std::numeric_limits<std::int32_t>::max()));
        prices.add(rule.price, rule.by_category, last);
        for (const RuleSlot& slot : rule.slots)
            prices.add(slot.price, slot.by_category, last);
        for (const RuleWeekday& each : rule.overrides)
            prices.add(each.price, {}, last);
    }
    static const CategoryPrices none;
    for (const Slot& slot : slots)
        if (!slot.deleted && slot.on_sale())
            prices.add(dated_price(slot, rule_of(rules, slot.rule_id)), slot.by_category ? *slot.by_category : none,
                       slot.start_date);
    return std::move(prices).sorted();
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
