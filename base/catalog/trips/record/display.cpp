// Chooses the price that is shown and its words.
#include "base/catalog/trips/record/display.hpp"

#include "base/catalog/trips/record/hooks.hpp"
#include "shared/api/named.hpp"
#include "shared/api/sometimes_sent.hpp"

namespace svc::catalog::trips {
namespace {

using json::Value;

// A traveler category with its displayed price.
struct ShownType {
    const PriceType* type;
    Money price;
};

std::vector<ShownType> types_of(const Trip& trip) {
    std::vector<ShownType> types;
    for (const PriceType& each : trip.price_types)
        types.push_back({&each, each.pair().effective()});
    return types;
}

// Uses a listener's amount; ignores a value that is no amount of the currency.
void take_amount(Money& amount, const Value& answer) {
    if (!answer.is_number())
        return;
    const auto read = Money::parse(answer.number_text(), amount.currency());
    if (read)
        amount = read->is_negative() ? Money::zero(amount.currency()) : *read;
}

// The categories that a listener returned, with its prices; ignores categories that the trip does not have.
std::vector<ShownType> types_after_hooks(const Trip& trip, const Value& answer) {
    std::vector<ShownType> types;
    for (const Value& item : answer.items())
        for (const PriceType& each : trip.price_types) {
            if (!item.is_object() || item.maybe_integer("category_id") != each.category_id)
                continue;
            Money price = each.pair().effective();
            take_amount(price, item["effective_price"]);
            types.push_back({&each, price});
        }
    return types;
}

// As Trip::shown_price_type: the default, else the cheapest that costs anything.
const ShownType* first_of(const std::vector<ShownType>& types) {
    const ShownType* cheapest = nullptr;
    for (const ShownType& each : types) {
        if (each.price.is_zero())
            continue;
        if (each.type->is_default)
            return &each;
        if (!cheapest || each.price < cheapest->price)
            cheapest = &each;
    }
    return cheapest;
}

void take_percent(int& percent, const Value& answer) {
    const auto read = api::integer(0, 100).check(answer, "percent");
    if (answer.is_null())
        percent = 0;
    else if (read)
        percent = static_cast<int>(read->integer());
}

void take_display(Display& display, const Value& answer) {
    take_amount(display.price, answer["display_price"]);
    take_amount(display.regular, answer["display_regular_price"]);
    take_percent(display.discount_percent, answer["discount_percent"]);
    display.unit = answer.text_or("price_unit", display.unit);
    display.unit_label = answer.text_or("price_unit_label", display.unit_label);
    display.prefix = answer.text_or("price_prefix", display.prefix);
    for (const auto& [name, amount] :
         {std::pair("traveler_min_price", &display.least), std::pair("traveler_max_price", &display.most)}) {
        Money read = amount->value_or(Money::zero(display.price.currency()));
        take_amount(read, answer[name]);
        *amount = answer[name].is_number() ? std::optional(read) : std::nullopt;
    }
}

// The cheapest and the dearest of the categories that cost something.
void take_range(Display& display, const std::vector<ShownType>& types) {
    for (const ShownType& each : types) {
        if (each.price.is_zero())
            continue;
        display.least = display.least ? min(*display.least, each.price) : each.price;
        display.most = display.most ? max(*display.most, each.price) : each.price;
    }
    display.prefix = display.least != display.most ? "From" : "";
}

}  // namespace

Display display_of(const Trip& trip, const hooks::Hooks& hooks, const Asks& asks) {
    const auto has_listener = [&](const hooks::Filter& filter) { return !asks || asks(filter.name); };
    bool by_category = trip.traveler_based;
    Value listener_type, listener_types;
    if (has_listener(resolve_pricing_type)) {
        listener_type = hooks.apply(resolve_pricing_type, by_category ? "traveler_based" : "regular", {trip.id});
        by_category = listener_type.text() == "traveler_based" || (by_category && listener_type.text() != "regular");
        listener_type = by_category ? "traveler_based" : "regular";
    }
    std::vector<ShownType> types = by_category ? types_of(trip) : std::vector<ShownType>{};
    if (has_listener(resolve_price_types)) {
        listener_types = Value::array();
        for (const PriceType& each : trip.price_types)
            listener_types.push(to_json(each));
        listener_types = hooks.apply(resolve_price_types, std::move(listener_types), {trip.id});
        if (by_category)
            types = types_after_hooks(trip, listener_types);
    }
    const ShownType* shown = first_of(types);
    const PriceType* type = shown ? shown->type : nullptr;
    const Money none = Money::zero(trip.currency);
    PricePair pair = type          ? PricePair{type->regular, shown->price}
                     : by_category ? PricePair{none, {}}
                                   : regular_price_of(trip);
    Display display{.price = pair.effective(),
                    .regular = pair.regular,
                    .unit = type && type->category.per_group ? "per_group" : "per_person",
                    .unit_label = unit_label(type ? &type->category : nullptr),
                    .prefix = {},
                    .least = {},
                    .most = {},
                    .pricing_type = std::move(listener_type),
                    .price_types = std::move(listener_types)};
    if (has_listener(resolve_effective_price))
        take_amount(display.price, hooks.apply(resolve_effective_price, display.price, {trip.id}));
    display.discount_percent = PricePair{display.regular, display.price}.discount_percent();
    take_range(display, types);
    if (has_listener(resolve_discount_info)) {
        const Value answer = hooks.apply(resolve_discount_info,
                                         Value::object({{"regular_price", display.regular},
                                                        {"effective_price", display.price},
                                                        {"discount_percent", display.discount_percent}}),
                                         {trip.id});
        take_amount(display.regular, answer["regular_price"]);
        take_percent(display.discount_percent, answer["discount_percent"]);
    }
    take_amount(display.price, hooks.apply(trip_display_price, display.price, {trip.id}));
    display.unit_label =
        hooks.apply(price_unit_label, display.unit_label, {display.unit, type ? to_json(*type) : Value()}).text();
    if (has_listener(resolve_display_pricing))
        take_display(display, hooks.apply(resolve_display_pricing, to_json(display), {trip.id}));
    return display;
}

Display card_of(const Trip& trip, Display display, const hooks::Hooks& hooks, const Asks& asks) {
    if (!asks || asks(resolve_card_pricing.name))
        take_display(display, hooks.apply(resolve_card_pricing, to_json(display), {trip.id}));
    return display;
}

Value to_json(const Display& display) {
    return Value::object(
        {{"display_price", display.price},
         {"display_regular_price", display.regular},
         {"price_prefix", display.prefix},
         {"discount_percent", display.discount_percent > 0 ? Value(display.discount_percent) : Value()},
         {"price_unit", display.unit},
         {"price_unit_label", display.unit_label},
         {"traveler_min_price", display.least},
         {"traveler_max_price", display.most}});
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
    using api::text;
    return object("PriceType",
                  {
                      {.name = "id", .type = id(), .required = true},
                      {.name = "category_id", .type = id(), .required = true},
                      {.name = "category_label", .type = text(255)},
                      {.name = "category_slug", .type = text(220)},
                      {.name = "regular_price", .type = money(), .help = "The list price."},
                      {.name = "original_price", .type = money(), .help = "Same as regular_price."},
                      {.name = "discounted_price", .type = money().or_null()},
                      {.name = "sale_price", .type = money().or_null()},
                      {.name = "effective_price", .type = money(), .help = "The price paid."},
                      sometimes_sent({.name = "price_prefix",
                                      .type = text(20),
                                      .help = "From: effective_price is that of the cheapest date."}),
                      {.name = "is_default", .type = boolean()},
                      {.name = "min_quantity", .type = integer(0).or_null(), .help = "Minimum number per booking."},
                      {.name = "max_quantity", .type = integer(0).or_null()},
                      {.name = "valid_from", .type = date().or_null(), .help = "First travel date with this price."},
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
