// The pricing pipeline, a step after the other in the order of its filters.
#include "base/sales/pricing/quote.hpp"

#include <algorithm>

#include "base/catalog/trips/record/display.hpp"
#include "base/sales/discounts/discount.hpp"
#include "base/sales/pricing/extras.hpp"
#include "base/sales/pricing/hooks.hpp"
#include "base/sales/pricing/party.hpp"
#include "base/sales/pricing/payable.hpp"
#include "base/sales/pricing/shown.hpp"
#include "base/sales/pricing/travelers.hpp"
#include "base/sales/pricing/wire.hpp"
#include "shared/core/log.hpp"

namespace svc::pricing {
namespace {

using catalog::trips::Trip;
using json::Value;

Value services_of(const Request& request) {
    Value services = Value::object();
    for (const auto& [service, quantity] : request.services)
        services.set(std::to_string(service), quantity);
    return services;
}

Value customer_of(const Request& request) {
    if (!request.user_id && request.email.empty())
        return {};
    return Value::object({{"user_id", request.user_id}, {"email", request.email}});
}

Value context_of(const Trip& trip, const Request& request) {
    return Value::object({{"trip_id", trip.id},
                          {"travel_date", request.travel_date},
                          {"departure_time", request.departure_time},
                          {"travelers_count", request.travelers},
                          {"traveler_counts", to_wire(request.traveler_counts, request.travelers)},
                          {"payment_method", request.payment_method},
                          {"currency", trip.currency.code()},
                          {"duration_days", trip.length()},
                          {"selected_services", services_of(request)},
                          {"coupon_code", request.coupon ? Value(request.coupon->code) : Value()},
                          {"country", request.country},
                          {"availability_id", request.departure_id},
                          {"customer", customer_of(request)},
                          {"booking_id", request.booking_id},
                          {"session_id", request.session_id},
                          {"available_capacity", request.seats_left},
                          {"max_capacity", request.capacity}});
}

// With one price for everybody there are no categories, except that a party by category may choose a date with one
// price on a trip with categories.
Result<void> categories_known(const Trip& trip, bool by_category, const TravelerCounts& counts) {
    for (const auto& [category, count] : counts)
        if (!(by_category || trip.traveler_based) ||
            std::none_of(trip.price_types.begin(), trip.price_types.end(),
                         [id = category](const auto& each) { return each.category_id == id; }))
            return invalid("traveler_counts." + std::to_string(category),
                           "This trip does not have this traveler category."_sentence);
    return {};
}

std::int64_t people_of(const TravelerCounts& counts) {
    std::int64_t sum = 0;
    for (const auto& [category, count] : counts)
        sum += count;
    return sum;
}

constexpr std::int64_t most_travelers = 10'000;  // the maximum of a request

// Null or an empty text removes the code. An invalid one keeps what was entered, since the visitor could not correct
// it.
void choose_code(Request& request, const Value& params) {
    const Value* sent_code = params.find("coupon_code");
    if (!request.code_meaning || !sent_code || !(sent_code->is_null() || sent_code->is_string()))
        return;
    const std::string code = sent_code->is_string() ? discounts::code_of(sent_code->text()) : std::string();
    if (code == (request.coupon ? request.coupon->code : std::string()))
        return;
    if (code.empty()) {
        request.coupon.reset();
        return;
    }
    Coupon other = request.code_meaning(code);
    if (other.error || !other.discount)
        return;
    other.by_listener = true;
    request.coupon = std::move(other);
}

// Step 0: options that listeners may change.
void let_choose(const Trip& trip, Request& request, Listeners& listeners, const hooks::Filter& filter) {
    if (listeners.has_listener(filter)) {
        const Value params =
            listeners.value(filter, context_of(trip, request), {context_of(trip, request), listeners.result()});
        if (const auto travelers = whole(params, "travelers_count");
            travelers && *travelers > 0 && *travelers <= most_travelers)
            request.travelers = *travelers;
        request.payment_method = words(params, "payment_method").value_or(request.payment_method);
        request.country = words(params, "country").value_or(request.country);
        if (auto services = chosen_services(params["selected_services"]))
            request.services = std::move(*services);
        choose_code(request, params);
    }
    // With prices by category only the counts matter: ignores a listener's total of travelers.
    if (request.traveler_based.value_or(trip.traveler_based) && !request.traveler_counts.empty())
        request.travelers = people_of(request.traveler_counts);
}

// Options that listeners chose for a party and that are not available.
void ignored(const char* what, const std::string& chosen) {
    log::warning("filter_ignored", {{"filter", before_calculation_params.name}, {"member", what}, {"value", chosen}});
}

Line taken_off(const char* kind, const Applied& applied) {
    return {
        .kind = kind, .label = applied.label, .quantity = 1, .unit_price = -applied.amount, .amount = -applied.amount};
}

Result<void> add_tax(Quote& quote, Terms& terms, const ByHand& by_hand) {
    SVC_ASSIGN_OR_RETURN(auto taxes, by_hand.any() || by_hand.tax_inclusive ? taxes_of(terms, quote.taxable, by_hand)
                                                                            : taxes_of(terms, quote.taxable));
    quote.taxes = std::move(taxes);
    quote.taxed = terms.taxed;
    quote.tax_inclusive = terms.tax_inclusive;
    for (const TaxLine& tax : quote.taxes) {
        quote.tax += tax.amount;
        if (!terms.tax_inclusive)
            quote.lines.push_back(
                {.kind = "tax", .label = label_of(tax), .quantity = 1, .unit_price = tax.amount, .amount = tax.amount});
    }
    return {};
}

// Step 11: listeners may change the sum; a line shows the difference.
void let_total(Quote& quote, const Listeners& listeners) {
    const Money total = listeners.amount(calculate_final_total, quote.total);
    if (total == quote.total)
        return;
    const Money more = total - quote.total;
    quote.lines.push_back(
        {.kind = "dynamic", .label = "Adjustment", .quantity = 1, .unit_price = more, .amount = more});
    quote.total = total;
}

// Adds the listeners' options; an invalid one keeps its previous value.
std::vector<PaymentOption> listeners_options(const std::vector<PaymentOption>& ours, const Value& amounts,
                                             const Money& total, const Terms& terms) {
    std::vector<PaymentOption> options;
    for (const auto& [method, amount] : amounts.members()) {
        const auto known = std::find_if(ours.begin(), ours.end(),
                                        [&, name = method](const PaymentOption& each) { return each.id == name; });
        if (!amount.is_number() && known == ours.end())
            continue;
        const Money before = known == ours.end() ? total : known->amount;
        const Money now = amount.is_number() ? min(taken_back(amount, before), total) : before;
        const bool as_ours = known != ours.end() && now == known->amount;
        options.push_back({.id = method,
                           .label = label_of(method),
                           .description = now == total ? "" : terms.written(total - now) + " later",
                           .amount = now,
                           .balance = total - now,
                           .rate = as_ours ? known->rate : std::nullopt,
                           .flat = as_ours ? known->flat : std::nullopt});
    }
    return options;
}

// The category with its price on the request's date.
catalog::trips::PriceType on_date(catalog::trips::PriceType type, const Request& request) {
    for (const availability::CategoryPrice& own : request.by_category)
        if (own.category_id == type.category_id) {
            type.regular = own.regular;
            type.discounted = own.lowered;
            type.sale.reset();
        }
    return type;
}

// Step 12.
Result<void> add_payment(Quote& quote, const Terms& terms, const Trip& trip, const Request& request,
                         const std::string& asked_method, const Listeners& listeners) {
    auto ours = ways_to_pay(terms, trip, request, quote.total, listeners);
    quote.rest_on = terms.rest_on(request.travel_date);
    Value amounts = Value::object();
    for (const PaymentOption& each : ours)
        amounts.set(each.id, each.amount);
    quote.options = listeners.has_listener(calculate_payment_amounts)
                        ? listeners_options(ours,
                                            listeners.value(calculate_payment_amounts, std::move(amounts),
                                                            {listeners.context(), quote.total, listeners.result()}),
                                            quote.total, terms)
                        : std::move(ours);
    const auto option_of = [&](std::string_view id) {
        return std::find_if(quote.options.begin(), quote.options.end(),
                            [&](const PaymentOption& each) { return each.id == id; });
    };
    auto chosen = option_of(quote.payment_method);
    // Ignores a listener's option that does not exist.
    if (chosen == quote.options.end() && quote.payment_method != asked_method) {
        ignored("payment_method", quote.payment_method);
        quote.payment_method = asked_method;
        chosen = option_of(quote.payment_method);
    }
    // A single payment option needs no choice.
    if (chosen == quote.options.end() && !request.method_chosen && terms.deposit_required &&
        quote.payment_method == "full")
        chosen = option_of("deposit");
    if (chosen == quote.options.end() && !request.method_chosen && quote.payment_method == "full" &&
        quote.options.size() == 1)
        chosen = quote.options.begin();
    // A price of zero is paid, whatever the option.
    if (chosen == quote.options.end() && quote.total.is_zero())
        chosen = option_of("full");
    if (chosen == quote.options.end())
        return errc::payment_method_unavailable;
    quote.payment_method = chosen->id;
    listeners.note("payment_method", [&] { return Value(quote.payment_method); });
    const Money due =
        listeners.has_listener(calculate_amount_due)
            ? listeners.amount(calculate_amount_due, chosen->amount,
                               {quote.total, quote.payment_method, listeners.context(), listeners.result()})
            : chosen->amount;
    // Above zero if the price is, and never more than the price.
    quote.amount_due =
        quote.total.is_zero() ? quote.total : max(min(due, quote.total), Money{1, quote.total.currency()});
    listeners.note("amount_due", quote.amount_due);
    if (chosen->amount != quote.amount_due) {  // the option's amount on pages equals the amount due
        chosen->amount = quote.amount_due;
        chosen->balance = quote.total - quote.amount_due;
        chosen->rate = std::nullopt;
        chosen->flat = std::nullopt;
    }
    return {};
}

// The price of the travelers, before services and tax. `listed`: the lines before dynamic prices.
Quote begun(const Trip& trip, const Request& request, Way way, const std::vector<Line>& listed, bool keeps_listed) {
    const Money nothing = Money::zero(trip.currency), left = way.left();
    const bool by_category = *request.traveler_based;
    Quote quote{.trip_id = trip.id,
                .travel_date = request.travel_date,
                .travelers = request.travelers,
                .traveler_counts = by_category ? request.traveler_counts : TravelerCounts{},
                .payment_method = request.payment_method,
                .original_price = request.price.regular,
                .unit_price = way.lines.front().unit_price,
                .unit_before = listed.front().unit_price,
                .base_before = sum_of(listed, trip.currency),
                .base = way.base,
                .subtotal = way.subtotal,
                .discounted = left,
                .group = std::move(way.group),
                .coupon = std::move(way.coupon),
                .coupon_error = std::move(way.coupon_error),
                .code_set_aside = way.code_set_aside,
                .services = nothing,
                .itinerary = nothing,
                .taxable = nothing,
                .tax = nothing,
                .total = nothing,
                .amount_due = nothing,
                .taxes = {},
                .lines = std::move(way.lines),
                .listed = keeps_listed ? listed : std::vector<Line>(),
                .options = {},
                .price_types = Value::array(),
                .services_sold = {},
                .shown = {}};
    if (by_category)
        for (const catalog::trips::PriceType& type : trip.price_types)
            quote.price_types.push(catalog::trips::to_json(on_date(type, request)));
    if (quote.group)
        quote.lines.push_back(taken_off("group_discount", *quote.group));
    if (quote.coupon)
        quote.lines.push_back(taken_off("coupon", *quote.coupon));
    return quote;
}

}  // namespace

Result<Quote> Pricing::quote(const Trip& trip, const Request& original, store::Transaction* tx) const {
    Request request = original;
    const bool by_category = request.traveler_based.value_or(trip.traveler_based);
    request.traveler_based = by_category;
    Listeners listeners(hooks_, ways_.filtered, tx);
    if (request.shown != Request::Shown::no)
        let_choose(
            trip, request, listeners,
            request.shown == Request::Shown::in_summary ? summary_calculation_params : session_calculation_params);
    let_choose(trip, request, listeners, before_calculation_params);
    listeners.provide_context([&] { return context_of(trip, request); });
    listeners.note("trip_id", [&] { return Value(trip.id); });
    listeners.note("travel_date", [&] { return Value(request.travel_date); });
    listeners.note("currency", [&] { return Value(trip.currency.code()); });
    listeners.note("travelers_count", [&] { return Value(request.travelers); });
    listeners.note("traveler_counts", [&] { return to_wire(request.traveler_counts, request.travelers); });
    SVC_RETURN_IF_ERROR(categories_known(trip, by_category, request.traveler_counts));
    SVC_RETURN_IF_ERROR(party_fits(trip, request.travelers, request.traveler_counts));

    Terms terms = ways_.terms ? ways_.terms({request.country, trip.country_code}) : Terms{};
    terms.flexible_payments = listeners.flag(flexible_payments_enabled, terms.flexible_payments);
    terms.advanced_discount = listeners.flag(advanced_discount_enabled, terms.advanced_discount);
    terms.dynamic_pricing = listeners.flag(dynamic_pricing_enabled, terms.dynamic_pricing);
    const Groups groups = terms.advanced_discount && ways_.group_discounts
                              ? ways_.group_discounts(trip, tx ? tx : request.reading)
                              : Groups{};
    Travelers travelers(trip, request, terms, groups, listeners);
    auto way = travelers.priced();
    if (way && way->coupon_error && request.coupon->by_listener) {
        request.coupon = original.coupon;
        way = travelers.priced();
    }
    if (!way)
        return way.error();
    const Money nothing = Money::zero(trip.currency);
    Quote quote =
        begun(trip, request, std::move(*way), travelers.list_price_lines(), listeners.has_listener(booking_trip_price));
    listeners.note("total_discount_amount", quote.discount());
    listeners.note("discounted_subtotal", quote.discounted);
    SVC_ASSIGN_OR_RETURN(auto extras, extras_of(trip, request, quote.base, listeners));
    SVC_RETURN_IF_ERROR(all_sold(request.services, original.services, extras.services_shown));
    quote.services = extras.services;
    quote.itinerary = extras.itinerary;
    for (Line& line : extras.lines)
        quote.lines.push_back(std::move(line));
    quote.taxable = quote.discounted + extras.taxable_services + quote.itinerary;
    SVC_RETURN_IF_ERROR(add_tax(quote, terms, request.by_hand));
    listeners.note("itinerary_costs_total", quote.itinerary);
    listeners.note("taxable_amount", quote.taxable);
    quote.total = quote.discounted + extras.all() + (quote.tax_inclusive ? nothing : quote.tax);
    listeners.note("gross_total", quote.total);
    listeners.note("final_total", quote.total);
    let_total(quote, listeners);
    listeners.note("final_total", quote.total);
    SVC_RETURN_IF_ERROR(add_payment(quote, terms, trip, request, original.payment_method, listeners));
    show(quote, request, std::move(extras), listeners);
    return quote;
}

Result<void> Pricing::check_offer(const Trip& trip, bool by_category, const TravelerCounts& counts,
                                  const std::map<std::int64_t, std::int64_t>& services) const {
    SVC_RETURN_IF_ERROR(categories_known(trip, by_category, counts));
    if (services.empty())
        return {};
    const catalog::trips::PricePair pair = catalog::trips::price_of(trip);
    Request request{.price = pair, .travel_date = {}, .departure_time = {}, .services = services};
    for (const auto& [category, count] : counts)
        request.traveler_counts[category] = count;
    Listeners listeners(hooks_, ways_.filtered, nullptr);
    listeners.provide_context([&] {
        Value context = context_of(trip, request);
        context.set("base_amount", pair.effective());
        context.set("travel_date", Value());  // not chosen yet
        return context;
    });
    return all_sold(services, services, listeners.value(booking_additional_services, Value::array()));
}

Value Pricing::services_for(const Trip& trip, const Quote& quote) const {
    Listeners listeners(hooks_, ways_.filtered, nullptr);
    if (!listeners.has_listener(booking_additional_services))
        return Value::array();
    const Request request{.price = catalog::trips::price_of(trip),
                          .travel_date = quote.travel_date,
                          .departure_time = {},
                          .travelers = quote.travelers,
                          .traveler_counts = quote.traveler_counts};
    listeners.provide_context([&] {
        Value context = context_of(trip, request);
        context.set("base_amount", quote.base);
        context.set("departure_time", quote.shown["departure_time"]);
        context.set("offered", true);
        return context;
    });
    return listeners.value(booking_additional_services, Value::array());
}

}  // namespace svc::pricing
