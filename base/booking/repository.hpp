// Booking rows: bookings with lines, travelers and status log, and checkout sessions.
#pragma once

#include "base/booking/booking.hpp"
#include "base/booking/session.hpp"
#include "shared/api/route.hpp"
#include "shared/store/store.hpp"

namespace svc::booking {

// What the staff's list is narrowed by; empty members do not narrow.
// The values of orderby, the default first.
std::vector<std::string> sort_keys();

struct Filter {
    std::string status = {};  // "all" shows the trash too
    std::string payment_status = {}, search = {};
    std::optional<std::int64_t> trip_id = {}, customer_id = {};
    std::optional<Instant> from = {}, to = {};  // created_at, from inclusive, to exclusive
};

class Repository {
  public:
    static std::optional<Booking> find(store::Session& session, std::int64_t id);
    static std::vector<Booking> list(store::Session& session, const Filter& filter, const api::Page& page);
    static std::int64_t count(store::Session& session, const Filter& filter);
    static json::Value count_by_status(store::Session& session);

    // Answers false when the reference is taken, so that the caller draws another.
    static bool insert(store::Transaction& tx, Booking& booking, const json::Value& quote);
    static void insert_lines(store::Transaction& tx, std::int64_t booking_id, const std::vector<Line>& lines);
    static void replace_travelers(store::Transaction& tx, std::int64_t booking_id, const json::Value& travelers);
    static std::vector<Traveler> travelers(store::Session& session, std::int64_t booking_id);
    static std::vector<Line> lines(store::Session& session, std::int64_t booking_id, Currency currency);

    // Takes the row's lock until the transaction ends; nothing when there is no such booking.
    static std::optional<Booking> lock(store::Transaction& tx, std::int64_t id);
    // Writes status, its moments and the log row; false when the stored status is no longer `from`.
    static bool change_status(store::Transaction& tx, const Booking& booking, std::string_view to, const Actor& actor,
                              std::string_view reason, Instant now);
    static void set_paid(store::Transaction& tx, std::int64_t id, const Money& paid, std::string_view payment_status,
                         Instant now);
    static void flag(store::Transaction& tx, std::int64_t id, std::string_view reason, Instant now);
    static void unflag(store::Transaction& tx, std::int64_t id, Instant now);
    static void reschedule(store::Transaction& tx, std::int64_t id, Date start, Date end, std::optional<ClockTime> time,
                           Instant now);
    // Who holds seats of departures with ids from `least` to `most`.
    static std::vector<Passenger> passengers(store::Session& session, std::int64_t least, std::int64_t most);
    static void update_notes(store::Transaction& tx, const Booking& booking, Instant now);
    static json::Value status_log(store::Session& session, std::int64_t booking_id);
    // Whether somebody of that address holds or held a booking that was not given up, other than this one.
    static bool has_booked(store::Session& session, std::string_view email_lower, std::int64_t except_booking_id);
    static std::string status_before_trash(store::Session& session, std::int64_t booking_id);
};

class SessionRepository {
  public:
    static std::int64_t insert(store::Transaction& tx, const CheckoutSession& session, std::string_view token_hash,
                               Instant now);
    static std::optional<CheckoutSession> find(store::Session& session, std::string_view token_hash);
    static void update(store::Transaction& tx, const CheckoutSession& session);
    static void renew(store::Transaction& tx, std::int64_t id, Instant expires_at);
    // False when another request converted it first.
    static bool convert(store::Transaction& tx, std::int64_t id, std::int64_t booking_id);
    static void close(store::Transaction& tx, std::int64_t id);
    static std::int64_t remove_expired(store::Transaction& tx, Instant before, std::int64_t most);
};

}  // namespace svc::booking
