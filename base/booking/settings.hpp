// The settings that decide who may book and how.
#pragma once

#include "base/booking/form/form.hpp"
#include "base/booking/record/hooks.hpp"
#include "base/settings/site_settings.hpp"

namespace svc::booking {

inline void declare_settings(settings::SiteSettings& settings, const hooks::Hooks& hooks) {
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
    settings.declare({.key = "require_guest_email_verification",
                      .type = api::boolean(),
                      .fresh = false,
                      .says = "Guests prove their address by a mailed link before their booking goes on.",
                      .group = "booking"});
    settings.declare({.key = "terms_page_id",
                      .type = api::integer(0),
                      .fresh = 0,
                      .says = "The page of /settings/pages with the terms; above 0 customers must accept them.",
                      .group = "booking"});
    settings.declare({.key = "privacy_policy_page_id",
                      .type = api::integer(0),
                      .fresh = 0,
                      .says = "The page of /settings/pages that tells what becomes of personal data.",
                      .group = "booking"});
    settings.declare({.key = "booking_form_config",
                      .type = api::map(api::anything()),
                      .fresh = json::Value::object(),
                      .says = "What is asked of who books and who travels; empty for the standard form.",
                      .group = "booking",
                      .also_checks = form::check_shape,
                      .cleans = [&hooks](const json::Value& given) -> json::Value {
                          if (given.size() == 0)
                              return given;
                          const json::Value clean = form::sanitized(given);
                          return form::completed(hooks.apply(save_form_config, clean, {given}), clean);
                      }});
    settings.declare({.key = "seat_hold_categories_excluded",
                      .type = api::list(api::id(), 50),
                      .fresh = json::Value::array(),
                      .says = "Traveler categories that take no seat, by their ids (infants on a lap, for one).",
                      .group = "booking"});
    settings.declare({.key = "booking_expiry_hours",
                      .type = api::integer(0, 8760),
                      .fresh = 24,
                      .says = "After how many hours an unpaid booking ends by itself; 0: never.",
                      .group = "booking"});
    // Turned off and on again it begins anew: what was left unpaid meanwhile was left so by intent.
    settings.declare_following(
        "booking_expiry_hours", [](const json::Value& before, const json::Value& hours, Instant now) {
            if (hours.integer() != 0 && before.integer() != 0)
                return json::Value::object();
            return json::Value::object({{"booking_expiry_since", hours.integer() == 0 ? std::string() : now.text()}});
        });
    settings.declare({.key = "unpaid_seats_share",
                      .type = api::integer(1, 100),
                      .fresh = 50,
                      .says =
                          "What percentage of a departure's seats one address may hold unpaid and unconfirmed, by one"
                          " booking or several, where these are more than ten seats; 100: all of them.",
                      .group = "booking"});
    settings.declare({.key = "booking_expiry_since",
                      .type = api::text(40),
                      .fresh = "",
                      .says =
                          "Bookings made before that moment never end by themselves; set by the first sweep and when"
                          " booking_expiry_hours leaves 0.",
                      .group = "internal",
                      .also_checks = [](const json::Value& given) -> Result<void> {
                          if (given.text().empty() || Instant::parse(given.text()))
                              return {};
                          return Error{errc::validation_error, "This is not a moment."};
                      }});
    settings.declare({.key = "booking_reminder_days",
                      .type = api::integer(0, 365),
                      .fresh = 3,
                      .says = "How many days before a trip its travelers are reminded; 0: never.",
                      .group = "booking"});
    settings.declare({.key = "booking_autocomplete_since",
                      .type = api::text(10),
                      .fresh = "",
                      .says = "Trips that ended before that day are not completed by themselves.",
                      .group = "internal",
                      .also_checks = [](const json::Value& given) -> Result<void> {
                          if (given.text().empty() || Date::parse(given.text()))
                              return {};
                          return Error{errc::validation_error, "This is not a day."};
                      }});
    settings.declare({.key = "booking_base",
                      .type = api::text(60, 1),
                      .fresh = "book",
                      .says = "First part of the address of booking pages.",
                      .group = "permalinks"});
}

}  // namespace svc::booking
