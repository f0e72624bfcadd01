// The parts of checkout pages about payment, from the payments' services.
#include "base/sales/payment/booking_pages.hpp"

#include <algorithm>

#include "base/sales/payment/gateways/wire.hpp"

namespace svc::payment {

json::Value BookingPages::usable(const Money& amount, const std::optional<booking::Departs>& departs) const {
    return json::array_of(gateways_.bookable(amount),
                          [&](const OfferedGateway& one) { return to_json(one, gateways_.pay_by(one, departs)); });
}

api::Type BookingPages::usable_answer() const { return gateway_answer(); }

booking::PaymentPages::Instructions BookingPages::instructions() const {
    const auto offered = gateways_.available(Money::zero(settings_.currency()), false);
    return [this, offered](std::string_view gateway, const json::Value& booking, std::string_view locale) {
        const auto one = std::find_if(offered.begin(), offered.end(),
                                      [&](const OfferedGateway& each) { return each.gateway->info().id == gateway; });
        if (one == offered.end())
            return HowToPay{};
        if (!one->gateway->info().is_offline)
            return HowToPay{.online = true};
        return HowToPay{.instructions = gateways_.instructions(*one, booking, locale)};
    };
}

}  // namespace svc::payment
