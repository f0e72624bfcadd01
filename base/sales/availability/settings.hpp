// The settings that decide which dates are offered.
#pragma once

#include <algorithm>

#include "base/settings/values/settings.hpp"

namespace svc::availability {

inline void declare_settings(settings::Settings& settings) {
    settings.declare(
        {.key = "availability_horizon_months",
         .type = api::integer(),
         .initial = 12,
         .help = "Number of months ahead for which dates are offered, 1 to 36; values outside are changed to the"
                 " nearest limit. A trip's earlier last date takes precedence.",
         .group = "booking",
         .also = {"booking_horizon_months"},
         .cleans = [](const json::Value& given) {
             return json::Value(std::clamp<std::int64_t>(given.integer(), 1, 36));
         }});
    settings.declare({.key = "show_sold_out",
                      .type = api::boolean(),
                      .initial = true,
                      .help = "List sold-out dates too.",
                      .group = "booking"});
    settings.declare({.key = "allow_waitlist",
                      .type = api::boolean(),
                      .initial = true,
                      .help = "Offer a waitlist for full departures, unless the trip disables it (waitlist_enabled).",
                      .group = "booking"});
    settings.declare({.key = "waitlist_auto_confirm",
                      .type = api::boolean(),
                      .initial = false,
                      .help = "Confirm bookings promoted from the waitlist at once, without a payment deadline.",
                      .group = "booking"});
    settings.declare({.key = "waitlist_offer_hours",
                      .type = api::integer(0, 720),
                      .initial = 0,
                      .help = "Hours a promoted booking keeps its seats unpaid, in addition to"
                              " booking_expiry_hours, which count from the promotion; 0: no limit.",
                      .group = "booking"});
}

}  // namespace svc::availability
