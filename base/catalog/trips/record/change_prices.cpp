// The rules of a trip's prices and deposits.
#include "base/catalog/trips/record/faults.hpp"
#include "shared/core/exact_money.hpp"

namespace svc::catalog::trips {
namespace {

PriceType price_type_of(const PriceTypeChange& sent, Currency currency, const std::string& path, Faults& faults) {
    std::optional<Money> regular;
    take_money(regular, sent.regular_price, currency, path + "regular_price", faults);
    PriceType type{.category_id = sent.category_id,
                   .regular = regular.value_or(Money::zero(currency)),
                   .discounted = {},
                   .sale = {},
                   .is_default = sent.is_default,
                   .min_quantity = sent.min_quantity,
                   .max_quantity = sent.max_quantity,
                   .valid_from = sent.valid_from,
                   .valid_to = sent.valid_to,
                   .category = {}};
    take_money(type.discounted, sent.discounted_price, currency, path + "discounted_price", faults);
    take_money(type.sale, sent.sale_price, currency, path + "sale_price", faults);
    below(type.discounted, type.regular, path + "discounted_price", faults);
    below(type.sale, type.regular, path + "sale_price", faults);
    if (type.min_quantity && type.max_quantity && *type.max_quantity < *type.min_quantity)
        faults.at(path + "max_quantity", "This must not be below min_quantity."_sentence);
    if (type.valid_from && type.valid_to && *type.valid_to < *type.valid_from)
        faults.at(path + "valid_to", "This must not be before valid_from."_sentence);
    return type;
}

void take_price_types(Trip& trip, const TripChange& change, Faults& faults) {
    if (!change.price_types)
        return;
    const std::vector<PriceType> before = std::exchange(trip.price_types, {});
    bool has_default = false;
    std::size_t number = 0;
    for (const PriceTypeChange& sent : *change.price_types) {
        const std::string path = "price_types." + std::to_string(++number) + ".";
        PriceType type = price_type_of(sent, trip.currency, path, faults);
        for (const PriceType& other : trip.price_types)
            if (other.category_id == type.category_id)
                faults.at(path + "category_id", "This category is listed twice."_sentence);
        for (const PriceType& known : before)
            if (known.category_id == type.category_id) {
                type.id = known.id;
                type.category = known.category;
            }
        if (type.is_default && has_default)
            faults.at(path + "is_default", "Choose only one default category."_sentence);
        has_default = has_default || type.is_default;
        trip.price_types.push_back(std::move(type));
    }
    if (!has_default && !trip.price_types.empty())
        trip.price_types.front().is_default = true;
}

void take_deposits(Trip& trip, const TripChange& change, Faults& faults) {
    take_money(trip.deposit_amount, change.deposit_amount, trip.currency, "deposit_amount", faults);
    if (!change.deposit_percentage)
        return;
    trip.deposit_percentage.reset();
    if (!*change.deposit_percentage)
        return;
    auto rate = Rate::parse_percent(**change.deposit_percentage);
    if (!rate || rate->ppm < 0 || rate->ppm > 1'000'000)
        faults.at("deposit_percentage", "Enter a percentage from 0 to 100."_sentence);
    else
        trip.deposit_percentage = *rate;
}

}  // namespace

void below(const std::optional<Money>& price, const Money& regular, const std::string& name, Faults& faults) {
    if (price && !price->is_zero() && *price >= regular)
        faults.at(name, "This must be lower than the regular price."_sentence);
}

void take_money(std::optional<Money>& field, const Sent<std::string>& sent, Currency currency, const std::string& name,
                Faults& faults) {
    if (!sent)
        return;
    field.reset();
    if (!*sent)
        return;
    auto amount = parse_exact(**sent, currency);
    if (!amount)
        faults.at(name, amount.error().message());
    else if (amount->is_negative())
        faults.at(name, "This must not be negative."_sentence);
    else
        field = *amount;
}

bool sends_prices(const TripChange& change) {
    return change.regular_price || change.discounted_price || change.sale_price || change.price_types ||
           change.deposit_amount || change.default_time_slots || change.seasons;
}

Result<Trip> in_currency(Trip trip, Currency currency, const TripChange& change) {
    Faults faults;
    const auto exact = [&](const Money& amount, const std::string& name) {
        const auto same = parse_exact(amount.decimal(), currency);
        if (!same)
            faults.at(name, same.error().message());
        return same ? *same : Money::zero(currency);
    };
    const auto move = [&](std::optional<Money>& amount, const std::string& name, bool is_replaced) {
        if (amount)
            amount = is_replaced ? std::nullopt : std::optional(exact(*amount, name));
    };
    trip.currency = currency;
    trip.revenue_total = Money::zero(currency);
    trip.regular_price = change.regular_price ? Money::zero(currency) : exact(trip.regular_price, "regular_price");
    move(trip.discounted_price, "discounted_price", change.discounted_price.has_value());
    move(trip.sale_price, "sale_price", change.sale_price.has_value());
    move(trip.deposit_amount, "deposit_amount", change.deposit_amount.has_value());
    std::size_t number = 0;
    for (PriceType& type : trip.price_types) {
        const std::string path = "price_types." + std::to_string(++number) + ".";
        const bool is_replaced = change.price_types.has_value();
        type.regular = is_replaced ? Money::zero(currency) : exact(type.regular, path + "regular_price");
        move(type.discounted, path + "discounted_price", is_replaced);
        move(type.sale, path + "sale_price", is_replaced);
    }
    number = 0;
    for (TimeSlot& slot : trip.time_slots)
        move(slot.price, "default_time_slots." + std::to_string(++number) + ".price",
             change.default_time_slots.has_value());
    number = 0;
    for (PricedSeason& season : trip.seasons) {
        const std::string path = "seasons." + std::to_string(++number) + ".";
        if (change.seasons) {
            season.price.reset();
            season.by_category.clear();
        }
        if (season.price) {
            season.price->regular = exact(season.price->regular, path + "regular_price");
            move(season.price->lowered, path + "sale_price", false);
        }
        std::size_t row = 0;
        for (CategoryPrice& price : season.by_category) {
            const std::string of_category = path + "price_types." + std::to_string(++row) + ".";
            price.regular = exact(price.regular, of_category + "regular_price");
            move(price.lowered, of_category + "sale_price", false);
        }
    }
    SVC_RETURN_IF_ERROR(faults.outcome());
    return trip;
}

void take_prices(Trip& trip, const TripChange& change, Faults& faults) {
    if (change.pricing_type)
        trip.traveler_based = *change.pricing_type == "traveler_based";
    std::optional<Money> regular = trip.regular_price;
    take_money(regular, change.regular_price, trip.currency, "regular_price", faults);
    trip.regular_price = regular.value_or(Money::zero(trip.currency));
    take_money(trip.discounted_price, change.discounted_price, trip.currency, "discounted_price", faults);
    take_money(trip.sale_price, change.sale_price, trip.currency, "sale_price", faults);
    below(trip.discounted_price, trip.regular_price, "discounted_price", faults);
    below(trip.sale_price, trip.regular_price, "sale_price", faults);
    take_price_types(trip, change, faults);
    take_deposits(trip, change, faults);
}

}  // namespace svc::catalog::trips
