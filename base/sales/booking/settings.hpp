// Settings of bookings: permissions, form, limits, expiry.
#pragma once

#include "base/sales/booking/cancellation/trip_terms.hpp"
#include "base/sales/booking/form/form.hpp"
#include "base/sales/booking/record/hooks.hpp"
#include "base/settings/values/site_settings.hpp"
#include "shared/plugin/pro_modules.hpp"

namespace svc::booking {

inline void declare_settings(settings::SiteSettings& settings, const hooks::Hooks& hooks) {
    declare_cancellation_settings(settings);
    settings.declare({.key = "require_login",
                      .type = api::boolean(),
                      .initial = false,
                      .help = "Booking requires a signed-in customer.",
                      .group = "booking"});
    settings.declare({.key = "allow_guest_checkout",
                      .type = api::boolean(),
                      .initial = true,
                      .help = "Guests may book without an account.",
                      .group = "booking",
                      .also = {"enable_guest_booking"}});
    settings.declare(
        {.key = "require_guest_email_verification",
         .type = api::boolean(),
         .initial = false,
         .help = "Guests must confirm their e-mail address by a mailed link before the booking is processed.",
         .group = "booking"});
    settings.declare({.key = "terms_page_id",
                      .type = api::integer(0),
                      .initial = 0,
                      .help = "Page of /settings/pages with the terms; if above 0, customers must accept them.",
                      .group = "booking"});
    settings.declare({.key = "privacy_policy_page_id",
                      .type = api::integer(0),
                      .initial = 0,
                      .help = "Page of /settings/pages with the privacy policy.",
                      .group = "booking"});
    settings.declare({.key = "booking_form_config",
                      .type = api::map(api::anything()),
                      .initial = json::Value::object(),
                      .help = "Fields of the booking form; empty for the standard form.",
                      .group = "booking",
                      .also_checks = form::check_shape,
                      .cleans = [&hooks](const json::Value& given) -> json::Value {
                          if (given.size() == 0)
                              return given;
                          const json::Value clean = form::sanitized(given);
                          return form::completed(hooks.apply(save_form_config, clean, {given}), clean);
                      }});
    settings.declare({.key = "form_file_megabytes",
                      .type = api::integer(1, 10),
                      .initial = 5,
                      .help = "Largest file that a field of the booking form takes, in megabytes.",
                      .group = "booking",
                      .module = std::string(plugin::slugs::dynamic_form_field)});
    settings.declare({.key = "form_answers_until_hours",
                      .type = api::integer(0, 8760),
                      .initial = 0,
                      .help = "Hours before the departure until which customers may add and replace the answers of"
                              " their booking that a field of the form leaves open after booking.",
                      .group = "booking",
                      .module = std::string(plugin::slugs::dynamic_form_field)});
    settings.declare({.key = "form_file_days",
                      .type = api::integer(0, 3650),
                      .initial = 30,
                      .help = "Days after a trip's last day until the files of its bookings' forms are deleted; 0: they"
                              " are kept as long as the booking.",
                      .group = "booking",
                      .module = std::string(plugin::slugs::dynamic_form_field)});
    settings.declare({.key = "seat_hold_categories_excluded",
                      .type = api::list(api::id(), 50),
                      .initial = json::Value::array(),
                      .help = "Ids of traveler categories that take no seat, such as infants on a lap.",
                      .group = "booking"});
    settings.declare(
        {.key = "booking_expiry_hours",
         .type = api::integer(0, 8760),
         .initial = 24,
         .help = "Hours after which an unpaid booking expires, unless its way of paying has days of its own; 0:"
                 " none expires.",
         .group = "booking"});
    // Enabling it again starts from now: bookings left unpaid meanwhile are exempt.
    settings.declare_following(
        "booking_expiry_hours", [](const json::Value& before, const json::Value& hours, Instant now) {
            if (hours.integer() != 0 && before.integer() != 0)
                return json::Value::object();
            return json::Value::object({{"booking_expiry_since", hours.integer() == 0 ? std::string() : now.text()}});
        });
    settings.declare(
        {.key = "unpaid_seats_share",
         .type = api::integer(1, 100),
         .initial = 50,
         .help = "Percentage of a departure's seats that one IP address may hold unpaid and unconfirmed, in one"
                 " or several bookings, for departures of more than ten seats; 100: no limit.",
         .group = "booking"});
    settings.declare(
        {.key = "booking_expiry_since",
         .type = api::text(40),
         .initial = "",
         .help = "Bookings created before this instant never expire; set by the first sweep and when"
                 " booking_expiry_hours changes from 0.",
         .group = "internal",
         .also_checks = [](const json::Value& given) -> Result<void> {
             if (given.text().empty() || Instant::parse(given.text()))
                 return {};
             return Error{errc::validation_error, "Enter an instant such as 2026-06-01T08:00:00Z."_sentence};
         }});
    settings.declare({.key = "booking_reminder_days",
                      .type = api::integer(0, 365),
                      .initial = 3,
                      .help = "Days before a trip on which a reminder is sent; 0: never.",
                      .group = "booking"});
    settings.declare({.key = "booking_autocomplete_since",
                      .type = api::text(10),
                      .initial = "",
                      .help = "Bookings of trips that ended before this day are not completed automatically.",
                      .group = "internal",
                      .also_checks = [](const json::Value& given) -> Result<void> {
                          if (given.text().empty() || Date::parse(given.text()))
                              return {};
                          return Error{errc::validation_error, "Enter a date such as 2026-06-01."_sentence};
                      }});
}

}  // namespace svc::booking
