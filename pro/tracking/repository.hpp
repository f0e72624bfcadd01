// Rows of events, and what was reported once.
#pragma once

#include "pro/tracking/event.hpp"

namespace svc::pro::tracking {

// A booking as events report it.
struct BookedTrip {
    std::string reference, status;
    std::int64_t trip_id = 0;
    std::string trip_title;
    std::int64_t travelers = 0;
    Money total = Money::zero(Currency::usd());
    std::string email;  // the contact's
    std::string language = {};
    std::optional<Date> travel_date = {};
};

// What the visitor allowed when booking, and how their browser is known.
struct Visitor {
    bool analytics = false, marketing = false;
    std::string ga_client_id, fbp, fbc, client_address, user_agent;
};

class Repository {
  public:
    // Whether a module made the tables: reads none of them.
    static bool has_tables(store::Session& session);
    // Whether this base keeps what visitors allowed.
    static bool knows_consent(store::Session& session);

    static std::optional<BookedTrip> booking(store::Session& session, std::int64_t id);
    // Nothing: nobody was asked, or the person was erased. Only where knows_consent().
    static std::optional<Visitor> visitor(store::Session& session, std::int64_t booking_id);
    // What the visitor's browser reported as date and party were chosen; nothing: it did not, or an older base does not
    // say.
    struct Cart {
        std::string event_id;
        Instant at{};
    };
    static std::optional<Cart> cart(store::Session& session, std::int64_t booking_id);
    // Whether an earlier payment of the booking was completed.
    static bool has_earlier_payment(store::Session& session, std::int64_t booking_id, std::int64_t payment_id);

    // False: it was reported before, or is about to be.
    static bool claim_occasion(store::Transaction& tx, const Partner& partner, const std::string& occasion,
                               std::int64_t booking_id, Instant now);
    static void note_sent(store::Transaction& tx, const Partner& partner, const std::string& occasion, Instant now);
    static bool was_sent(store::Session& session, const Partner& partner, const std::string& occasion);

    static void insert(store::Transaction& tx, const Partner& partner, TrackedEvent& event);
    // The event that waits longest, claimed until then.
    static std::optional<TrackedEvent> claim(store::Transaction& tx, const Partner& partner, Instant now,
                                             Instant until);
    static bool has_due(store::Session& session, const Partner& partner, Instant now);
    // Whether the booking's purchase may still be sent.
    static bool awaits_purchase(store::Session& session, const Partner& partner, std::int64_t booking_id);
    // The outcome of a claimed event; false: the claim was over and another run has it.
    static bool record(store::Transaction& tx, const TrackedEvent& event);
    // Events that failed are due now.
    static void hurry(store::Transaction& tx, const Partner& partner, Instant now);
    // Deletes what has ended; answers how many rows.
    static std::int64_t clear(store::Transaction& tx, const Partner& partner);
};

std::string occasion_of(std::string_view event, std::int64_t id);  // "purchase:12"

}  // namespace svc::pro::tracking
