// What happens on the site that a partner should know of: payments, confirmations and refunds become rows that a job
// sends.
#pragma once

#include "pro/common/site.hpp"
#include "pro/tracking/repository.hpp"

namespace svc::pro::tracking {

// Of one partner. Listeners, on threads that may wait for the database; nothing is sent here. Each throws when the row
// could not be stored, so that the action is reported again; a second report stores nothing.
class Occurrences {
  public:
    Occurrences(const Site& site, const Partner& partner) : site_(site), partner_(partner) {}

    // A booking was made: what its visitor chose before is reported by the id that their browser's report has.
    void booked(std::int64_t booking_id);
    // A charge of the booking was begun at a gateway.
    void paying(std::int64_t booking_id);
    // The argument of svc_payment_completed: the booking's first completed payment is its purchase.
    void paid(const json::Value& payment);
    // A confirmed booking is bought, whether it is paid or not.
    void confirmed(std::int64_t booking_id);
    // The argument of svc_credit_note_due.
    void refunded(const json::Value& refund);

  private:
    void purchase(std::int64_t booking_id, std::int64_t payment_id);
    Result<void> store_cart(store::Transaction& tx, std::int64_t booking_id, Instant now);
    Result<void> store_paying(store::Transaction& tx, std::int64_t booking_id, Instant now);
    Result<void> store_purchase(store::Transaction& tx, std::int64_t booking_id, std::int64_t payment_id, Instant now);
    Result<void> store_refund(store::Transaction& tx, std::int64_t booking_id, std::int64_t refund_id,
                              const json::Value& refund, Instant now);
    void store(std::string_view what, const std::function<Result<void>(store::Transaction&)>& work);

    const Site& site_;
    const Partner& partner_;
};

}  // namespace svc::pro::tracking
