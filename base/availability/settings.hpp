// The settings that decide which dates are offered.
#pragma once

#include "base/settings/settings.hpp"

namespace svc::availability {

inline void declare_settings(settings::Settings& settings) {
    settings.declare({.key = "availability_horizon_months",
                      .type = api::integer(1, 36),
                      .fresh = 12,
                      .says = "How many months ahead dates are offered; a trip's own last date wins when earlier.",
                      .group = "booking",
                      .also = {"booking_horizon_months"}});
    settings.declare({.key = "show_sold_out",
                      .type = api::boolean(),
                      .fresh = true,
                      .says = "Sold-out dates are listed too.",
                      .group = "booking"});
}

}  // namespace svc::availability
