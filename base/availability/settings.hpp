// The settings that decide which dates are offered.
#pragma once

#include <algorithm>

#include "base/settings/settings.hpp"

namespace svc::availability {

inline void declare_settings(settings::Settings& settings) {
    settings.declare({.key = "availability_horizon_months",
                      .type = api::integer(),
                      .fresh = 12,
                      .says = "How many months ahead dates are offered, 1 to 36: what is beyond is brought back to the"
                              " nearest of them. A trip's own last date wins when earlier.",
                      .group = "booking",
                      .also = {"booking_horizon_months"},
                      .cleans = [](const json::Value& given) {
                          return json::Value(std::clamp<std::int64_t>(given.integer(), 1, 36));
                      }});
    settings.declare({.key = "show_sold_out",
                      .type = api::boolean(),
                      .fresh = true,
                      .says = "Sold-out dates are listed too.",
                      .group = "booking"});
    settings.declare(
        {.key = "allow_waitlist",
         .type = api::boolean(),
         .fresh = true,
         .says = "People may wait for seats of full departures, unless the trip says no (waitlist_enabled).",
         .group = "booking"});
    settings.declare({.key = "waitlist_auto_confirm",
                      .type = api::boolean(),
                      .fresh = false,
                      .says = "Who gets a seat from the waitlist is confirmed at once, without paying in time.",
                      .group = "booking"});
    settings.declare({.key = "waitlist_offer_hours",
                      .type = api::integer(0, 720),
                      .fresh = 0,
                      .says = "How long a seat from the waitlist is kept for who has not paid, besides"
                              " booking_expiry_hours, which count from the promotion; 0 is without end.",
                      .group = "booking"});
}

}  // namespace svc::availability
