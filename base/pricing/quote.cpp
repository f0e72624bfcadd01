// The pricing pipeline, a step after the other in the order of its filters.
#include "base/pricing/quote.hpp"

#include "base/pricing/category_lines.hpp"
#include "base/pricing/hooks.hpp"
#include "base/pricing/wire.hpp"
#include "shared/api/schema.hpp"

namespace svc::pricing {
namespace {

using json::Value;

// What a listener answered, in minor units: what cannot be read leaves the amount, what is negative is nothing.
Money taken_back(const Value& answer, const Money& ours) {
    const auto amount = Money::parse(answer.number_text(), ours.currency());
    if (!amount)
        return ours;
    return max(*amount, Money::zero(ours.currency()));
}

// A listener's member when it is of the wanted kind; anything else counts as left out.
std::optional<std::int64_t> whole(const Value& object, std::string_view name) {
    auto number = api::integer().check(object[name], std::string(name));
    return object[name].is_number() && number ? std::optional(number->integer()) : std::nullopt;
}
std::optional<std::string> words(const Value& object, std::string_view name) {
    return object[name].is_string() ? std::optional(object[name].text()) : std::nullopt;
}

Value context_of(const catalog::trips::Trip& trip, const Request& request) {
    return Value::object({{"trip_id", trip.id},
                          {"travel_date", request.travel_date},
                          {"departure_time", request.departure_time},
                          {"travelers_count", request.travelers},
                          {"traveler_counts", to_wire(request.traveler_counts, request.travelers)},
                          {"payment_method", request.payment_method},
                          {"currency", trip.currency.code()}});
}

Result<void> party_fits(const catalog::trips::Trip& trip, std::int64_t travelers) {
    if (travelers < 1)
        return invalid("travelers", "A party has one person or more.");
    if (travelers < trip.min_travelers)
        return Error{errc::group_size, "This trip is for " + std::to_string(trip.min_travelers) + " people or more."}
            .with("min_travelers", std::to_string(trip.min_travelers));
    if (trip.max_travelers && travelers > *trip.max_travelers)
        return Error{errc::group_size, "This trip is for " + std::to_string(*trip.max_travelers) + " people at most."}
            .with("max_travelers", std::to_string(*trip.max_travelers));
    return {};
}

// One line for everybody, or one a category.
Result<std::vector<Line>> traveler_lines(const catalog::trips::Trip& trip, const Request& request,
                                         const UnitPrice& unit_price) {
    if (trip.traveler_based)
        return category_lines(trip, request, unit_price);
    const Money unit = unit_price(request.price.effective(), 0);
    return std::vector<Line>{{.kind = "traveler",
                              .label = trip.title,
                              .quantity = request.travelers,
                              .unit_price = unit,
                              .amount = unit.times(request.travelers)}};
}

std::int64_t people_of(const TravelerCounts& counts) {
    std::int64_t sum = 0;
    for (const auto& [category, count] : counts)
        sum += count;
    return sum;
}

// A listener that changed the sum changed the lines too: what is charged and what is listed never differ.
void spread(std::vector<Line>& lines, Money sum) {
    std::vector<std::int64_t> weights;
    for (const Line& line : lines)
        weights.push_back(line.amount.minor());
    const auto parts = sum.split(weights);
    for (std::size_t i = 0; i < lines.size(); ++i)
        lines[i].amount = lines[i].unit_price = parts[i];
}

// Services come from listeners alone; one that is not whole is left out, so that the lines keep adding up.
void add_services(Quote& quote, const Value& services) {
    for (const Value& service : services.items()) {
        if (!service.is_object() || !service["calculated_price"].is_number())
            continue;
        const Money nothing = Money::zero(quote.total.currency());
        Line line{.kind = "service",
                  .label = words(service, "name").value_or(""),
                  .quantity = whole(service, "quantity").value_or(1),
                  .unit_price = nothing,
                  .amount = taken_back(service["calculated_price"], nothing)};
        line.unit_price =
            service["unit_price"].is_number() ? taken_back(service["unit_price"], line.amount) : line.amount;
        quote.services += line.amount;
        quote.lines.push_back(std::move(line));
    }
}

std::string label_of(std::string_view method) {
    return method == "full" ? "Pay in full" : method == "deposit" ? "Pay a deposit" : "Pay a part";
}

}  // namespace

Result<Quote> Pricing::quote(const catalog::trips::Trip& trip, const Request& asked, store::Transaction* tx) const {
    Request request = asked;
    Value context = context_of(trip, request);
    const Value params = hooks_.apply(before_calculation_params, context, {context}, tx);
    if (const auto travelers = whole(params, "travelers_count"); travelers && *travelers > 0)
        request.travelers = *travelers;
    // By category the categories are what counts: a listener's number of people would be priced as nobody.
    if (trip.traveler_based && !request.traveler_counts.empty())
        request.travelers = people_of(request.traveler_counts);
    request.payment_method = words(params, "payment_method").value_or(request.payment_method);
    context = context_of(trip, request);
    if (auto fits = party_fits(trip, request.travelers); !fits)
        return fits.error();

    const Money nothing = Money::zero(trip.currency);
    const auto asked_price = [&](Money unit, std::int64_t category_id) {
        Value about = context;
        if (category_id > 0)
            about.set("category_id", category_id);
        unit = taken_back(hooks_.apply(availability_price, unit, {about}, tx), unit);
        return taken_back(hooks_.apply(booking_trip_price, unit, {about}, tx), unit);
    };
    auto lines = traveler_lines(trip, request, asked_price);
    if (!lines)
        return lines.error();
    Money computed = nothing;
    for (const Line& line : *lines)
        computed += line.amount;
    Quote quote{.trip_id = trip.id,
                .travel_date = request.travel_date,
                .travelers = request.travelers,
                .traveler_counts = trip.traveler_based ? request.traveler_counts : TravelerCounts{},
                .payment_method = request.payment_method,
                .original_price = request.price.regular,
                .unit_price = lines->front().unit_price,
                .subtotal = computed,
                .services = nothing,
                .total = nothing,
                .amount_due = nothing,
                .lines = std::move(*lines),
                .options = {},
                .shown = {}};
    quote.subtotal = taken_back(hooks_.apply(calculate_subtotal, quote.subtotal, {context}, tx), quote.subtotal);
    if (quote.subtotal != computed)
        spread(quote.lines, quote.subtotal);
    Value services = hooks_.apply(booking_additional_services, Value::array(), {context}, tx);
    add_services(quote, services);
    quote.total = quote.subtotal + quote.services;

    const Value amounts =
        hooks_.apply(calculate_payment_amounts, Value::object({{"full", quote.total}}), {quote.total, context}, tx);
    bool offered = false;
    for (const auto& [method, amount] : amounts.members()) {
        // Our own option outlives an answer that cannot be read; another's is not offered then.
        if (!amount.is_number() && method != "full")
            continue;
        const Money now = amount.is_number() ? min(taken_back(amount, quote.total), quote.total) : quote.total;
        quote.options.push_back({method, label_of(method), now, quote.total - now});
        if (method == request.payment_method) {
            quote.amount_due = now;
            offered = true;
        }
    }
    if (!offered)
        return Error{errc::payment_method_unavailable};
    const Money due = taken_back(
        hooks_.apply(calculate_amount_due, quote.amount_due, {quote.total, request.payment_method, context}, tx),
        quote.amount_due);
    // Something is asked for whenever something costs, and never more than it costs.
    quote.amount_due = quote.total.is_zero() ? nothing : max(min(due, quote.total), Money{1, trip.currency});

    Value shown = to_wire(quote);
    shown.set("additional_services", std::move(services));
    shown.set("payment_methods", hooks_.apply(payment_method_options, shown["payment_methods"], {context}, tx));
    shown.set("lines", hooks_.apply(price_breakdown, shown["lines"], {context}, tx));
    Value result = hooks_.apply(after_calculation_result, shown, {context}, tx);
    for (const std::string_view name : {"subtotal", "services_total", "final_total", "total_amount", "gross_total",
                                        "taxable_amount", "amount_due", "currency", "travelers_count"})
        if (const Value& ours = shown[name]; result[name] != ours)
            result.set(std::string(name), ours);
    quote.shown = std::move(result);
    return quote;
}

}  // namespace svc::pricing
