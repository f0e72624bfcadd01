// What a charge is written by, be it of a booking or before one.
#pragma once

#include "base/payment/intent.hpp"
#include "shared/store/store.hpp"

namespace svc::payment {

// A table's own columns come on top.
inline store::Params charge_params(const PaymentIntent& charge) {
    return {{"gateway", charge.gateway},
            {"key", charge.key},
            {"amount", charge.amount.minor()},
            {"currency", charge.amount.currency().code()},
            {"client_amount", charge.client_amount},
            {"status", charge.status},
            {"return_url", charge.return_url},
            {"cancel_url", charge.cancel_url},
            {"save_method", charge.save_method},
            {"is_test", charge.is_test},
            {"ask_at", charge.ask_at},
            {"expires_at", charge.expires_at},
            {"created_at", charge.created_at}};
}

}  // namespace svc::payment
