// Sums and lines.
#include "base/booking/price.hpp"

#include <algorithm>

namespace svc::booking {
namespace {
constexpr std::string_view adjustment = "Adjusted by our staff";
}

void take_price(Booking& booking, const pricing::Quote& quote) {
    booking.travelers_count = quote.travelers;
    booking.traveler_counts = quote.shown["traveler_counts"];
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
}

std::vector<Line> lines_of(const pricing::Quote& quote) {
    std::vector<Line> lines;
    for (const pricing::Line& line : quote.lines)
        lines.push_back({line.kind, line.label, line.quantity, line.unit_price, line.amount});
    // Held by the other lines: told, not added.
    if (quote.tax_inclusive)
        for (const pricing::TaxLine& tax : quote.taxes)
            lines.push_back({"tax", tax.name + " (" + tax.rate.percent() + "%)", 1, tax.amount, tax.amount});
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
            // A quote of before these were told apart, or a listener's, has the amount alone.
            const json::Value& flat = option["fixed_amount"].is_number() ? option["fixed_amount"] : option["amount"];
            if (rate)
                due = total.share(*rate);
            else if (flat.is_number())
                due = Money::parse(flat.number_text(), total.currency()).value();
        }
    booking.pay_now = total.is_zero() ? total : max(min(due, total), Money{1, total.currency()});
}

void take_deposit(Booking& booking, std::optional<Rate> deposit) {
    if (deposit && booking.payment_method == "full" && !booking.total.is_zero())
        booking.pay_now = min(booking.pay_now, max(booking.total.share(*deposit), Money{1, booking.total.currency()}));
}

void set_total(Booking& booking, std::vector<Line>& lines, const Money& total, const json::Value& quote) {
    Money difference = total - booking.total;
    const auto earlier =
        std::find_if(lines.begin(), lines.end(), [](const Line& line) { return line.label == adjustment; });
    if (earlier != lines.end()) {
        difference = difference + earlier->amount;
        lines.erase(earlier);
    }
    if (!difference.is_zero())
        lines.push_back({"dynamic", std::string(adjustment), 1, difference, difference});
    booking.subtotal = booking.subtotal + (total - booking.total);
    booking.total = total;
    set_pay_now(booking, quote);
}

}  // namespace svc::booking
