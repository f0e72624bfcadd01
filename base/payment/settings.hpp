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
         .group = "payment",
         .also = {"payment_methods"}});
    settings.declare({.key = "gateway_order",
                      .type = api::list(api::text(50, 1), 50),
                      .fresh = json::Value::array(),
                      .says = "In which order gateways are offered; those it does not name come behind.",
                      .group = "payment"});
    settings.declare(
        {.key = "auto_confirm_bookings",
         .type = api::boolean(),
         .fresh = false,
         .says = "Of older releases; an upgrade makes auto_confirm_mode of it, and it has no effect itself.",
         .group = "booking"});
    settings.declare({.key = "auto_confirm_pay_later",
                      .type = api::boolean(),
                      .fresh = true,
                      .says = "Of older releases; kept, and without effect beside auto_confirm_mode.",
                      .group = "booking"});
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
