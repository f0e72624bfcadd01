// Common parts of every gateway call: the installation's addresses, and live or test mode.
#pragma once

#include <map>

#include "base/platform/limits/rate_limits.hpp"
#include "base/platform/metrics/metrics.hpp"
#include "base/sales/booking/record/service.hpp"
#include "base/sales/payment/capture/service.hpp"
#include "base/sales/payment/record/intent.hpp"
#include "base/sales/payment/refunds/refunds.hpp"

namespace svc::payment {

// Where this installation and its providers meet. Addresses are without a slash at their end.
struct Places {
    std::string site_url = {};                                       // https://site.example
    std::string root = {};                                           // https://site.example/svc/v1
    std::map<std::string, std::string, std::less<>> api_bases = {};  // by gateway; the operator's alone
};
// "paypal=http://127.0.0.1:9" each; another form throws std::runtime_error with a sentence for the operator.
std::map<std::string, std::string, std::less<>> api_bases_of(const std::vector<std::string>& list);

// Dependencies of the parts of the checkout.
struct CheckoutParts {
    store::Store& store;
    hooks::Hooks& hooks;
    settings::Settings& settings;
    Gateways& gateways;
    Service& payments;
    Refunds& refunds;
    booking::Service& bookings;
    const crypto::Keyring& keyring;
    const Clock& clock;
    metrics::Registry& metrics;
    limits::RateLimits& limits;
    // Calls the action's listeners on this thread and returns after the last of them.
    std::function<void(const hooks::Action&, json::Array)> run_in_place;
    Places places = {};
    std::function<void()> wake_reconciliation = {};
};

// The page that shows a booking after it was made or paid.
std::string confirmation_page(const CheckoutParts& parts, const booking::Booking& booking);

// Any thread.
class GatewayCalls {
  public:
    explicit GatewayCalls(const CheckoutParts& parts) : parts_(parts) {}

    // In the mode in which the charge began; none: the site's current mode.
    [[nodiscard]] Situation situation(const OfferedGateway& gateway, std::optional<bool> is_test = {}) const;
    // Whether the provider takes the stored credentials.
    [[nodiscard]] Result<std::string> probe(std::string_view gateway) const;
    // Whether the charge was made in test mode and its gateway is live now.
    [[nodiscard]] bool is_foreign(store::Session& session, const PaymentIntent& charge) const;
    void count(std::string_view what, std::string_view gateway, std::string_view outcome) const;

  private:
    const CheckoutParts& parts_;
};

}  // namespace svc::payment
