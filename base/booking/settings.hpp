// The settings that decide who may book and how.
#pragma once

#include "base/settings/settings.hpp"

namespace svc::booking {

inline void declare_settings(settings::Settings& settings) {
    settings.declare({.key = "require_login",
                      .type = api::boolean(),
                      .fresh = false,
                      .says = "Bookings need a signed-in customer.",
                      .group = "booking"});
    settings.declare({.key = "allow_guest_checkout",
                      .type = api::boolean(),
                      .fresh = true,
                      .says = "Visitors may book without an account.",
                      .group = "booking",
                      .also = {"enable_guest_booking"}});
    settings.declare({.key = "booking_base",
                      .type = api::text(60, 1),
                      .fresh = "book",
                      .says = "First part of the address of booking pages.",
                      .group = "permalinks"});
}

}  // namespace svc::booking
