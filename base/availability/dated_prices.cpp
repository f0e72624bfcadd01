// Gathers the prices that departures and rules name.
#include "base/availability/dated_prices.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "base/availability/offer.hpp"

namespace svc::availability {
namespace {

using catalog::trips::Counts;

auto key_of(const DatedPrice& each) {
    return std::tuple(each.trip_id, each.of_category, each.counts, each.price.currency().code(), each.price.minor());
}

bool before(const DatedPrice& a, const DatedPrice& b) { return key_of(a) < key_of(b); }

class Gathered {
  public:
    explicit Gathered(std::int64_t trip_id) : trip_id_(trip_id) {}
    // `told`: how the dates say they are priced.
    void add(const std::optional<PricePair>& pair, const CategoryPrices& categories, const std::optional<bool>& told,
             Date last) {
        const Counts counts = told ? Counts::always : Counts::as_trip;
        if (pair && !told.value_or(false))
            add({trip_id_, pair->effective(), false, counts, last});
        if (told.value_or(true))
            for (const CategoryPrice& each : categories)
                add({trip_id_, PricePair{each.regular, each.lowered}.effective(), true, counts, last});
        if (told && (*told || !pair))
            add({trip_id_, Money::zero(Currency::usd()), *told, Counts::of_trip, last});
    }
    [[nodiscard]] std::vector<DatedPrice> sorted() && {
        std::sort(prices_.begin(), prices_.end(), before);
        return std::move(prices_);
    }

  private:
    void add(const DatedPrice& price) {
        for (DatedPrice& each : prices_)
            if (each.price == price.price && each.of_category == price.of_category && each.counts == price.counts) {
                each.last = std::max(each.last, price.last);
                return;
            }
        prices_.push_back(price);
    }

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
        prices.add(rule.price, rule.by_category, rule.traveler_based, last);
        for (const RuleSlot& slot : rule.slots)
            prices.add(slot.price, slot.by_category, rule.traveler_based, last);
        for (const RuleWeekday& each : rule.overrides)
            prices.add(each.price, {}, rule.traveler_based, last);
    }
    static const CategoryPrices none;
    for (const Slot& slot : slots) {
        if (slot.deleted || !slot.on_sale())
            continue;
        const Rule* rule = rule_of(rules, slot.rule_id);
        prices.add(dated_price(slot, rule), slot.by_category ? *slot.by_category : none, pricing_told(slot, rule),
                   slot.start_date);
    }
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
