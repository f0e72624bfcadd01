// Sums and lines.
#include "base/sales/booking/record/price.hpp"

#include <algorithm>

#include "base/sales/pricing/wire.hpp"

namespace svc::booking {
namespace {
constexpr std::string_view adjustment = "Adjusted by our staff";
}

void take_price(Booking& booking, const pricing::Quote& quote) {
    booking.travelers_count = quote.travelers;
    booking.traveler_counts = pricing::to_wire(quote.traveler_counts, quote.travelers);
    booking.subtotal = quote.subtotal;
    booking.discount = quote.discount();
    booking.services = quote.services;
    booking.itinerary = quote.itinerary;
    booking.tax = quote.tax;
    booking.tax_inclusive = quote.tax_inclusive;
    booking.tax_rate = {};
    for (const pricing::TaxLine& tax : quote.taxes)
        booking.tax_rate.ppm += tax.rate.ppm;
    booking.coupon_code = quote.coupon ? quote.coupon->code : std::string();
    booking.total = quote.total;
    booking.pay_now = quote.amount_due;
    booking.payment_method = quote.payment_method;
    booking.rest_on = quote.rest_on;
}

std::vector<Line> lines_of(const pricing::Quote& quote) {
    std::vector<Line> lines;
    for (const pricing::Line& line : quote.lines)
        lines.push_back({line.kind, line.label, line.quantity, line.unit_price, line.amount,
                         line.per_group ? std::optional(line.people) : std::nullopt});
    // Included in the other lines: shown, not added.
    if (quote.tax_inclusive)
        for (const pricing::TaxLine& tax : quote.taxes)
            lines.push_back({"tax", pricing::label_of(tax), 1, tax.amount, tax.amount});
    return lines;
}

void set_pay_now(Booking& booking, const json::Value& quote) {
    const Money total = booking.total;
    Money due = total;
    if (const json::Value& options = quote["payment_methods"]; booking.payment_method != "full" && options.is_array())
        for (const json::Value& option : options.items()) {
            if (!option.is_object() || option.text_or("id") != booking.payment_method)
                continue;
            const auto rate = option["percentage"].is_number() ? Rate::parse_percent(option["percentage"].number_text())
                                                               : Result<Rate>(errc::not_found);
            // Older quotes, and those of listeners, only have the amount.
            const json::Value& flat = option["fixed_amount"].is_number() ? option["fixed_amount"] : option["amount"];
            if (rate)
                due = total.share(*rate);
            else if (flat.is_number())
                due = Money::parse(flat.number_text(), total.currency()).value();
        }
    booking.pay_now = total.is_zero() ? total : max(min(due, total), Money{1, total.currency()});
}

std::optional<Rate> deposit_asked_by(const json::Value& gateway_config) {
    if (!gateway_config.maybe_boolean("require_deposit").value_or(false))
        return {};
    return Rate{.ppm = gateway_config.maybe_integer("deposit_amount").value_or(10) * 10'000};
}

Money due_with_deposit(const Money& due, const Money& total, std::optional<Rate> deposit) {
    return deposit && !total.is_zero() ? min(due, max(total.share(*deposit), Money{1, total.currency()})) : due;
}

void take_deposit(Booking& booking, std::optional<Rate> deposit) {
    if (booking.payment_method == "full")
        booking.pay_now = due_with_deposit(booking.pay_now, booking.total, deposit);
}

namespace {

Money money_in(const json::Value& value, Currency currency) {
    const auto amount =
        value.is_number() ? Money::parse(value.number_text(), currency) : Result<Money>(errc::not_found);
    return amount ? *amount : Money::zero(currency);
}

// The tax within a manual total: the same share as in the computed price; where that was zero, by its rates.
Money tax_of(const Booking& booking, const json::Value& quote) {
    constexpr std::int64_t whole = 1'000'000;
    const Currency currency = booking.total.currency();
    const Money priced = money_in(quote["final_total"], currency);
    if (priced.is_zero())
        return booking.total.share(booking.tax_rate.ppm, whole + booking.tax_rate.ppm);
    return money_in(quote["tax_calculation"]["total_tax_amount"], currency)
        .share(booking.total.minor(), priced.minor());
}

}  // namespace

std::vector<Money> divided_tax(const Money& tax, const json::Value& breakdown) {
    if (!breakdown.is_array() || breakdown.size() == 0)
        return {};
    std::vector<std::int64_t> rates;
    std::int64_t sum = 0;
    for (const json::Value& each : breakdown.items()) {
        const auto rate =
            each["rate"].is_number() ? Rate::parse_percent(each["rate"].number_text()) : Result<Rate>(errc::not_found);
        rates.push_back(rate ? rate->ppm : 0);
        sum += rates.back();
    }
    if (sum == 0)
        rates.assign(rates.size(), 1);
    return tax.split(rates);
}

Result<void> set_total(Booking& booking, std::vector<Line>& lines, const Money& total, const json::Value& quote,
                       bool tax_by_hand) {
    const Money total_before = booking.total, tax_before = booking.tax;
    booking.total = total;
    booking.tax = tax_by_hand ? tax_before : tax_of(booking, quote);
    if (booking.tax > total)
        return invalid("tax_amount", "The tax must not exceed the total."_sentence);
    const auto taxes = divided_tax(booking.tax, quote["tax_calculation"]["tax_breakdown"]);
    auto tax = taxes.begin();
    for (Line& line : lines)
        if (line.kind == "tax" && tax != taxes.end())
            line.unit = line.amount = *tax++;
    // The difference without tax is its own line; included tax is not part of the sum.
    Money difference = total - total_before;
    if (!booking.tax_inclusive)
        difference = difference - (booking.tax - tax_before);
    booking.subtotal = booking.subtotal + difference;
    const auto earlier =
        std::find_if(lines.begin(), lines.end(), [](const Line& line) { return line.label == adjustment; });
    if (earlier != lines.end()) {
        difference = difference + earlier->amount;
        lines.erase(earlier);
    }
    if (!difference.is_zero())
        lines.push_back({"dynamic", std::string(adjustment), 1, difference, difference});
    set_pay_now(booking, quote);
    return {};
}

}  // namespace svc::booking
