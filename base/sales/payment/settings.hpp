// The settings that decide how payments act on bookings.
#pragma once

#include "base/settings/values/settings.hpp"
#include "shared/plugin/pro_modules.hpp"

namespace svc::payment {

inline void declare_settings(settings::Settings& settings) {
    settings.declare(
        {.key = "auto_confirm_mode",
         .type = api::choice({"none", "online", "all"}),
         .initial = "online",
         .help = "Which payments confirm a booking. none: staff confirm each one. online: an online payment of the full"
                 " amount due. all: any payment, and a booking that is to be paid later is confirmed at once, with"
                 " nothing paid.",
         .group = "booking"});
    settings.declare({.key = "payment_gateways",
                      .type = api::list(api::text(50, 1), 50),
                      .initial = json::Value::array({"pay_later"}),
                      .help = "Gateways enabled at checkout; also switched by /payment/gateways/{gateway}/config.",
                      .group = "payment",
                      .also = {"payment_methods"}});
    settings.declare({.key = "gateway_order",
                      .type = api::list(api::text(50, 1), 50),
                      .initial = json::Value::array(),
                      .help = "Order of gateways at checkout; gateways not listed come last.",
                      .group = "payment"});
    settings.declare({.key = "auto_confirm_bookings",
                      .type = api::boolean(),
                      .initial = false,
                      .help = "From older releases; migrated to auto_confirm_mode and otherwise without effect.",
                      .group = "booking"});
    settings.declare({.key = "auto_confirm_pay_later",
                      .type = api::boolean(),
                      .initial = true,
                      .help = "From older releases; kept, but without effect beside auto_confirm_mode.",
                      .group = "booking"});
    settings.declare({.key = "payment_test_mode",
                      .type = api::boolean(),
                      .initial = true,
                      .help = "Gateways use their sandbox with test keys; test payments are ignored when it is off.",
                      .group = "payment"});
    settings.declare({.key = "allow_save_payment_methods",
                      .type = api::boolean(),
                      .initial = false,
                      .help = "Signed-in customers may save a payment method at a gateway for later charges.",
                      .group = "payment",
                      .module = plugin::slugs::flexible_payments});
}

}  // namespace svc::payment
