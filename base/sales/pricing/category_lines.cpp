// Prices the people of a booking by their categories.
#include "base/sales/pricing/category_lines.hpp"

#include <algorithm>

#include "base/sales/pricing/party.hpp"

namespace svc::pricing {
namespace {

using catalog::trips::PriceType;

// The date's own price, else the trip's.
catalog::trips::PricePair price_of(const PriceType& type, const Request& request) {
    for (const availability::CategoryPrice& own : request.by_category)
        if (own.category_id == type.category_id)
            return {own.regular, own.lowered};
    return type.pair();
}

// How often the price is paid.
std::int64_t units_of(const PriceType& type, std::int64_t count) {
    if (!type.category.per_group)
        return count;
    const auto& most = type.category.max_pax;
    return most && type.category.per_block ? (count + *most - 1) / *most : 1;
}

}  // namespace

Result<std::vector<Line>> category_lines(const catalog::trips::Trip& trip, const Request& request,
                                         const UnitPrice& unit_price) {
    if (request.traveler_counts.empty())
        return invalid(
            "traveler_counts",
            "This trip is priced by traveler category. Enter the number of travelers of each category."_sentence);
    for (const auto& [id, count] : request.traveler_counts) {
        const auto found =
            std::find_if(trip.price_types.begin(), trip.price_types.end(),
                         [category = id](const PriceType& type) { return type.category_id == category; });
        if (count > 0 && (found == trip.price_types.end() || !found->offered_on(request.travel_date)))
            return invalid("traveler_counts." + std::to_string(id),
                           "This category is not available on this date."_sentence);
    }
    std::vector<Line> lines;
    for (const PriceType& type : trip.price_types) {
        const auto counted = request.traveler_counts.find(type.category_id);
        const std::int64_t count = counted == request.traveler_counts.end() ? 0 : counted->second;
        if (!type.offered_on(request.travel_date) || (count == 0 && type.min_quantity.value_or(0) == 0))
            continue;
        SVC_RETURN_IF_ERROR(number_fits(type, count));
        const auto listed = price_of(type, request);
        const Money unit = unit_price(listed, type.category_id);
        const std::int64_t units = units_of(type, count);
        lines.push_back({.kind = "traveler",
                         .label = type.category.label,
                         .quantity = units,
                         .unit_price = unit,
                         .amount = unit.times(units),
                         .category_id = type.category_id,
                         .people = count,
                         .per_group = type.category.per_group,
                         .regular = listed.regular});
    }
    if (lines.empty())
        return invalid("traveler_counts", "Enter at least one traveler."_sentence);
    return lines;
}

}  // namespace svc::pricing
