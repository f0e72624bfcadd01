// Hands the prices of dates to listeners as a table, and takes the changed ones.
#include "base/sales/availability/dates/prices.hpp"

#include <algorithm>

#include "base/sales/availability/dates/offer.hpp"
#include "base/sales/availability/record/hooks.hpp"
#include "shared/core/log.hpp"

namespace svc::availability {
namespace {

using catalog::trips::PriceType;
using catalog::trips::Trip;
using json::Value;

// A date's pair for a category of the trip; nothing where the date is not sold by it.
std::optional<PricePair> pair_of(const Bookable& date, const PriceType* type) {
    if (!type)
        return date.traveler_based ? std::nullopt : std::optional(date.price);
    if (!date.traveler_based || !type->offered_on(date.date))
        return std::nullopt;
    return price_for(*type, date.by_category);
}

// A price above the list price stands alone: nothing is struck out beside it.
PricePair with_price(const PricePair& before, const Money& now) {
    return now >= before.regular || now.is_zero() ? PricePair{now, std::nullopt} : PricePair{before.regular, now};
}

std::optional<Money> other_price(const Value& given, const PricePair& before) {
    const Money ours = before.effective();
    const auto read =
        given.is_number() ? Money::parse(given.number_text(), ours.currency()) : Result<Money>(errc::not_found);
    if (!read || *read == ours)
        return std::nullopt;
    return max(*read, Money::zero(ours.currency()));
}

void set_category(CategoryPrices& prices, std::int64_t category_id, const PricePair& pair) {
    const auto own = std::find_if(prices.begin(), prices.end(),
                                  [&](const CategoryPrice& each) { return each.category_id == category_id; });
    if (own == prices.end())
        prices.push_back({category_id, pair.regular, pair.lowered});
    else
        *own = {category_id, pair.regular, pair.lowered};
}

void take(const Trip& trip, Bookable& date, const std::vector<const PriceType*>& columns, const json::Array& row) {
    const Money before = date.price.effective();
    for (std::size_t i = 0; i < columns.size(); ++i) {
        const auto pair = pair_of(date, columns[i]);
        const auto price = pair ? other_price(row[i], *pair) : std::nullopt;
        if (!price)
            continue;
        if (columns[i])
            set_category(date.by_category, columns[i]->category_id, with_price(*pair, *price));
        else
            date.price = with_price(*pair, *price);
    }
    if (const PriceType* shown = date.traveler_based ? shown_type_on(trip, date.by_category, date.date) : nullptr)
        date.price = price_for(*shown, date.by_category);
    if (date.price.effective() != before && !date.before_listeners)
        date.before_listeners = before;
}

}  // namespace

void take_date_prices(const hooks::Hooks& hooks, const Trip& trip, std::span<Bookable> dates, int travelers) {
    if (dates.empty())
        return;
    std::vector<const PriceType*> columns{nullptr};
    for (const PriceType& type : trip.price_types)
        columns.push_back(&type);
    json::Array rows, regular, days, times, seats, capacities, categories;
    for (const PriceType* type : columns)
        categories.emplace_back(type ? type->category_id : 0);
    for (auto* list : {&rows, &regular, &days, &times, &seats, &capacities})
        list->reserve(dates.size());
    for (const Bookable& date : dates) {
        json::Array prices, listed;
        prices.reserve(columns.size());
        listed.reserve(columns.size());
        for (const PriceType* type : columns) {
            const auto pair = pair_of(date, type);
            prices.emplace_back(pair ? Value(pair->effective()) : Value());
            listed.emplace_back(pair ? Value(pair->regular) : Value());
        }
        rows.emplace_back(std::move(prices));
        regular.emplace_back(std::move(listed));
        days.emplace_back(date.date);
        times.emplace_back(date.time);
        seats.emplace_back(date.available());
        capacities.emplace_back(date.capacity);
    }
    Value context = Value::object({{"trip_id", trip.id},
                                   {"currency", trip.currency.code()},
                                   {"duration_days", trip.length()},
                                   {"travelers_count", travelers},
                                   {"categories", std::move(categories)},
                                   {"dates", std::move(days)},
                                   {"times", std::move(times)},
                                   {"available_capacity", std::move(seats)},
                                   {"max_capacity", std::move(capacities)},
                                   {"regular_prices", std::move(regular)}});
    const Value answer = hooks.apply(date_prices, Value(std::move(rows)), {trip.id, std::move(context)});
    if (!answer.is_array() || answer.size() != dates.size()) {
        log::warning("filter_ignored", {{"filter", date_prices.name}, {"why", "not a row for each date"}});
        return;
    }
    for (std::size_t i = 0; i < dates.size(); ++i)
        if (const Value& row = answer.items()[i]; row.is_array() && row.size() == columns.size())
            take(trip, dates[i], columns, row.items());
}

}  // namespace svc::availability
