// What is paid at checkout: everything, a deposit or a part.
#include "base/pricing/payable.hpp"

#include "base/pricing/hooks.hpp"

namespace svc::pricing {
namespace {

struct Part {
    Money amount;
    std::optional<Rate> rate = {};
};

// The trip's own word counts before the site's; nothing at all is no deposit.
std::optional<Part> deposit_of(const Terms& terms, const catalog::trips::Trip& trip, const Money& total,
                               const Listeners& listeners) {
    const auto share = [&](Rate listed) {
        const Rate rate = listeners.percent(deposit_percentage, listed);
        return Part{.amount = total.share(rate), .rate = rate};
    };
    if (trip.deposit_amount)
        return Part{.amount = min(*trip.deposit_amount, total)};
    if (trip.deposit_percentage)
        return trip.deposit_percentage->ppm == 0 ? Part{.amount = Money::zero(total.currency())}
                                                 : share(*trip.deposit_percentage);
    if (terms.deposit_rate)
        return share(*terms.deposit_rate);
    if (terms.deposit_amount && terms.deposit_amount->currency() == total.currency())
        return Part{.amount = min(*terms.deposit_amount, total)};
    return std::nullopt;
}

PaymentOption option(const char* id, const Money& amount, const Money& total, std::optional<Rate> rate = {}) {
    const Money left = total - amount;
    return {.id = id,
            .label = label_of(id),
            .description = left.is_zero() ? "" : left.decimal() + " " + std::string(left.currency().code()) + " later",
            .amount = amount,
            .balance = left,
            .rate = rate};
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
            if (const auto deposit = deposit_of(terms, trip, total, listeners); deposit && !deposit->amount.is_zero())
                options.push_back(option("deposit", deposit->amount, total, deposit->rate));
        if (terms.partial_rate) {
            const Rate rate = listeners.percent(partial_payment_percentage, *terms.partial_rate);
            if (const Money part = total.share(rate); !part.is_zero())
                options.push_back(option("partial", part, total, rate));
        }
    }
    const bool has_deposit = !options.empty() && options.front().id == "deposit";
    if (!(terms.deposit_required && has_deposit))
        options.insert(options.begin(), option("full", total, total));
    return options;
}

}  // namespace svc::pricing
