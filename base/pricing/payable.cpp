// What is paid at checkout: everything, a deposit or a part.
#include "base/pricing/payable.hpp"

#include "base/pricing/hooks.hpp"

namespace svc::pricing {
namespace {

// The trip's own word counts before the site's; nothing at all is no deposit.
std::optional<Money> deposit_of(const Terms& terms, const catalog::trips::Trip& trip, const Money& total,
                                const Listeners& listeners) {
    const auto share = [&](Rate rate) { return total.share(listeners.percent(deposit_percentage, rate)); };
    if (trip.deposit_amount)
        return min(*trip.deposit_amount, total);
    if (trip.deposit_percentage)
        return trip.deposit_percentage->ppm == 0 ? Money::zero(total.currency()) : share(*trip.deposit_percentage);
    if (terms.deposit_rate)
        return share(*terms.deposit_rate);
    if (terms.deposit_amount && terms.deposit_amount->currency() == total.currency())
        return min(*terms.deposit_amount, total);
    return std::nullopt;
}

PaymentOption option(const char* id, const Money& amount, const Money& total) {
    const Money left = total - amount;
    return {.id = id,
            .label = label_of(id),
            .description = left.is_zero() ? "" : left.decimal() + " " + std::string(left.currency().code()) + " later",
            .amount = amount,
            .balance = left};
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
            if (const auto deposit = deposit_of(terms, trip, total, listeners); deposit && !deposit->is_zero())
                options.push_back(option("deposit", *deposit, total));
        if (terms.partial_rate) {
            const Money part = total.share(listeners.percent(partial_payment_percentage, *terms.partial_rate));
            if (!part.is_zero())
                options.push_back(option("partial", part, total));
        }
    }
    const bool has_deposit = !options.empty() && options.front().id == "deposit";
    if (!(terms.deposit_required && has_deposit))
        options.insert(options.begin(), option("full", total, total));
    return options;
}

}  // namespace svc::pricing
