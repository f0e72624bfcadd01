// The arithmetic of prices and their words.
#include "base/catalog/trips/record/price.hpp"

namespace svc::catalog::trips {

Money PricePair::effective() const {
    return lowered && !lowered->is_zero() && !lowered->is_negative() ? *lowered : regular;
}

int PricePair::discount_percent() const {
    const Money saved = regular - effective();
    if (regular.is_zero() || saved.is_zero() || saved.is_negative())
        return 0;
    return static_cast<int>(Money{100, regular.currency()}.share(saved.minor(), regular.minor()).minor());
}

PricePair PriceType::pair() const { return {regular, discounted && !discounted->is_zero() ? discounted : sale}; }

bool PriceType::offered_on(Date date) const {
    return (!valid_from || date >= *valid_from) && (!valid_to || date <= *valid_to);
}

std::string unit_label(const CategoryRules* category) {
    if (!category || !category->per_group)
        return default_text("per person");
    if (!category->max_pax)
        return default_text("per group");
    return "per group (" + std::to_string(category->min_pax.value_or(1)) + "-" + std::to_string(*category->max_pax) +
           " pax)";
}

}  // namespace svc::catalog::trips
