// A quote for a page: each sum again as it is written, and the lines as a table.
#include <algorithm>

#include "base/catalog/trips/record/display.hpp"
#include "base/platform/html/html.hpp"
#include "base/sales/pricing/wire.hpp"
#include "shared/api/named.hpp"

namespace svc::pricing {

using json::Value;

namespace {

constexpr std::string_view twin_ending = "_formatted";

std::string twin(std::string_view name) { return std::string(name).append(twin_ending); }

// A sum's name, and the one of the same as it is written.
struct Sum {
    std::string_view name;
    std::string twin;
};
const std::vector<Sum>& sums() {
    static const auto all = [] {
        std::vector<Sum> sums;
        for (const std::string_view name :
             {"original_price", "discounted_price", "unit_price", "unit_price_before_dp", "dp_per_unit_delta",
              "base_amount", "dp_total_adjustment", "subtotal", "total_discount_amount", "total_discount",
              "services_total", "itinerary_costs_total", "discounted_subtotal", "taxable_amount", "gross_total",
              "final_total", "total_amount", "amount_paid", "amount_due"})
            sums.push_back({name, twin(name)});
        return sums;
    }();
    return all;
}

bool has_twins(const json::Object& members) {
    return std::any_of(members.begin(), members.end(),
                       [](const json::Member& member) { return member.first.ends_with(twin_ending); });
}

// Formats amounts as the site does. A summary repeats a few amounts many times, so the texts are cached.
class Writer {
  public:
    Writer(Currency currency, const settings::Look& look) : currency_(currency), look_(look) {}

    [[nodiscard]] std::string text_of(const Money& amount) const { return look_.amount(amount); }
    // Null for anything but an amount; valid until the next call.
    const std::string* written(const Value& sum) {
        if (!sum.is_number())
            return nullptr;
        for (const auto& [number, text] : kept_)
            if (number == sum.number_text())
                return &text;
        const auto amount = Money::parse(sum.number_text(), currency_);
        return amount ? &kept_.emplace_back(sum.number_text(), text_of(*amount)).second : nullptr;
    }

  private:
    const Currency currency_;
    const settings::Look& look_;
    std::vector<std::pair<std::string, std::string>> kept_;
};

void add_twin(Value& value, std::string_view name, Writer& writer) {
    const Value* sum = value.find(name);
    if (const std::string* text = sum ? writer.written(*sum) : nullptr)
        value.set(twin(name), *text);
}

// Formatted amounts inside the summary's members, except percentages of coupons and services.
void add_inner_twins(Value& summary, Writer& writer) {
    const auto each = [&](Value& one, std::initializer_list<std::string_view> names) {
        if (one.is_object())
            for (const std::string_view name : names)
                add_twin(one, name, writer);
    };
    const auto in_all = [&](std::string_view list, std::initializer_list<std::string_view> names) {
        for (auto& [name, value] : summary.members())
            if (name == list && value.is_array())
                for (Value& one : value.items())
                    each(one, names);
    };
    in_all("category_breakdown", {"unit_price", "total"});
    in_all("lines", {"unit_price", "amount"});
    in_all("additional_services", {"calculated_price"});
    for (auto& [name, services] : summary.members())
        if (name == "additional_services" && services.is_array())
            for (Value& service : services.items())
                if (each(service, {"unit_price"}); service.is_object() && service.text_or("price_type") != "percentage")
                    each(service, {"price"});
    in_all("itinerary_costs", {"price", "total_cost"});
    in_all("payment_methods", {"amount", "balance"});
    for (const char* discount : {"group_discount", "coupon_discount"}) {
        Value one = summary[discount];
        if (!one.is_object())
            continue;
        each(one, {"calculated_amount", "discount_amount"});
        if (one.text_or("type") != "percentage")
            each(one, {"amount"});
        summary.set(discount, std::move(one));
    }
}

// The lines as a table for a page that shows no more than that; listeners' words are text like all others.
std::string table_of(const Value& lines, const Quote& quote, Writer& writer) {
    const auto row = [](const char* kind, const std::string& label, const std::string& amount) {
        return std::string(R"(<tr class="svc-price svc-price--)") + kind + R"("><th scope="row">)" +
               html::escaped(label) + "</th><td>" + html::escaped(amount) + "</td></tr>";
    };
    std::string table = R"(<table class="svc-prices"><tbody>)";
    if (lines.is_array())
        for (const Value& line : lines.items())
            if (const std::string* amount = line.is_object() ? writer.written(line["amount"]) : nullptr) {
                const Value& quantity = line["quantity"];
                const bool many = quantity.is_number() && quantity.number_text() != "1";
                std::string label = line.text_or("label") + (many ? " × " + quantity.number_text() : "");
                if (line.text_or("pricing_mode") == "per_group" && line["people"].is_number())
                    label += " (" + line["people"].number_text() + ")";  // who they are for, in no language
                table += row("line", label, *amount);
            }
    table += "</tbody><tfoot>" + row("total", "Total", writer.text_of(quote.total));
    if (quote.amount_due != quote.total)
        table += row("due", "To pay now", writer.text_of(quote.amount_due));
    return table + "</tfoot></table>";
}

Rate rate_of(const Quote& quote, std::string_view method) {
    for (const PaymentOption& option : quote.options)
        if (option.id == method && option.rate)
            return *option.rate;
    return {};
}

}  // namespace

Value summary_of(Quote quote, const settings::Look& look) {
    Writer writer(quote.total.currency(), look);
    Value summary = std::move(quote.shown);
    const bool listeners_wrote_some = has_twins(summary.members());
    summary.members().reserve(summary.size() + sums().size() + 5);
    for (const auto& [name, twin] : sums())
        if (const std::string* text = writer.written(summary[name])) {
            if (listeners_wrote_some)
                summary.set(twin, *text);
            else
                summary.members().emplace_back(twin, *text);
        }
    add_inner_twins(summary, writer);
    Rate rate;
    for (const TaxLine& tax : quote.taxes)
        rate.ppm += tax.rate.ppm;
    Value taxes = Value::array();
    for (const TaxLine& tax : quote.taxes)
        taxes.push(Value::object({{"name", tax.name},
                                  {"rate", tax.rate},
                                  {"amount", tax.amount},
                                  {"amount_formatted", writer.text_of(tax.amount)}}));
    summary.set("tax", Value::object({{"enabled", quote.taxed},
                                      {"inclusive", quote.tax_inclusive},
                                      {"rate", rate},
                                      {"total", quote.tax},
                                      {"total_formatted", writer.text_of(quote.tax)},
                                      {"breakdown", std::move(taxes)}}));
    summary.set("price_types", std::move(quote.price_types));
    summary.set("deposit_percentage", rate_of(quote, "deposit"));
    summary.set("partial_percentage", rate_of(quote, "partial"));
    summary.set("pricing_html", table_of(summary["lines"], quote, writer));
    return summary;
}

api::Type summary_answer() {
    using namespace api;
    using api::text;
    std::vector<Field> more;
    for (const Sum& sum : sums())
        more.push_back({.name = sum.twin, .type = text(60)});
    const Schema tax_line{{.name = "name", .type = text(100), .required = true},
                          {.name = "rate", .type = percent(), .required = true},
                          {.name = "amount", .type = money(), .required = true},
                          {.name = "amount_formatted", .type = text(60)}};
    const Schema tax{{.name = "enabled", .type = boolean()},
                     {.name = "inclusive", .type = boolean(), .help = "Whether prices include tax."},
                     {.name = "rate", .type = decimal(0), .help = "Of all taxes together, in percent."},
                     {.name = "total", .type = money()},
                     {.name = "total_formatted", .type = text(60)},
                     {.name = "breakdown", .type = list(object("FormattedTaxAmount", tax_line))}};
    return object(
        "QuoteSummary",
        quote_answer()
            .members->plus(Schema(std::move(more)))
            .plus({{.name = "tax", .type = object("Taxes", tax)},
                   {.name = "price_types",
                    .type = list(catalog::trips::price_type_answer(), 1000),
                    .help = "The prices by traveler category, for trips priced by category."},
                   {.name = "deposit_percentage",
                    .type = percent(),
                    .help = "Of the total; 0 where no deposit is offered, or an amount."},
                   {.name = "partial_percentage",
                    .type = percent(),
                    .help = "Of the total; 0 where no part payment is offered."},
                   {.name = "pricing_html", .type = raw_text(512 * 1024), .help = "The lines as a table, escaped."}}));
}

}  // namespace svc::pricing
