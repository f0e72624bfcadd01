// Rules that need the trip alone.
#include "base/catalog/trips/record/trip.hpp"

#include <algorithm>
#include <iterator>

namespace svc::catalog::trips {
namespace {

constexpr std::array<std::string_view, 8> status_names{"draft",   "review",   "approved",  "publish",
                                                       "private", "archived", "suspended", "trash"};

constexpr std::array<std::string_view, 2> type_names{"single_day", "multi_day"};

}  // namespace

std::span<const std::string_view> trip_status_names() { return status_names; }
std::span<const std::string_view> trip_type_names() { return type_names; }

std::string_view name_of(TripStatus status) { return status_names.at(static_cast<std::size_t>(status)); }

std::optional<TripStatus> trip_status(std::string_view name) {
    const auto* found = std::find(status_names.begin(), status_names.end(), name);
    if (found == status_names.end())
        return std::nullopt;
    return static_cast<TripStatus>(found - status_names.begin());
}

std::string_view name_of(TripType type) { return type_names.at(static_cast<std::size_t>(type)); }

const PriceType* Trip::shown_price_type() const {
    if (!traveler_based)
        return nullptr;
    const PriceType* cheapest = nullptr;
    for (const PriceType& each : price_types) {
        const Money price = each.pair().effective();
        if (price.is_zero())
            continue;
        if (each.is_default)
            return &each;
        if (!cheapest || price < cheapest->pair().effective())
            cheapest = &each;
    }
    return cheapest;
}

const PricedSeason* Trip::season_on(Date date) const {
    const auto after = std::upper_bound(seasons.begin(), seasons.end(), date,
                                        [](Date day, const PricedSeason& each) { return day < each.first; });
    return after == seasons.begin() || std::prev(after)->last < date ? nullptr : &*std::prev(after);
}

PricePair price_of(const Trip& trip) {
    if (trip.traveler_based) {
        const PriceType* shown = trip.shown_price_type();
        return shown ? shown->pair() : PricePair{Money::zero(trip.currency), {}};
    }
    return regular_price_of(trip);
}

PricePair regular_price_of(const Trip& trip) {
    const bool discounted = trip.discounted_price && !trip.discounted_price->is_zero();
    return {trip.regular_price, discounted ? trip.discounted_price : trip.sale_price};
}

}  // namespace svc::catalog::trips
