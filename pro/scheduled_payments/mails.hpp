// The e-mails about planned charges: before one, of a card that ends before it, after it, and after a failed one.
#pragma once

#include "pro/common/site.hpp"
#include "pro/scheduled_payments/scheduled_payment.hpp"

namespace svc::pro::scheduled_payments {

// Declares their templates; nothing on a base without svc.mails/1. [start-up]
void declare_mails(const Site& site);

// Each queues its e-mails in the transaction of the change, once per change. `context` as the actions pass it. Nothing
// happens on a base without svc.mails/1. An e-mail that the base refuses throws std::runtime_error, which rolls the
// change back.
void mail_reminder(const Site& site, store::Transaction& tx, const ScheduledPayment& payment,
                   const json::Value& context);
void mail_card_ends(const Site& site, store::Transaction& tx, const ScheduledPayment& payment, const Card& card,
                    const json::Value& context);
void mail_success(const Site& site, store::Transaction& tx, const ScheduledPayment& payment,
                  const json::Value& context);
void mail_failure(const Site& site, store::Transaction& tx, const ScheduledPayment& payment,
                  const json::Value& context);

}  // namespace svc::pro::scheduled_payments
