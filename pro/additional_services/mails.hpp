// The e-mail about services that a booking got after it was made.
#pragma once

#include "pro/common/site.hpp"

namespace svc::pro::additional_services {

// Declares its template; nothing on a base without svc.mails/1. [start-up]
void declare_mails(const Site& site);

// Queues it for the booking's contact in the transaction of the change, once per change. `added` as
// svc_booking_services_added passes it. Nothing happens on a base without svc.mails/1. An e-mail that the base refuses
// throws std::runtime_error, which rolls the change back.
void mail_added(const Site& site, store::Transaction& tx, std::int64_t booking_id, const json::Value& added);

}  // namespace svc::pro::additional_services
