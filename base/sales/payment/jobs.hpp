// The work that payments need by the clock.
#pragma once

#include "base/platform/jobs/jobs.hpp"
#include "base/sales/payment/checkout/checkout.hpp"

namespace svc::payment {

inline void add_jobs(jobs::Jobs& jobs, Checkout& checkout) {
    jobs.add({.name = "payment_reconciliation",
              .help = "Asks gateways about abandoned charges and unanswered refunds.",
              .every = std::chrono::minutes(5),
              .run = [&checkout](Instant now) { return checkout.reconcile(now); }});
}

}  // namespace svc::payment
