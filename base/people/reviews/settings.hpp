// The settings that decide who may write reviews and what becomes of them.
#pragma once

#include "base/settings/values/site_settings.hpp"

namespace svc::reviews {

inline void declare_settings(settings::SiteSettings& settings) {
    const auto flag = [&](const char* key, bool fresh, const char* help, std::vector<std::string> also = {}) {
        settings.declare({.key = key,
                          .type = api::boolean(),
                          .initial = fresh,
                          .help = help,
                          .group = "customer",
                          .also = std::move(also)});
    };
    flag("enable_reviews", true, "Trips can be reviewed; when off, nobody can write a review or is asked for one.");
    flag("allow_customer_reviews", true, "Customers can write reviews; requires enable_reviews.");
    flag("require_booking", true, "A review requires a completed booking of the trip.", {"require_booking_to_review"});
    flag("auto_approve_reviews", false, "Reviews are shown at once.");
    flag("review_moderation", true, "Reviews wait for approval by staff, unless auto_approve_reviews is on.",
         {"enable_review_moderation"});
    flag("allow_anonymous_reviews", false, "Visitors can write reviews without signing in; see require_booking.");
    settings.declare({.key = "min_rating",
                      .type = api::integer(1, 5),
                      .initial = 1,
                      .help = "The lowest rating that is accepted.",
                      .group = "customer",
                      .also = {"minimum_rating"}});
    settings.declare({.key = "review_reminder_days",
                      .type = api::integer(0, 365),
                      .initial = 7,
                      .help = "Days from a booking's completion to the e-mail that asks for a review; 0: none is sent.",
                      .group = "customer"});
}

}  // namespace svc::reviews
