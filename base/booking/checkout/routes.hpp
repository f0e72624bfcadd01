// Routes of checkout and of the staff's bookings (spec 4.6, 4.7).
#pragma once

#include "base/booking/record/proof.hpp"
#include "base/booking/record/service.hpp"
#include "base/booking/record/verification.hpp"
#include "base/platform/crypto/crypto.hpp"
#include "base/platform/limits/rate_limits.hpp"
#include "shared/api/route.hpp"

namespace svc::booking {

struct Checkout {
    Service& bookings;
    store::Store& store;
    settings::Settings& settings;
    const crypto::Keyring& keyring;
    limits::RateLimits& limits;
    std::string site_url;
    // The gateways a customer may choose for that amount, as on /payment/gateways.
    std::function<json::Value(const Money& amount)> gateways;
    api::Type gateway_answer;  // what one of these is
    // How a booking is paid once it is made: online, on a page that asks for a charge, or as the text says.
    struct HowToPay {
        bool online = false;
        std::string instructions = {};
    };
    // The gateway is read at once, its text is made later, inside the booking's transaction, where nothing may wait for
    // a second session.
    using Instructions = std::function<HowToPay(std::string_view gateway, const json::Value& booking)>;
    std::function<Instructions()> instructions;
    Verification verification;
    // Whom an address stands for when unpaid seats are counted; empty: for nobody in particular.
    std::function<std::string(const std::string& address)> client_of;
    // Whether a person sent a form, by the token that came with it; recaptcha_failed. Empty: anybody may be.
    std::function<Result<void>(const std::string& token, const std::string& address)> is_human = {};
    // Whether who books may have an account made, as at registration: registration_disabled, 429, recaptcha_failed.
    std::function<Result<void>(const std::string& token, const std::string& address)> may_make_account = {};
    // What the token of /payment/remaining/session opens: the booking's balance, as a session; session_expired.
    std::function<Result<json::Value>(const std::string& secret, const api::Caller& caller)> balance = {};
    // Ends that session.
    std::function<Result<void>(const std::string& secret, const api::Caller& caller)> end_balance = {};
};

void add_checkout_routes(api::RouteTable& routes, Checkout checkout);
void add_form_routes(api::RouteTable& routes, const Checkout& checkout);
void add_admin_routes(api::RouteTable& routes, Service& bookings, const settings::Settings& settings);
void add_edit_routes(api::RouteTable& routes, Service& bookings);
void add_removal_routes(api::RouteTable& routes, Service& bookings);
// Customers' own: `reads` and `cancels` decide by the path's id, `invoice_token` proves the right to read the booking's
// invoice.
void add_own_routes(api::RouteTable& routes, Service& bookings, const settings::Settings& settings,
                    api::Permission reads, api::Permission cancels,
                    std::function<std::string(const Booking&)> invoice_token);
void add_traveler_routes(api::RouteTable& routes, Service& bookings);

// -- shared by the files of routes
// A booking as the caller may see it: whose record it is would reveal to others than staff and the owner of the address
// whether the address was known.
json::Value shown_to(const api::Caller& caller, const Booking& booking, json::Value told);
// The statuses a list may be asked for; on_hold is another name of on-hold.
std::vector<std::string> listed_statuses(bool with_trash);
// The one a list was asked for; empty: all but the trash.
std::string status_asked(const json::Value& query);
Actor staff_of(const api::Request& request);
// `force`, by which staff overbook; forbidden without the right to manage departures.
api::Field force_field();
Result<bool> forced_of(const api::Request& request);
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
api::Schema bulk_fields(std::vector<std::string> actions);
api::Type bulk_answer();
json::Value bulk_json(const std::string& action, const std::vector<Service::Outcome>& outcomes);

// The session whose secret a request holds, as the routes of checkout find it; none: it holds no secret.
std::function<Result<std::optional<OpenSession>>(const api::Request&)> session_holder(Service& bookings,
                                                                                      limits::RateLimits& limits);

}  // namespace svc::booking
