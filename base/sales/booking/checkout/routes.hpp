// Routes of checkout (spec 4.6).
#pragma once

#include "base/platform/crypto/crypto.hpp"
#include "base/platform/limits/rate_limits.hpp"
#include "base/sales/booking/checkout/creator.hpp"
#include "base/sales/booking/record/proof.hpp"
#include "shared/api/route.hpp"

namespace svc::booking {

// Dependencies of the routes of checkout.
struct CheckoutRoutes {
    Service& records;
    Forms& forms;
    Offers& offers;
    Sessions& sessions;
    Creator& creator;
    store::Store& store;
    settings::Settings& settings;
    const crypto::Keyring& keyring;
    limits::RateLimits& limits;
    std::string site_url;
    const PaymentPages& pages;
    // The client of an address for counting unpaid seats; empty: not counted.
    std::function<std::string(const std::string& address)> client_of;
    // Checks that a person sent the form, by its token; recaptcha_failed. Empty: not checked.
    std::function<Result<void>(const std::string& token, const std::string& address)> is_human = {};
    // Whether who books may have an account made, as at registration: registration_disabled, 429, recaptcha_failed.
    std::function<Result<void>(const std::string& token, const std::string& address)> may_make_account = {};
};

void add_checkout_routes(api::RouteTable& routes, CheckoutRoutes checkout);
void add_form_routes(api::RouteTable& routes, const CheckoutRoutes& checkout);

// -- shared by the files of routes
// A booking as the caller may see it: whose record it is would reveal to others than staff and the owner of the address
// whether the address was known.
json::Value shown_to(const api::Caller& caller, const Booking& booking, json::Value record);
api::Schema choice_fields();
// Of a visitor's pages, where an empty field is sent as null as often as it is left out.
api::Schema checkout_choice_fields();
Choice choice_of(const json::Value& input);
// Names the field of the request for errors of rules that do not know it; maps answers to their place in the body:
// contact_first_name is in `contact`, contact_hotel in `contact_data`.
Error by_field(Error error, const api::Request& request);
void use_sent_names(std::vector<FieldError>& faults, const json::Value& body);
// Reads answers to the operator's own fields from members of the body: contact_hotel, emergency_doctor. They are added
// to those of contact_data and emergency_contact.
void take_own_answers(const api::Request& request, NewBooking& draft);

// The session whose secret a request holds, as the routes of checkout find it; none: it holds no secret.
std::function<Result<std::optional<OpenSession>>(const api::Request&)> session_holder(Sessions& sessions,
                                                                                      limits::RateLimits& limits);

}  // namespace svc::booking
