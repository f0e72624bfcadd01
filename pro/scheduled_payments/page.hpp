// The account's page of planned payments.
#pragma once

#include "pro/scheduled_payments/service.hpp"
#include "shared/pages/offered.hpp"

namespace svc::pro::scheduled_payments {

// /{account}/payments: what is charged by itself, and what became of it, of the visitor's own bookings alone.
pages::OfferedPage account_page(Service& service);

}  // namespace svc::pro::scheduled_payments
