// What the customer of a booking agreed to about cancelling, and what that comes to on a day: the member `cancellation`
// of a booking, in routes, events and e-mails alike.
#pragma once

#include "base/sales/booking/cancellation/sentences.hpp"
#include "base/sales/booking/cancellation/trip_terms.hpp"
#include "shared/store/store.hpp"

namespace svc::booking {

// Statements alone.
class AgreedCancellations {
  public:
    static void insert(store::Transaction& tx, std::int64_t booking_id, const AgreedCancellation& agreed);
    // Nothing: the booking has none. `currency`: the booking's.
    struct Found {
        AgreedCancellation agreed;
        bool has_expired = false;  // the booking ended unpaid
    };
    static std::optional<Found> find(store::Session& session, std::int64_t booking_id, Currency currency);
};

// The booking on the day that counts: its cancellation, or else today.
struct CancellationCase {
    CancellationFare fare;
    Money paid;  // after refunds
    Date day;
    bool can_cost = true;  // false: the trip has taken place, or nothing was sold
};

// Nothing: there are no terms, or nothing can be cancelled any more.
std::optional<CancellationBill> cancellation_bill(const CancellationTerms& terms, const CancellationCase& booking);
json::Value to_json(const AgreedCancellation& agreed, const CancellationCase& booking);
api::Type cancellation_answer();

// From the member of a booking's answer, for its readers; `booking` is that answer. Nothing: it has no such member.
struct ShownCancellation {
    AgreedCancellation agreed;
    CancellationCase booking;
};
std::optional<ShownCancellation> shown_cancellation(const json::Value& booking);

}  // namespace svc::booking
