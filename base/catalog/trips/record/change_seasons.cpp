// The rules of a trip's seasons.
#include <algorithm>

#include "base/catalog/trips/record/faults.hpp"

namespace svc::catalog::trips {
namespace {

// A reduced price stands beside a list price alone.
std::optional<PricePair> pair_of(const std::optional<std::string>& regular, const std::optional<std::string>& sale,
                                 Currency currency, const std::string& path, Faults& faults) {
    std::optional<Money> listed, lowered;
    take_money(listed, Sent<std::string>(regular), currency, path + "regular_price", faults);
    take_money(lowered, Sent<std::string>(sale), currency, path + "sale_price", faults);
    if (!regular && sale)
        faults.at(path + "regular_price", "This field is required."_sentence);
    if (!listed)
        return std::nullopt;
    below(lowered, *listed, path + "sale_price", faults);
    return PricePair{*listed, lowered};
}

CategoryPrices prices_of(const Trip& trip, const SeasonChange& sent, const std::string& of_season, Faults& faults) {
    CategoryPrices prices;
    std::size_t number = 0;
    for (const CategoryPriceChange& each : sent.price_types) {
        const std::string path = of_season + "price_types." + std::to_string(++number) + ".";
        const auto is_same = [&](const auto& other) { return other.category_id == each.category_id; };
        if (std::none_of(trip.price_types.begin(), trip.price_types.end(), is_same))
            faults.at(path + "category_id", "This trip does not have this traveler category."_sentence);
        if (std::any_of(prices.begin(), prices.end(), is_same))
            faults.at(path + "category_id", "This category is listed twice."_sentence);
        if (!each.regular_price && !each.sale_price)
            faults.at(path + "regular_price", "This field is required."_sentence);
        if (const auto pair = pair_of(each.regular_price, each.sale_price, trip.currency, path, faults))
            prices.push_back({each.category_id, pair->regular, pair->lowered});
    }
    std::sort(prices.begin(), prices.end(),
              [](const CategoryPrice& a, const CategoryPrice& b) { return a.category_id < b.category_id; });
    return prices;
}

// Reported at the one that was sent later.
void check_overlaps(const std::vector<SeasonChange>& sent, Faults& faults) {
    for (std::size_t i = 0; i < sent.size(); ++i)
        for (std::size_t before = 0; before < i; ++before)
            if (sent[i].first <= sent[before].last && sent[before].first <= sent[i].last) {
                faults.at("seasons." + std::to_string(i + 1) + ".from",
                          "These dates overlap those of another season."_sentence, errc::conflict);
                break;
            }
}

}  // namespace

void take_seasons(Trip& trip, const TripChange& change, Faults& faults) {
    if (!change.seasons) {
        if (change.price_types)  // prices of categories that the trip has no longer
            for (PricedSeason& season : trip.seasons)
                std::erase_if(season.by_category, [&](const CategoryPrice& price) {
                    return std::none_of(trip.price_types.begin(), trip.price_types.end(),
                                        [&](const PriceType& type) { return type.category_id == price.category_id; });
                });
        return;
    }
    trip.seasons.clear();
    bool in_order = true;
    std::size_t number = 0;
    for (const SeasonChange& sent : *change.seasons) {
        const std::string path = "seasons." + std::to_string(++number) + ".";
        if (sent.last < sent.first) {
            faults.at(path + "from", "This must not be after the last day."_sentence);
            in_order = false;
        }
        trip.seasons.push_back({.first = sent.first,
                                .last = sent.last,
                                .price = pair_of(sent.regular_price, sent.sale_price, trip.currency, path, faults),
                                .by_category = prices_of(trip, sent, path, faults),
                                .seats = sent.seats,
                                .note = sent.note});
    }
    if (in_order)
        check_overlaps(*change.seasons, faults);
    std::sort(trip.seasons.begin(), trip.seasons.end(),
              [](const PricedSeason& a, const PricedSeason& b) { return a.first < b.first; });
}

}  // namespace svc::catalog::trips
