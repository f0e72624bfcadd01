// Chooses the price that is shown and its words.
#include "base/catalog/trips/display.hpp"

#include "base/catalog/trips/hooks.hpp"

namespace svc::catalog::trips {

Display display_of(const Trip& trip, const hooks::Hooks& hooks) {
    const PriceType* type = trip.shown_price_type();
    const PricePair pair = price_of(trip);
    Display display{.price = pair.effective(),
                    .regular = pair.regular,
                    .discount_percent = pair.discount_percent(),
                    .unit = type && type->category.per_group ? "per_group" : "per_person",
                    .unit_label = unit_label(type ? &type->category : nullptr),
                    .from = false,
                    .least = {},
                    .most = {}};
    for (const PriceType& each : trip.price_types) {
        const Money price = each.pair().effective();
        if (!trip.traveler_based || price.is_zero())
            continue;
        display.least = display.least ? min(*display.least, price) : price;
        display.most = display.most ? max(*display.most, price) : price;
    }
    display.from = display.least != display.most;
    const auto shown = hooks.apply(trip_display_price, display.price, {trip.id});
    if (auto price = Money::parse(shown.number_text(), trip.currency); price)
        display.price = price->is_negative() ? Money::zero(trip.currency) : *price;
    display.unit_label =
        hooks.apply(price_unit_label, display.unit_label, {display.unit, type ? to_json(*type) : json::Value()}).text();
    return display;
}

json::Value to_json(const PriceType& type) {
    return json::Value::object({{"id", type.id},
                                {"category_id", type.category_id},
                                {"category_label", type.category.label},
                                {"category_slug", type.category.slug},
                                {"regular_price", type.regular},
                                {"original_price", type.regular},
                                {"discounted_price", type.discounted},
                                {"sale_price", type.sale},
                                {"effective_price", type.pair().effective()},
                                {"is_default", type.is_default},
                                {"min_quantity", type.min_quantity},
                                {"max_quantity", type.max_quantity},
                                {"valid_from", type.valid_from},
                                {"valid_to", type.valid_to},
                                {"pricing_mode", type.category.per_group ? "per_group" : "per_person"},
                                {"min_pax", type.category.min_pax},
                                {"max_pax", type.category.max_pax},
                                {"group_overflow", type.category.per_block ? "per_block" : "block"},
                                {"age_min", type.category.age_min},
                                {"age_max", type.category.age_max}});
}

api::Type price_type_answer() {
    using namespace api;
    return object({
        {.name = "id", .type = id(), .required = true},
        {.name = "category_id", .type = id(), .required = true},
        {.name = "category_label", .type = text(255)},
        {.name = "category_slug", .type = text(220)},
        {.name = "regular_price", .type = money(), .says = "The list price."},
        {.name = "original_price", .type = money(), .says = "The same."},
        {.name = "discounted_price", .type = money().or_null()},
        {.name = "sale_price", .type = money().or_null()},
        {.name = "effective_price", .type = money(), .says = "What is paid."},
        {.name = "is_default", .type = boolean()},
        {.name = "min_quantity", .type = integer(0).or_null(), .says = "Fewest of them in a booking."},
        {.name = "max_quantity", .type = integer(0).or_null()},
        {.name = "valid_from", .type = date().or_null(), .says = "First travel date it is offered for."},
        {.name = "valid_to", .type = date().or_null()},
        {.name = "pricing_mode", .type = choice({"per_person", "per_group"})},
        {.name = "min_pax", .type = integer(1).or_null()},
        {.name = "max_pax", .type = integer(1).or_null()},
        {.name = "group_overflow", .type = choice({"block", "per_block"})},
        {.name = "age_min", .type = integer(0).or_null()},
        {.name = "age_max", .type = integer(0).or_null()},
    });
}

}  // namespace svc::catalog::trips
