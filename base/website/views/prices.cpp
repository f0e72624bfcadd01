// The notes beside a price, and the lines that a total is the sum of.
#include <algorithm>

#include "base/website/pages/hooks.hpp"
#include "base/website/views/booked.hpp"

namespace svc::pages {

using json::Value;

PriceDisplay Views::price_display(PageRequest& visit, const Value& trip_id) const {
    if (!site.hooks.filtered(price_display_settings.name))
        return {};
    if (const auto known = visit.price_displays.find(trip_id.number_text()); known != visit.price_displays.end())
        return known->second;
    const Value wanted = site.hooks.apply(
        price_display_settings,
        Value::object({{"show_original_price", true}, {"show_savings_badge", true}, {"show_urgency_messages", true}}),
        {trip_id});
    const auto shows = [&](std::string_view name) { return wanted.maybe_boolean(name).value_or(true); };
    const PriceDisplay display{.original = shows("show_original_price"),
                               .savings = shows("show_savings_badge"),
                               .urgency = shows("show_urgency_messages")};
    visit.price_displays.emplace(trip_id.number_text(), display);
    return display;
}

namespace {

std::string label_of(const Value& line, const std::string& kind, bool tax_is_included, const Format& words) {
    const std::string label = line.text_or("label");
    if (kind == "tax" && tax_is_included)
        return booking::included_tax(label, words.locale);
    const std::int64_t quantity = line.maybe_integer("quantity").value_or(1);
    const bool is_of_groups = line.text_or("pricing_mode") == "per_group" && line["people"].is_number();
    const Money no_amount = Money::zero(Currency::usd());  // which a label does not name
    const std::string said = booking::label_of({.kind = kind,
                                                .label = label,
                                                .quantity = quantity,
                                                .unit = no_amount,
                                                .amount = no_amount,
                                                .people = is_of_groups ? line.maybe_integer("people") : std::nullopt},
                                               words.locale);
    const bool is_counted = kind != "coupon" && kind != "group_discount" && kind != "tax" && kind != "dynamic";
    return is_counted && !is_of_groups ? std::to_string(quantity) + " × " + said : said;
}

// "3 × Walking poles, USD 12": what one costs, where the amount is of several.
std::string price_of_one(const Value& line, const std::string& kind, const std::string& currency, const Format& words) {
    const bool is_of_several =
        kind == "service" && line["quantity"].is_number() && line["quantity"].number_text() != "1";
    return is_of_several && is_some(line["unit_price"]) && is_some(line["amount"])
               ? ", " + words.price(line["unit_price"], currency)
               : std::string();
}

std::string signed_amount(const Value& amount, const std::string& currency, const Format& words) {
    if (!amount.is_number() || !amount.number_text().starts_with('-'))
        return words.amount(amount, currency);
    return "−" + words.amount(json::Number{amount.number_text().substr(1)}, currency);
}

}  // namespace

bool has_line(const Value& lines, std::string_view kind) {
    const json::Array& all = list_of(lines);
    return std::any_of(all.begin(), all.end(), [&](const Value& line) { return line.text_or("kind") == kind; });
}

booking::MoneyReader money_reader(const Views& views, const std::string& gateway, const Format& words) {
    return {.locale = words.locale,
            .look = words.look,
            .way = gateway.empty() ? gateway : views.way(gateway, words.locale)};
}

Value price_lines(const Value& lines, const std::string& currency, bool tax_is_included, const Format& words) {
    Value shown = Value::array();
    for (const Value& line : list_of(lines)) {
        const std::string kind = line.text_or("kind");
        const bool is_included = kind == "service" && !is_some(line["amount"]);
        shown.push(Value::object(
            {{"label", label_of(line, kind, tax_is_included, words) + price_of_one(line, kind, currency, words)},
             {"amount", is_included ? words.say_text("Included") : signed_amount(line["amount"], currency, words)}}));
    }
    return shown;
}

}  // namespace svc::pages
