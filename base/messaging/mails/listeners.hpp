// The actions that cause e-mails.
#pragma once

#include "base/messaging/mails/service.hpp"

namespace svc::messaging {

// Each function registers listeners at start-up; the actions must have been declared, else std::logic_error. The
// service outlives them.
void listen_to_statuses(Service& service);  // created, confirmed and cancelled: e-mails to the customer
void listen_to_bookings(Service& service);  // other changes of bookings, and all e-mails to staff about them
void listen_to_departures(Service& service);
void listen_to_payments(Service& service);  // completed ones with send_emails, and refunds
void listen_to_enquiries(Service& service);

// The page on which a booking's customer writes a review.
using ReviewPage = std::function<std::string(const json::Value& booking)>;
void listen_to_reviews(Service& service, ReviewPage page);

// The links for an action that reports on an account.
using AccountLink = std::function<std::string(std::int64_t user_id, const json::Value& account)>;
struct AccountLinks {
    AccountLink proof, reset;  // proves its address; sets a new password
    AccountLink change;        // gives it another address
    AccountLink privacy;       // returns or erases its holder's data
};
void listen_to_accounts(Service& service, AccountLinks links);

// Registers one listener called "messaging.{name}".
void listen(Service& service, std::string_view action, std::string_view name, hooks::ActionCall call);

}  // namespace svc::messaging
