// Rows of abandoned bookings, of what happened to them, and of people who want none of it.
#pragma once

#include <vector>

#include "pro/abandoned_bookings/abandoned_booking.hpp"
#include "shared/store/store.hpp"

namespace svc::pro::abandoned_bookings {

// A checkout of the base as its view has it.
struct Checkout {
    std::int64_t id = 0;
    std::optional<std::int64_t> trip_id;
    std::optional<Date> travel_date;
    std::optional<ClockTime> departure_time;
    std::int64_t travelers = 1;
    std::string traveler_counts, services;  // JSON objects
    std::string coupon_code, country, status;
    std::optional<std::int64_t> booking_id;
    Instant expires_at{};
};

struct Trip {
    std::string title, slug, status;
    [[nodiscard]] bool is_published() const { return status == "publish"; }
};

struct Event {
    std::string kind, detail;
    Instant at{};
};

// What a booking ended, if it is one of these; detail of "ended".
namespace why {
inline constexpr std::string_view booked = "booked", unsubscribed = "unsubscribed", date_gone = "date_gone",
                                  trip_gone = "trip_gone", recently_reminded = "recently_reminded",
                                  all_sent = "all_sent";
}

class Repository {
  public:
    // A module that was never on has no tables.
    static bool has_tables(store::Session& session);

    static std::optional<Checkout> checkout(store::Session& session, std::int64_t id);
    static std::optional<Trip> trip(store::Session& session, std::int64_t id);

    // Those that are not listed yet, too.
    static std::optional<AbandonedBooking> find(store::Session& session, std::int64_t id);
    static std::optional<AbandonedBooking> of_checkout(store::Session& session, std::int64_t checkout_id);
    // The one of that person and trip that is neither recovered nor expired.
    static std::optional<AbandonedBooking> of_person(store::Session& session, std::string_view email_lower,
                                                     std::int64_t trip_id);
    static void remove(store::Transaction& tx, std::int64_t id);

    static void add_event(store::Transaction& tx, std::int64_t id, std::string_view kind, std::string_view detail,
                          Instant now);
    static std::vector<Event> events(store::Session& session, std::int64_t id);  // oldest first

    static void decline(store::Transaction& tx, std::int64_t checkout_id, Instant now);
    static bool has_declined(store::Session& session, std::int64_t checkout_id);
    static void stop(store::Transaction& tx, std::string_view email_lower, Instant now);
    static bool has_stopped(store::Session& session, std::string_view email_lower);
    static std::int64_t forget_stop(store::Transaction& tx, std::string_view email_lower);

    // Whether that address has a booking that was not called off.
    static bool has_booked(store::Session& session, std::string_view email_lower);
    // Its bookings since then, whatever their status.
    static std::vector<std::int64_t> bookings_since(store::Session& session, std::string_view email_lower,
                                                    Instant since);
    // Whether another booking of that person was reminded of since then.
    static bool was_reminded(store::Session& session, const AbandonedBooking& row, Instant since);

    // Ids, oldest first.
    static std::vector<std::int64_t> idle(store::Session& session, Instant before, std::int64_t most);
    static std::vector<std::int64_t> due(store::Session& session, Instant now, std::int64_t most);

    static void abandon(store::Transaction& tx, const AbandonedBooking& row, std::optional<Instant> next_at,
                        Instant now);
    static void postpone(store::Transaction& tx, std::int64_t id, std::optional<Instant> next_at);
    // Counts the reminder of that stage. False: somebody else sent it, or the row ended meanwhile.
    static bool count_sent(store::Transaction& tx, const AbandonedBooking& row, std::int64_t next_stage,
                           std::optional<Instant> next_at, Instant now);
    // Goes on to a later stage without an e-mail.
    static void skip(store::Transaction& tx, const AbandonedBooking& row, std::int64_t next_stage,
                     std::optional<Instant> next_at);
    // No further reminder.
    static void end(store::Transaction& tx, std::int64_t id, std::string_view reason, Instant now);
    static void unsubscribe(store::Transaction& tx, std::string_view email_lower, Instant now);
    static bool use_link(store::Transaction& tx, std::int64_t id, Instant now);
    static bool recover(store::Transaction& tx, const AbandonedBooking& row, std::int64_t booking_id,
                        std::string_view by, Instant now);
    // Blanks what names a person in rows whose time is over; returns how many.
    static std::int64_t expire(store::Transaction& tx, Instant now, std::int64_t most);

    // {"totals", "by_step", …} of rows that were abandoned in [from, to).
    static json::Value statistics(store::Session& session, Currency currency, Instant from, Instant to);
};

}  // namespace svc::pro::abandoned_bookings
