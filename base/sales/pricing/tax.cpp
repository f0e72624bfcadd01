// The arithmetic of taxes.
#include "base/sales/pricing/tax.hpp"

#include "shared/core/exact_money.hpp"

namespace svc::pricing {

std::string label_of(const TaxLine& tax) {
    return tax.rate.ppm == 0 ? tax.name : tax.name + " (" + tax.rate.percent() + "%)";
}

std::vector<TaxLine> taxes_of(const Terms& terms, const Money& taxable) {
    std::vector<TaxLine> lines;
    if (!terms.taxed)
        return lines;
    std::vector<std::int64_t> rates;
    std::int64_t sum = 0;
    for (const Tax& tax : terms.taxes)
        if (tax.rate.ppm > 0) {
            lines.push_back({tax.name, tax.rate, taxable.share(tax.rate)});
            rates.push_back(tax.rate.ppm);
            sum += tax.rate.ppm;
        }
    if (!terms.tax_inclusive || lines.empty())
        return lines;
    constexpr std::int64_t whole = 1'000'000;
    const auto parts = taxable.share(sum, whole + sum).split(rates);
    for (std::size_t i = 0; i < lines.size(); ++i)
        lines[i].amount = parts[i];
    return lines;
}

Result<std::vector<TaxLine>> taxes_of(Terms& terms, const Money& taxable, const ByHand& by_hand) {
    if (by_hand.tax_rate) {
        terms.taxes = {{terms.taxes.size() == 1 ? terms.taxes.front().name : "Tax", *by_hand.tax_rate}};
        terms.taxed = by_hand.tax_rate->ppm > 0;
    }
    terms.tax_inclusive = by_hand.tax_inclusive.value_or(terms.tax_inclusive);
    std::vector<TaxLine> lines = taxes_of(terms, taxable);
    if (!by_hand.tax_amount)
        return lines;
    const auto amount = parse_exact(*by_hand.tax_amount, taxable.currency());
    if (!amount)
        return invalid("tax_amount", amount.error().message());
    if (terms.tax_inclusive && *amount > taxable)
        return invalid("tax_amount", "The prices hold the tax: it is no more than what is taxed."_sentence);
    terms.taxed = !amount->is_zero();
    if (amount->is_zero())
        return std::vector<TaxLine>{};
    if (lines.empty())
        return std::vector<TaxLine>{{"Tax", Rate{}, *amount}};
    std::vector<std::int64_t> rates;
    rates.reserve(lines.size());
    for (const TaxLine& line : lines)
        rates.push_back(line.rate.ppm);
    const auto parts = amount->split(rates);
    for (std::size_t i = 0; i < lines.size(); ++i)
        lines[i].amount = parts[i];
    return lines;
}

}  // namespace svc::pricing
