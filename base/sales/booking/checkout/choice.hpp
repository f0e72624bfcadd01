// The choices and data of a caller: for a session, and for its booking.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/catalog/trips/editor/service.hpp"
#include "base/people/customers/customer.hpp"
#include "base/sales/booking/checkout/session.hpp"
#include "base/sales/booking/record/booking.hpp"
#include "base/sales/pricing/quote.hpp"
#include "shared/json/value.hpp"

namespace svc::booking {

// The party and date in a session's or a direct request; absent members keep their value.
struct Choice {
    std::optional<std::int64_t> trip_id = {};
    std::optional<Date> travel_date = {};
    std::optional<ClockTime> departure_time = {};
    std::optional<std::int64_t> travelers = {};
    std::map<std::int64_t, std::int64_t> traveler_counts = {};  // not empty: `travelers` is their sum
    std::optional<std::string> payment_method = {};
    std::optional<std::string> payment_gateway = {};  // empty: none any more
    std::optional<json::Value> form_data = {};        // stored unchanged in the session; empty: removed
    bool no_date = false, no_time = false;            // any more
    std::optional<std::string> coupon_code = {};      // empty: none any more
    std::optional<std::string> country = {};
    std::optional<std::map<std::int64_t, std::int64_t>> services = {};  // how many of each additional service
    std::optional<std::int64_t> departure_id = {};  // implies its trip, date and time; they must not differ
    std::optional<Error> fault = {};                // it names something that cannot be: nothing is done with it
};

// Applies the choice to a session: another trip clears date, time and party, another date its time.
void apply_choice(CheckoutSession& session, const Choice& choice);

struct OpenSession {
    CheckoutSession session;
    std::shared_ptr<const catalog::trips::Trip> trip = {};  // while it is published
    std::string date_id = {};                 // of the choice: its departure's id, else its id by rule; empty: neither
    std::optional<bool> traveler_based = {};  // the pricing type of the choice, once known
    std::string secret = {};                  // known at opening alone
    json::Value form_data = json::Value::object();
    std::optional<Error> not_for_sale = {};    // why a chosen trip and date have no quote
    std::optional<pricing::Quote> quote = {};  // when trip and date are chosen and can be booked
};

// The default method.
inline constexpr const char* default_gateway = "pay_later";

struct NewBooking {
    Choice choice = {};
    customers::Contact contact = {};
    json::Value travelers = {};  // array of {field: text}; may be empty
    std::string gateway = {};    // empty: the one that the session holds, else pay_later
    std::string special_requests = {}, internal_notes = {};
    std::optional<std::string> expected_total = {};  // decimal text; another total is 409 price_changed
    std::string source = "web";
    std::string locale = {};              // of its e-mails; empty: the account's, else the site's
    Actor made_by = {.kind = "admin"};    // of one for a customer
    bool by_staff = false;                // skips cut-off and horizon, never seats
    bool join_waitlist = false;           // rather waits than be refused when the seats do not suffice
    std::string client = {};              // the client whose unpaid seats are counted together; empty: not counted
    std::vector<FieldError> faults = {};  // found by the route, reported with those of the form
    bool asks_gateway = false;            // a gateway that may not be used is reported with them, too

    // -- the form's further answers
    json::Value contact_data = json::Value::object(), emergency = json::Value::object();  // by field
    bool newsletter = false, terms_accepted = false;
    std::optional<std::string> account_password = {};  // set: an account is made for the contact's address

    // -- by staff alone
    // The customer's record, which fills empty members of the contact.
    std::optional<std::int64_t> customer_id = {};
    std::optional<std::int64_t> enquiry_id = {};  // of its origin
    std::string status = {};                // the status that staff request for the new booking; empty: the default
    std::optional<std::string> total = {};  // decimal text, in place of the price's
    std::optional<std::string> paid = {};   // decimal text: recorded as one payment by hand
    std::string payment_status = {};        // paid: so is the rest of the total; others follow from payments
    pricing::ByHand by_hand = {};           // parts of the price
    bool forced = false;                    // beyond the departure's capacity
};

}  // namespace svc::booking
