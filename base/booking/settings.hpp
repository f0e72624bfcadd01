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
    settings.declare({.key = "booking_expiry_hours",
                      .type = api::integer(0, 8760),
                      .fresh = 24,
                      .says = "After how many hours an unpaid booking ends by itself; 0: never.",
                      .group = "booking"});
    settings.declare({.key = "booking_expiry_since",
                      .type = api::text(40),
                      .fresh = "",
                      .says = "Bookings made before that moment never end by themselves; set by the first sweep.",
                      .group = "internal"});
    settings.declare({.key = "booking_reminder_days",
                      .type = api::integer(0, 365),
                      .fresh = 3,
                      .says = "How many days before a trip its travelers are reminded; 0: never.",
                      .group = "booking"});
    settings.declare({.key = "booking_autocomplete_since",
                      .type = api::text(10),
                      .fresh = "",
                      .says = "Trips that ended before that day are not completed by themselves.",
                      .group = "internal"});
    settings.declare({.key = "booking_base",
                      .type = api::text(60, 1),
                      .fresh = "book",
                      .says = "First part of the address of booking pages.",
                      .group = "permalinks"});
}

}  // namespace svc::booking
