// Routes of checkout (spec 4.6).
#pragma once

#include "base/booking/checkout/creator.hpp"
#include "base/booking/record/proof.hpp"
#include "base/platform/crypto/crypto.hpp"
#include "base/platform/limits/rate_limits.hpp"
#include "shared/api/route.hpp"

namespace svc::booking {

// What the routes of checkout are built from.
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
    // Whom an address stands for when unpaid seats are counted; empty: for nobody in particular.
    std::function<std::string(const std::string& address)> client_of;
    // Whether a person sent a form, by the token that came with it; recaptcha_failed. Empty: anybody may be.
    std::function<Result<void>(const std::string& token, const std::string& address)> is_human = {};
    // Whether who books may have an account made, as at registration: registration_disabled, 429, recaptcha_failed.
    std::function<Result<void>(const std::string& token, const std::string& address)> may_make_account = {};
};

void add_checkout_routes(api::RouteTable& routes, CheckoutRoutes checkout);
void add_form_routes(api::RouteTable& routes, const CheckoutRoutes& checkout);

// -- shared by the files of routes
// A booking as the caller may see it: whose record it is would reveal to others than staff and the owner of the address
// whether the address was known.
json::Value shown_to(const api::Caller& caller, const Booking& booking, json::Value told);
api::Schema choice_fields();
// Of a visitor's pages, where an empty field is sent as null as often as it is left out.
api::Schema checkout_choice_fields();
Choice choice_of(const json::Value& input);
// The choice that a refusal is about, where the rule that refuses does not know what the request calls it; and answers
// by where they were sent: what rules call contact_first_name lies in `contact`, contact_hotel in `contact_data`.
Error by_field(Error error, const api::Request& request);
void told_in(std::vector<FieldError>& faults, const json::Value& body);
// Answers to fields of the operator's own form, each as a member of the body: contact_hotel, emergency_doctor. They are
// laid beside those of contact_data and emergency_contact.
void take_own_answers(const api::Request& request, NewBooking& wanted);

// The session whose secret a request holds, as the routes of checkout find it; none: it holds no secret.
std::function<Result<std::optional<OpenSession>>(const api::Request&)> session_holder(Sessions& sessions,
                                                                                      limits::RateLimits& limits);

}  // namespace svc::booking
