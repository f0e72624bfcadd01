// The arithmetic of taxes.
#include "base/pricing/tax.hpp"

namespace svc::pricing {

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

}  // namespace svc::pricing
