// The settings that decide how payments act on bookings.
#pragma once

#include "base/settings/settings.hpp"

namespace svc::payment {

inline void declare_settings(settings::Settings& settings) {
    settings.declare(
        {.key = "auto_confirm_mode",
         .type = api::choice({"none", "online", "all"}),
         .fresh = "online",
         .says = "Which payments confirm a booking: none, an online payment that settles it, or every one.",
         .group = "booking"});
    settings.declare(
        {.key = "payment_gateways",
         .type = api::list(api::text(50, 1), 50),
         .fresh = json::Value::array({"pay_later"}),
         .says = "The gateways offered at checkout; /payment/gateways/{gateway}/config switches them here too.",
         .group = "payment"});
    settings.declare(
        {.key = "payment_test_mode",
         .type = api::boolean(),
         .fresh = true,
         .says = "Gateways use their sandbox, by their keys for tests; nothing of it counts once it is off.",
         .group = "payment"});
    settings.declare({.key = "allow_save_payment_methods",
                      .type = api::boolean(),
                      .fresh = false,
                      .says = "Customers who are signed in may let a gateway keep their card for later charges.",
                      .group = "payment",
                      .module = "flexible_payments"});
}

}  // namespace svc::payment
