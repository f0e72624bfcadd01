// Registers the gateways and the origins that their pages load from.
#include "pro/gateways/feature.hpp"

#include "pro/gateways/bank_transfer.hpp"
#include "pro/gateways/hooks.hpp"
#include "pro/gateways/razorpay.hpp"
#include "pro/gateways/stripe.hpp"

namespace svc::pro::gateways {

void Feature::declare() {
    if (site_.host.find<plugin::Gateways>())
        declare_hooks(site_.hooks);
}

void Feature::connect() {
    auto* gateways = site_.host.find<plugin::Gateways>();
    if (!gateways) {
        // A base from before gateways could charge takes those alone that our staff record by hand.
        if (auto* offline = site_.host.find<plugin::OfflineGateways>())
            offline->add(bank_transfer(site_.host));
        return;
    }
    gateways->add(bank_transfer(site_.host));
    gateways->add(stripe_gateway(send_by(site_.host)));
    gateways->add(razorpay_gateway(send_by(site_.host)));
    if (site_.pages) {  // else the base's pages load no scripts of providers
        site_.pages->declare("stripe", stripe_origins());
        site_.pages->declare("razorpay", razorpay_origins());
    }
}

}  // namespace svc::pro::gateways
