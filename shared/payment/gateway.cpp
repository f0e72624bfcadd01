// Default responses of gateways without an ability.
#include "shared/payment/gateway.hpp"

#include <algorithm>

namespace svc::payment {

bool GatewayInfo::can(std::string_view what) const {
    return std::find(supports.begin(), supports.end(), what) != supports.end();
}

Result<Intent> Gateway::intent(const Situation&, const IntentRequest&) const { return errc::offline_gateway_manual; }

Result<Charge> Gateway::confirm(const Situation&, const Inquiry&) const { return errc::offline_gateway_manual; }

Result<std::vector<Event>> Gateway::webhook(const Situation&, const WebhookCall&) const {
    return Error(errc::webhook_rejected).because("this gateway has no webhook");
}

Result<Refund> Gateway::refund(const Situation&, const RefundRequest&) const { return errc::offline_gateway_manual; }

Result<Charge> Gateway::charge_saved(const Situation&, const SavedCharge&) const {
    return errc::payment_method_unavailable;
}

Result<void> Gateway::forget_saved(const Situation&, const SavedMethod&) const {
    return errc::payment_method_unavailable;
}

Result<std::string> Gateway::probe(const Situation&) const { return errc::offline_gateway_manual; }

}  // namespace svc::payment
