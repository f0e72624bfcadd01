// Actions of card gateways, each with the provider's object, once an event's origin is proven.
#pragma once

#include "shared/hooks/hooks.hpp"

namespace svc::pro::gateways {

inline const hooks::Action card_succeeded{
    "svc_card_payment_succeeded",
    "A verified event reported a successful card payment (payment_intent.succeeded); the provider's object, without"
    " secrets and card data.",
    {"object"}};
inline const hooks::Action card_failed{"svc_card_payment_failed",
                                       "A verified event reported a failed card payment"
                                       " (payment_intent.payment_failed).",
                                       {"object"}};
inline const hooks::Action card_refunded{"svc_card_charge_refunded",
                                         "A verified event reported a partial or full refund of a card charge"
                                         " (charge.refunded).",
                                         {"object"}};
inline const hooks::Action razorpay_refund_created{
    "svc_razorpay_refund_created", "A refund of a Razorpay payment was completed.", {"refund"}};

inline void declare_hooks(hooks::Hooks& hooks) {
    for (const hooks::Action& action : {card_succeeded, card_failed, card_refunded, razorpay_refund_created})
        hooks.declare(action);
}

}  // namespace svc::pro::gateways
