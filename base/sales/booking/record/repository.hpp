// Rows of one booking: the booking with its lines, travelers, answers and history.
#pragma once

#include "base/sales/booking/record/booking.hpp"
#include "base/sales/booking/record/sealing.hpp"
#include "shared/store/store.hpp"

namespace svc::booking {

// Statements alone. Lifecycle writes the status.
class Repository {
  public:
    static std::optional<Booking> find(store::Session& session, std::int64_t id);
    // Takes the row's lock until the transaction ends; nothing when there is no such booking.
    static std::optional<Booking> lock(store::Transaction& tx, std::int64_t id);
    // The same without reading it.
    static void lock_row(store::Transaction& tx, std::int64_t id);
    static bool is_guided(store::Session& session, std::int64_t id, std::int64_t user_id);

    // Returns false when the reference is taken, so that the caller draws another.
    static bool insert(store::Transaction& tx, Booking& booking, const json::Value& quote,
                       std::optional<std::int64_t> form_id);
    // Updates everything staff may change; not the status, nor amounts of payments.
    static void update(store::Transaction& tx, const Booking& booking, Instant now);
    static void reschedule(store::Transaction& tx, std::int64_t id, Date start, Date end, std::optional<ClockTime> time,
                           Instant departs, Instant now);
    static void set_paid(store::Transaction& tx, std::int64_t id, const Money& paid, std::string_view payment_status,
                         Instant now);
    // It can be paid from now on, until `pay_by`.
    static void set_payable(store::Transaction& tx, std::int64_t id, Instant now, std::optional<Instant> pay_by);
    static void flag(store::Transaction& tx, std::int64_t id, std::string_view reason, Instant now);
    static void unflag(store::Transaction& tx, std::int64_t id, Instant now);
    static void know_payments(store::Transaction& tx, std::int64_t id, Instant now);
    static void remove(store::Transaction& tx, std::int64_t id);

    static void set_quote(store::Transaction& tx, std::int64_t id, const json::Value& quote);
    static json::Value quote(store::Session& session, std::int64_t id);
    static void insert_lines(store::Transaction& tx, std::int64_t booking_id, const std::vector<Line>& lines);
    static void replace_lines(store::Transaction& tx, std::int64_t booking_id, const std::vector<Line>& lines);
    static std::vector<Line> lines(store::Session& session, std::int64_t booking_id, Currency currency);

    static void insert_travelers(store::Transaction& tx, std::int64_t booking_id, const json::Value& travelers,
                                 const Sealing& sealing);
    // Writes travelers in that order. `ids`: each traveler's row, 0 for new ones. Without ids, rows are matched by
    // position.
    static void replace_travelers(store::Transaction& tx, std::int64_t booking_id, const json::Value& travelers,
                                  const std::vector<std::int64_t>& ids, const Sealing& sealing);
    // Deletes those beyond so many, the last ones first and the lead never.
    static void keep_travelers(store::Transaction& tx, std::int64_t booking_id, std::int64_t most);
    // Sealed answers are left out without `sealing`, here and below.
    static std::vector<Traveler> travelers(store::Session& session, std::int64_t booking_id,
                                           const Sealing* sealing = nullptr);
    static void set_answers(store::Transaction& tx, std::int64_t id, const Particulars& answers,
                            const Sealing& sealing);
    static Particulars particulars(store::Session& session, std::int64_t id, const Sealing* sealing = nullptr);

    static json::Value status_log(store::Session& session, const Booking& booking);
    // Writes the creating member of staff as the first row of the log. Bookings of visitors need none.
    static void log_creation(store::Transaction& tx, const Booking& booking, const Actor& actor);
    static std::string status_before_trash(store::Session& session, std::int64_t booking_id);
    // Ends the checkout sessions that have become that booking: their secrets open nothing any more.
    static void end_sessions(store::Transaction& tx, std::int64_t booking_id, Instant now);
    // Whether that address or account (0: none) has another booking that was not cancelled.
    static bool has_booked(store::Session& session, std::string_view email_lower, std::int64_t user_id,
                           std::int64_t except_booking_id);
    static bool has_user(store::Session& session, std::int64_t id);
};

// The text for searching travelers.
std::string traveler_search_text(const json::Value& fields);

}  // namespace svc::booking
