// Rows of scheduled payments, and the data of bookings they depend on.
#pragma once

#include <span>
#include <vector>

#include "pro/scheduled_payments/scheduled_payment.hpp"
#include "shared/store/store.hpp"

namespace svc::pro::scheduled_payments {

struct Query {
    std::string status = {}, search = {}, order_by = {};
    std::int64_t booking_id = 0;  // 0: of any
    std::int64_t holder_id = 0;   // 0: of any; else of this account's bookings
    std::int64_t guide_id = 0;    // 0: of any; else of bookings on departures that this user guides
    std::optional<Date> from = {}, to = {};
    std::optional<Instant> updated_since = {};
    bool ascending = true;
    std::int64_t limit = 20, offset = 0;
};

struct Counted {
    std::string status;
    std::int64_t count = 0, sum = 0;  // in that currency, in minor units
};

struct Outstanding {
    Owing booking;
    std::string reason;
};

// The newest payment of a booking, where a customer's own page made it.
struct PagePayment {
    std::int64_t id = 0;
    Money amount;
    Instant at;
};

class Repository {
  public:
    static std::optional<Owing> booking(store::Session& session, std::int64_t booking_id);
    // The booking, locked until the transaction ends: every change of its rows begins with that.
    static std::optional<Owing> lock(store::Transaction& tx, std::int64_t booking_id);
    // Completed refunds of the booking since then.
    static bool refunded_since(store::Session& session, std::int64_t booking_id, Instant since);

    static std::optional<PagePayment> last_by_page(store::Session& session, std::int64_t booking_id);
    // The newest completed payment of the booking since then; nothing: it has none, or it is a charge's.
    static std::optional<std::int64_t> last_unplanned(store::Session& session, std::int64_t booking_id, Instant since);

    static std::optional<ScheduledPayment> find(store::Session& session, std::int64_t id);
    static std::vector<ScheduledPayment> list(store::Session& session, const Query& query);
    static std::int64_t count(store::Session& session, const Query& query);
    static std::vector<ScheduledPayment> of_booking(store::Session& session, std::int64_t booking_id);
    static std::vector<Counted> counted(store::Session& session, std::string_view currency, std::int64_t guide_id);
    // Charges to come from one day to another, both counted.
    static std::int64_t coming(store::Session& session, Date from, Date to, std::int64_t guide_id);
    static std::vector<Outstanding> outstanding(store::Session& session, const Query& query);
    static std::int64_t count_outstanding(store::Session& session, const Query& query);

    // Those due; those whose attempt has no result yet; those to send a reminder for.
    static std::vector<std::int64_t> due(store::Session& session, Date today, Instant now, std::int64_t most);
    static std::vector<std::int64_t> stuck(store::Session& session, Instant since, std::int64_t most);
    static std::vector<std::int64_t> to_remind(store::Session& session, Date today, Date until, std::int64_t most);

    // Those whose card ends before their day, from today to that day, and whose customers were not told of that card
    // and day; and the card of one.
    static std::vector<std::int64_t> with_ending_card(store::Session& session, Date today, Date until,
                                                      std::int64_t most);
    static std::optional<Card> ending_card(store::Session& session, const ScheduledPayment& payment);

    static std::int64_t insert(store::Transaction& tx, ScheduledPayment payment);
    // All that changes in a row's life.
    static void update(store::Transaction& tx, ScheduledPayment payment, Instant now);
    static void cancel(store::Transaction& tx, std::int64_t id, std::string_view reason,
                       std::optional<std::int64_t> user_id, Instant now);
    // What is to be charged of the booking goes to that method from now on.
    static void take_method(store::Transaction& tx, std::int64_t booking_id, std::int64_t method_id,
                            std::string_view gateway, Instant now);
    // Once a booking.
    static void note(store::Transaction& tx, std::int64_t booking_id, std::string_view reason, Instant now);
};

// The keys that the list can be sorted by, the first its default.
std::vector<std::string> sort_keys();
std::vector<std::string> outstanding_sort_keys();  // of outstanding amounts without a schedule

}  // namespace svc::pro::scheduled_payments
