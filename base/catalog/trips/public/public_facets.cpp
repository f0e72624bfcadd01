// Counts published trips by facet.
#include <algorithm>
#include <array>
#include <map>

#include "base/catalog/trips/public/public_filter.hpp"

namespace svc::catalog::trips {
namespace {

// The number of trips per value.
struct Counted {
    std::map<std::string, std::int64_t> values;
    const TripFact *least = nullptr, *most = nullptr;

    void add(const TripFact& fact) {
        if (fact.kind == FactKind::value) {
            ++values[fact.text];
            return;
        }
        if (!least || fact.amount < least->amount)
            least = &fact;
        if (!most || fact.amount > most->amount)
            most = &fact;
    }
};

json::Value said_facets(const std::map<std::int64_t, Counted>& counted) {
    auto facets = json::Value::array();
    for (const auto& [about, each] : counted) {
        auto facet = json::Value::object({{"id", about}});
        if (each.least)
            facet.set("min", each.least->text).set("max", each.most->text);
        auto values = json::Value::array();
        for (const auto& [value, count] : each.values)
            values.push(json::Value::object({{"value", value}, {"count", count}}));
        facet.set("values", std::move(values));
        facets.push(std::move(facet));
    }
    return facets;
}

struct PriceRange {
    Money least, most;
};

PriceRange range_of(const FactRow& row, Date today) {
    PriceRange range{{row.least, row.currency}, {row.most, row.currency}};
    if (!row.seasons || row.shown->from)  // which are the prices of its dates
        return range;
    const Trip& trip = row.shown->trip;
    const auto add = [&](const PricePair& pair) {
        const Money price = pair.effective();
        if (!price.is_zero())
            range = {min(range.least, price), max(range.most, price)};
    };
    for (const PricedSeason& season : trip.seasons) {
        if (season.last < today)
            continue;
        if (trip.traveler_based)
            for (const CategoryPrice& each : season.by_category)
                add({each.regular, each.lowered});
        else if (season.price)
            add(*season.price);
    }
    return range;
}

}  // namespace

json::Value facets_of(const SlotSet& slots, const FactRows& rows, const ClassNames& names, Date today) {
    std::vector<std::int64_t> classes(rows.numbers().size());
    std::array<std::int64_t, 2> types{};
    std::array<std::int64_t, 6> rated{};  // trips by the whole stars of their average; of those without a review: 0
    std::vector<PriceRange> ranges;
    std::map<std::int64_t, Counted> counts;
    slots.each([&](std::size_t slot) {
        const FactRow& row = rows[slot];
        if (row.help)
            for (const TripFact& fact : row.shown->facts.of_parts)
                if (fact.kind != FactKind::words)
                    counts[fact.about].add(fact);
        for (const std::uint32_t each : rows.classes_of(slot))
            ++classes[each];
        ++types[row.type == TripType::single_day ? 0 : 1];
        ++rated[static_cast<std::size_t>(std::clamp<std::int64_t>(row.rating / 100, 0, 5))];
        const PriceRange own = range_of(row, today);
        const auto range = std::find_if(ranges.begin(), ranges.end(),
                                        [&](const PriceRange& each) { return each.least.currency() == row.currency; });
        if (range == ranges.end())
            ranges.push_back(own);
        else
            *range = {std::min(range->least, own.least), std::max(range->most, own.most)};
    });
    std::array<json::Value, kind_names.size()> lists;
    lists.fill(json::Value::array());
    for (const auto& [key, number] : rows.numbers())
        if (const std::int64_t count = classes[number]; count > 0) {
            const ClassName& name = names.at(key);
            lists[static_cast<std::size_t>(key.kind)].push(
                json::Value::object({{"id", key.id}, {"name", name.name}, {"slug", name.slug}, {"count", count}}));
        }
    auto facets = json::Value::object();
    for (std::size_t kind = 0; kind < kind_names.size(); ++kind)
        facets.set(std::string(kind_names[kind]), std::move(lists[kind]));
    auto by_type = json::Value::array(), prices = json::Value::array();
    for (const TripType each : {TripType::multi_day, TripType::single_day})  // by their names
        if (const std::int64_t count = types[each == TripType::single_day ? 0 : 1]; count > 0)
            by_type.push(json::Value::object({{"trip_type", name_of(each)}, {"count", count}}));
    std::sort(ranges.begin(), ranges.end(), [](const PriceRange& a, const PriceRange& b) {
        return a.least.currency().code() < b.least.currency().code();
    });
    for (const PriceRange& each : ranges)
        prices.push(
            json::Value::object({{"currency", each.least.currency().code()}, {"min", each.least}, {"max", each.most}}));
    auto by_rating = json::Value::array();
    std::int64_t at_least = 0;
    for (std::size_t stars = rated.size() - 1; stars > 0; --stars)
        if (at_least += rated[stars]; at_least > 0)
            by_rating.push(
                json::Value::object({{"min_rating", static_cast<std::int64_t>(stars)}, {"count", at_least}}));
    facets.set("trip_type", std::move(by_type));
    facets.set("rating", std::move(by_rating));
    facets.set("price", std::move(prices));
    facets.set("attributes", said_facets(counts));
    return facets;
}

}  // namespace svc::catalog::trips
