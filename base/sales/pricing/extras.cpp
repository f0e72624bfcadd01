// Services come from listeners, charges from the trip; incomplete ones are dropped, so that lines keep adding up.
#include "base/sales/pricing/extras.hpp"

#include "base/sales/pricing/hooks.hpp"
#include "base/sales/pricing/travelers.hpp"
#include "shared/core/exact_money.hpp"
#include "shared/core/log.hpp"

namespace svc::pricing {
namespace {

using json::Value;

// A price per person or day is paid so many times: the line says "3 × 12.00", not "1 × 36.00".
void count_units(Line& line, const Value& service) {
    const std::int64_t units = whole(service, "units").value_or(1);
    if (units <= 1 || !service["price"].is_number() || service.text_or("price_type") == "percentage")
        return;
    const Money each = taken_back(service["price"], line.amount);
    if (each.times(units) != line.unit_price)
        return;
    line.quantity *= units;
    line.unit_price = each;
}

Value charges_of(const catalog::trips::Trip& trip, std::int64_t travelers) {
    Value charges = Value::array();
    for (const catalog::trips::Charge& charge : trip.charges)
        charges.push(Value::object({{"id", charge.entry_id},
                                    {"name", charge.title},
                                    {"price", charge.cost},
                                    {"price_per", charge.per_person ? "person" : "booking"},
                                    {"quantity", charge.per_person ? travelers : 1},
                                    {"total_cost", charge.cost.times(charge.per_person ? travelers : 1)},
                                    {"day_number", charge.day_number}}));
    return charges;
}

// Staff's charges; a total may be sent instead of a unit price.
Result<Value> charges_by_hand(const Value& charges_sent, std::int64_t travelers, Currency currency) {
    Value charges = Value::array();
    for (std::size_t i = 0; i < charges_sent.size(); ++i) {
        const Value& charge = charges_sent[i];
        const std::string place = "itinerary_costs." + std::to_string(i + 1) + ".";
        const bool per_person = charge.text_or("price_per", "booking") == "person";
        const std::string sent = charge["total_cost"].is_number() ? "total_cost" : "price";
        if (!charge[sent].is_number())
            return missing(place + "price");
        const auto amount = parse_exact(charge[sent].number_text(), currency);
        if (!amount)
            return invalid(place + sent, amount.error().message());
        const std::int64_t quantity = per_person ? travelers : 1;
        const Money whole = sent == "price" ? amount->times(quantity) : *amount;
        const auto each = charge["price"].is_number() ? parse_exact(charge["price"].number_text(), currency)
                                                      : Result<Money>(whole.share(1, quantity));
        if (!each)
            return invalid(place + "price", each.error().message());
        charges.push(Value::object({{"id", charge.maybe_integer("id")},
                                    {"name", charge.text_or("name")},
                                    {"price", *each},
                                    {"price_per", per_person ? "person" : "booking"},
                                    {"quantity", quantity},
                                    {"total_cost", whole},
                                    {"day_number", charge.maybe_integer("day_number")}}));
    }
    return charges;
}

void add_charges(Extras& extras, Value charges) {
    extras.itinerary_shown = std::move(charges);
    const Money nothing = extras.itinerary;
    for (const Value& charge : extras.itinerary_shown.items()) {
        if (!charge.is_object() || !charge["total_cost"].is_number())
            continue;
        Line line{.kind = "itinerary",
                  .label = words(charge, "name").value_or(""),
                  .quantity = whole(charge, "quantity").value_or(1),
                  .unit_price = nothing,
                  .amount = taken_back(charge["total_cost"], nothing)};
        line.unit_price = charge["price"].is_number() ? taken_back(charge["price"], line.amount) : line.amount;
        extras.itinerary += line.amount;
        extras.lines.push_back(std::move(line));
    }
}

// Why there is no more than `most` of a service: the departure has no more, or there are never more.
Sentence too_many(const Value& service, std::int64_t most) {
    const auto left = whole(service, "stock_left");
    if (!left && most == 0)
        return "No more of this service can be added."_sentence;
    if (!left)
        return "At most {most} of this service."_sentence.with("most", most);
    if (*left == 0)
        return "This service is sold out for that date."_sentence;
    return "Only {left} of this service left for that date."_sentence.with("left", *left);
}

}  // namespace

void add_services(Extras& extras, const Money& base, const Listeners& listeners) {
    extras.services_shown = Value::array();
    if (!listeners.has_listener(booking_additional_services) && !listeners.has_listener(booking_services_total))
        return;
    const Money nothing = extras.services;
    Value context = listeners.context();
    context.set("base_amount", base);
    extras.services_shown = listeners.value(booking_additional_services, Value::array(), {context, listeners.result()});
    std::vector<Line> lines;
    std::vector<bool> taxable;
    for (const Value& service : extras.services_shown.items()) {
        if (!service.is_object() || !service["calculated_price"].is_number() || whole(service, "quantity") == 0)
            continue;  // none of one that all_sold() refuses
        Line line{.kind = "service",
                  .label = words(service, "name").value_or(""),
                  .quantity = whole(service, "quantity").value_or(1),
                  .unit_price = nothing,
                  .amount = taken_back(service["calculated_price"], nothing)};
        line.unit_price =
            service["unit_price"].is_number() ? taken_back(service["unit_price"], line.amount) : line.amount;
        count_units(line, service);
        taxable.push_back(!service["taxable"].is_boolean() || service["taxable"].boolean());
        lines.push_back(std::move(line));
    }
    const Money computed = sum_of(lines, nothing.currency());
    listeners.note("additional_services", [&] { return extras.services_shown; });
    listeners.note("services_total", computed);
    extras.services = listeners.amount(booking_services_total, computed, {std::move(context), listeners.result()});
    listeners.note("services_total", extras.services);
    if (extras.services != computed && lines.empty()) {
        lines.push_back({.kind = "service",
                         .label = "Additional services",
                         .quantity = 1,
                         .unit_price = extras.services,
                         .amount = extras.services});
        taxable.push_back(true);
    } else if (extras.services != computed) {
        spread(lines, extras.services);
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (taxable[i])
            extras.taxable_services += lines[i].amount;
        extras.lines.push_back(std::move(lines[i]));
    }
}

Result<void> all_sold(const Services& chosen, const Services& requested, const Value& sold) {
    for (const auto& [id, quantity] : chosen) {
        const auto own = requested.find(id);
        const bool is_own = own != requested.end() && own->second == quantity;
        const Value* known = nullptr;
        if (sold.is_array())
            for (const Value& each : sold.items())
                if (each.is_object() && whole(each, "id") == id)
                    known = &each;
        if (quantity > 0 && !known && !is_own)
            log::warning("filter_ignored", {{"filter", before_calculation_params.name},
                                            {"member", "selected_services"},
                                            {"value", std::to_string(id)}});
        else if (quantity > 0 && !known)
            return invalid("additional_services", "This trip has no service {id}."_sentence.with("id", id));
        // The seller reduced the quantity to the limit.
        if (const auto most = known ? whole(*known, "quantity") : std::nullopt; most && *most < quantity && is_own)
            return invalid("selected_services." + std::to_string(id), too_many(*known, *most));
    }
    return {};
}

Result<Extras> extras_of(const catalog::trips::Trip& trip, const Request& request, const Money& base,
                         const Listeners& listeners) {
    const Money nothing = Money::zero(trip.currency);
    Extras extras{.lines = {},
                  .services = nothing,
                  .taxable_services = nothing,
                  .itinerary = nothing,
                  .services_shown = {},
                  .itinerary_shown = {}};
    add_services(extras, base, listeners);
    if (request.by_hand.charges) {
        SVC_ASSIGN_OR_RETURN(auto charges, charges_by_hand(*request.by_hand.charges, request.travelers, trip.currency));
        add_charges(extras, std::move(charges));
    } else {
        add_charges(extras, listeners.value(booking_itinerary_costs, charges_of(trip, request.travelers)));
    }
    return extras;
}

}  // namespace svc::pricing
