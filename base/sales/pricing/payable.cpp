// The amount due at checkout: everything, a deposit or a part.
#include "base/sales/pricing/payable.hpp"

#include "base/sales/pricing/hooks.hpp"

namespace svc::pricing {
namespace {

struct Part {
    Money amount;
    std::optional<Rate> rate = {};
    std::optional<Money> flat = {};
};

// More than nothing, at most everything.
Money payable_part(const Money& amount, const Money& total) {
    return max(min(amount, total), Money{1, total.currency()});
}

// A share of nothing is not offered; a share too small for the currency is its smallest unit.
std::optional<Part> share_of(const Money& total, Rate rate) {
    if (rate.ppm == 0)
        return std::nullopt;
    return Part{.amount = payable_part(total.share(rate), total), .rate = rate};
}

// The trip's setting overrides the site's; without either there is no deposit.
std::optional<Part> deposit_of(const Terms& terms, const catalog::trips::Trip& trip, const Money& total,
                               const Listeners& listeners) {
    const auto share = [&](Rate listed) { return share_of(total, listeners.percent(deposit_percentage, listed)); };
    const auto flat = [&](const Money& amount) {
        return amount.is_zero() ? std::nullopt : std::optional(Part{.amount = min(amount, total), .flat = amount});
    };
    if (trip.deposit_amount)
        return flat(*trip.deposit_amount);
    if (trip.deposit_percentage)
        return trip.deposit_percentage->ppm == 0 ? std::nullopt : share(*trip.deposit_percentage);
    if (terms.deposit_rate)
        return share(*terms.deposit_rate);
    if (terms.deposit_amount && terms.deposit_amount->currency() == total.currency())
        return flat(*terms.deposit_amount);
    return std::nullopt;
}

PaymentOption option(const char* id, const Part& part, const Money& total, const Terms& terms) {
    const Money left = total - part.amount;
    return {.id = id,
            .label = label_of(id),
            .description = left.is_zero() ? "" : terms.written(left) + " later",
            .amount = part.amount,
            .balance = left,
            .rate = part.rate,
            .flat = part.flat};
}

}  // namespace

std::string label_of(std::string_view name) {
    return name == "full" ? "Pay in full" : name == "deposit" ? "Pay a deposit" : "Pay a part";
}

std::vector<PaymentOption> ways_to_pay(const Terms& terms, const catalog::trips::Trip& trip, const Request& request,
                                       const Money& total, const Listeners& listeners) {
    std::vector<PaymentOption> options;
    const bool in_time = !terms.balance_days || terms.today < request.travel_date.plus_days(-*terms.balance_days);
    if (terms.flexible_payments && in_time && !total.is_zero()) {
        if (terms.deposit)
            if (const auto deposit = deposit_of(terms, trip, total, listeners))
                options.push_back(option("deposit", *deposit, total, terms));
        if (terms.partial_rate)
            if (const auto part = share_of(total, listeners.percent(partial_payment_percentage, *terms.partial_rate)))
                options.push_back(option("partial", *part, total, terms));
    }
    const bool has_deposit = !options.empty() && options.front().id == "deposit";
    if (!(terms.deposit_required && has_deposit))
        options.insert(options.begin(), option("full", {.amount = total}, total, terms));
    return options;
}

}  // namespace svc::pricing
