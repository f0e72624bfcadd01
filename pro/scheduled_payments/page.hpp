// The account's page of planned payments.
#pragma once

#include "pro/scheduled_payments/service.hpp"
#include "shared/pages/offered.hpp"

namespace svc::pro::scheduled_payments {

// /{account}/payments: planned charges of the visitor's own bookings, and their results.
pages::OfferedPage account_page(Service& service);

}  // namespace svc::pro::scheduled_payments
