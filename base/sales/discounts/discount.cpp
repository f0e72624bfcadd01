// Computes the amounts of discounts.
#include "base/sales/discounts/discount.hpp"

#include <algorithm>

namespace svc::discounts {
namespace {

std::int64_t people_of(const std::vector<Share>& party) {
    std::int64_t people = 0;
    for (const Share& share : party)
        people += share.people;
    return people;
}

}  // namespace

Money Cut::of(const Money& base) const {
    if (rate)
        return min(base.share(*rate), base);
    return flat ? min(*flat, base) : Money::zero(base.currency());
}

bool Discount::has_amounts() const {
    if (most || min_amount || cut.flat || group_cut.flat)
        return true;
    return std::any_of(ranges.begin(), ranges.end(), [](const Range& range) { return range.cut.flat.has_value(); });
}

bool Discount::is_for(std::int64_t trip_id, Currency of_trip) const {
    if (has_amounts() && of_trip != currency)
        return false;
    return for_all_trips || std::binary_search(trip_ids.begin(), trip_ids.end(), trip_id);
}

Money Discount::coupon_amount(const Money& rest) const {
    const Money amount = cut.of(rest);
    return most ? min(amount, *most) : amount;
}

std::optional<Cut> Discount::cut_for(std::int64_t people) const {
    for (const Range& range : ranges)
        if (range.holds(people))
            return range.cut;
    const bool in_band = people >= min_group_size.value_or(2) && (!max_group_size || people <= *max_group_size);
    return ranges.empty() && in_band && !group_cut.is_none() ? std::optional(group_cut) : std::nullopt;
}

const Range* Discount::range_for(const Share& share) const {
    const auto found = std::find_if(ranges.begin(), ranges.end(), [&](const Range& range) {
        return range.category_id.value_or(0) == share.category_id && range.holds(share.people);
    });
    return found == ranges.end() ? nullptr : &*found;
}

Money Discount::group_amount(const std::vector<Share>& party, const Money& subtotal) const {
    Money sum = Money::zero(subtotal.currency());
    if (!by_category) {
        const auto part = cut_for(people_of(party));
        return part ? part->of(subtotal) : sum;
    }
    for (const Share& share : party)
        if (const Range* range = range_for(share))
            sum += range->cut.of(share.amount);
    return min(sum, subtotal);
}

std::vector<std::int64_t> Discount::group_categories(const std::vector<Share>& party) const {
    std::vector<std::int64_t> categories;
    for (const Share& share : party)
        if (by_category && share.category_id > 0 && range_for(share))
            categories.push_back(share.category_id);
    return categories;
}

std::string Discount::group_label(const std::vector<Share>& party, const std::string& amount) const {
    const auto part = by_category ? std::nullopt : cut_for(people_of(party));
    return "Group Discount (" + (part && part->rate ? part->rate->percent() + "%" : amount) + ")";
}

const Discount* best_group(const std::vector<const Discount*>& candidates, const std::vector<Share>& party,
                           const Money& subtotal) {
    const Discount* best = nullptr;
    Money most = Money::zero(subtotal.currency());
    for (const Discount* each : candidates) {
        const Money amount = each->group_amount(party, subtotal);
        if (amount > most || (best && amount == most && each->id < best->id)) {
            best = each;
            most = amount;
        }
    }
    return best;
}

}  // namespace svc::discounts
