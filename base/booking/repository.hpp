// Booking rows: bookings with lines, travelers and status log, and checkout sessions.
#pragma once

#include "base/booking/booking.hpp"
#include "base/booking/sealing.hpp"
#include "base/booking/session.hpp"
#include "shared/api/route.hpp"
#include "shared/store/store.hpp"

namespace svc::booking {

// What the staff's list is narrowed by; empty members do not narrow.
// The values of orderby, the default first.
std::vector<std::string> sort_keys();

struct Filter {
    std::string status = {};  // empty: all but the trash
    std::string payment_status = {}, search = {};
    std::optional<std::int64_t> trip_id = {}, customer_id = {};
    std::optional<Instant> from = {}, to = {};  // created_at, from inclusive, to exclusive
    std::optional<std::int64_t> user_id = {};
    bool needs_attention = false;               // those alone that wait for a person
    bool refund_due = false;                    // those alone that hold money which nothing asked for
    std::optional<std::int64_t> guide_id = {};  // those alone whose seats are on a departure that this user guides
};

struct TravelerFilter {
    std::string search = {};
    std::optional<std::int64_t> trip_id = {}, booking_id = {}, departure_id = {};
    std::optional<Date> travel_date = {};
    std::string booking_status = {};
    bool ended_too = false;  // of cancelled, refunded and failed bookings, where neither status nor booking asks
    std::optional<Instant> from = {}, to = {};  // when their bookings were made
    std::optional<std::int64_t> guide_id = {};  // as of bookings
};
std::vector<std::string> traveler_sort_keys();

// A page, and how many there are of each status by the filter's other conditions; `all` is without the trash.
struct Listed {
    std::vector<Booking> bookings;
    json::Value counts;
    std::int64_t total = 0;
};

// Sums over bookings made in a period, in one currency.
struct Totals {
    std::int64_t revenue_minor = 0, collected_minor = 0, this_month = 0, upcoming = 0;
};

class Repository {
  public:
    static std::optional<Booking> find(store::Session& session, std::int64_t id);
    static bool is_guided(store::Session& session, std::int64_t id, std::int64_t user_id);
    static Listed list(store::Session& session, const Filter& filter, const api::Page& page);
    // How many wait for a person, and how many hold money to be sent back; without the trash, of one guide or all.
    struct Waiting {
        std::int64_t attention = 0, refund = 0;
    };
    static Waiting waiting(store::Session& session, std::optional<std::int64_t> guide_id);
    // What was counted as bookings were written, in fewer rows.
    static void add_up_counts(store::Transaction& tx);
    // Puts what was made before that moment and is not there yet into the index that searches go by; how many.
    static std::int64_t index_search(store::Transaction& tx, Instant before, std::int64_t most);
    static json::Value count_by_status(store::Session& session, const Filter& filter);
    static Totals totals(store::Session& session, const Filter& filter, std::string_view currency, Instant month_start,
                         Date today);

    // Answers false when the reference is taken, so that the caller draws another.
    static bool insert(store::Transaction& tx, Booking& booking, const json::Value& quote,
                       std::optional<std::int64_t> form_id);
    // The id of a form's text, which is kept once.
    static std::int64_t keep_form(store::Transaction& tx, std::string_view digest, const std::string& text,
                                  Instant now);
    static void set_quote(store::Transaction& tx, std::int64_t id, const json::Value& quote);
    static json::Value quote(store::Session& session, std::int64_t id);
    static void insert_lines(store::Transaction& tx, std::int64_t booking_id, const std::vector<Line>& lines);
    static void insert_travelers(store::Transaction& tx, std::int64_t booking_id, const json::Value& travelers,
                                 const Sealing& sealing);
    // Writes them in that order. `ids`: which row each of them is, 0 for nobody known; who is named keeps the row.
    // Without any id each keeps the row of their place.
    static void replace_travelers(store::Transaction& tx, std::int64_t booking_id, const json::Value& travelers,
                                  const std::vector<std::int64_t>& ids, const Sealing& sealing);
    // Sealed answers are left out without `sealing`, here and below.
    static std::vector<Traveler> travelers(store::Session& session, std::int64_t booking_id,
                                           const Sealing* sealing = nullptr);
    static std::vector<ListedTraveler> travelers(store::Session& session, const TravelerFilter& filter,
                                                 const api::Page& page, const Sealing* sealing = nullptr);
    static std::int64_t count(store::Session& session, const TravelerFilter& filter);
    static std::optional<ListedTraveler> traveler(store::Session& session, std::int64_t id);
    // Those beyond so many, the last ones first and the lead never.
    static void keep_travelers(store::Transaction& tx, std::int64_t booking_id, std::int64_t most);
    static void remove_traveler(store::Transaction& tx, std::int64_t id);
    // Trips that have bookings, by title.
    static std::vector<std::pair<std::int64_t, std::string>> booked_trips(store::Session& session, std::int64_t most);
    static std::vector<Line> lines(store::Session& session, std::int64_t booking_id, Currency currency);

    // Takes the row's lock until the transaction ends; nothing when there is no such booking.
    static std::optional<Booking> lock(store::Transaction& tx, std::int64_t id);
    // The same without reading it.
    static void lock_row(store::Transaction& tx, std::int64_t id);
    // Writes status, its moments and the log row; nothing when the stored status is not the booking's any more. Answers
    // the booking as it is by that; its seats are another's to tell.
    static std::optional<Booking> change_status(store::Transaction& tx, const Booking& booking, std::string_view to,
                                                Cause cause, const Actor& actor, std::string_view reason, Instant now);
    static void set_paid(store::Transaction& tx, std::int64_t id, const Money& paid, std::string_view payment_status,
                         Instant now);
    static void flag(store::Transaction& tx, std::int64_t id, std::string_view reason, Instant now);
    static void unflag(store::Transaction& tx, std::int64_t id, Instant now);
    static void reschedule(store::Transaction& tx, std::int64_t id, Date start, Date end, std::optional<ClockTime> time,
                           Instant now);
    // Who holds seats of departures with ids from `least` to `most`.
    static std::vector<Passenger> passengers(store::Session& session, std::int64_t least, std::int64_t most);
    // All that staff may change; not the status, nor what payments make of it.
    static void update(store::Transaction& tx, const Booking& booking, Instant now);
    static void replace_lines(store::Transaction& tx, std::int64_t booking_id, const std::vector<Line>& lines);
    static bool has_user(store::Session& session, std::int64_t id);
    static void set_answers(store::Transaction& tx, std::int64_t id, const Particulars& answers,
                            const Sealing& sealing);
    // Answers from before there was sealing are sealed, some at a time; how many were left to look at.
    static std::int64_t seal_travelers(store::Transaction& tx, const Sealing& sealing, std::int64_t most);
    static std::int64_t seal_bookings(store::Transaction& tx, const Sealing& sealing, std::int64_t most);
    // Seal with the key in use what is sealed with another, of at most so many rows after `last`, which goes on; how
    // many.
    static std::int64_t renew_travelers(store::Transaction& tx, const crypto::Keyring& keyring, std::int64_t most,
                                        std::int64_t& last);
    static std::int64_t renew_bookings(store::Transaction& tx, const crypto::Keyring& keyring, std::int64_t most,
                                       std::int64_t& last);
    // -- owners (owner_repository.cpp)
    static void set_verified(store::Transaction& tx, std::int64_t id, Instant now);
    // Guests' bookings by that address, compared in lower case.
    static std::int64_t count_unowned(store::Session& session, std::string_view email);
    static std::int64_t own(store::Transaction& tx, std::int64_t user_id, std::string_view email, Instant now);
    static void set_payable_since(store::Transaction& tx, std::int64_t id, Instant now);
    // -- sweeps (sweep_repository.cpp); ids, the oldest first. Candidates come in pages: those behind the last one
    // seen.
    struct Candidate {
        std::int64_t id = 0;
        Date travel_date;
        Instant created_at;
    };
    static std::vector<std::int64_t> unpaid(store::Session& session, Instant since, Instant before, std::int64_t most,
                                            std::int64_t offset = 0);
    // Unpaid ones by that gateway that were made before that moment; confirmed ones if after `recent`.
    static std::vector<Candidate> owing(store::Session& session, std::string_view gateway, Instant before,
                                        Instant recent, const std::optional<Candidate>& behind, std::int64_t most);
    static std::optional<std::int64_t> deadline_told(store::Session& session, std::int64_t id);
    static void tell_deadline(store::Transaction& tx, std::int64_t id, std::int64_t days);
    static std::vector<Candidate> due_for_reminder(store::Session& session, Date today, Date last,
                                                   const std::optional<Candidate>& behind, std::int64_t most);
    static std::vector<std::int64_t> ended(store::Session& session, Date since, Date today, std::int64_t most);
    // False when another process was first.
    static bool claim_reminder(store::Transaction& tx, std::int64_t id, Instant now);
    static Particulars particulars(store::Session& session, std::int64_t id, const Sealing* sealing = nullptr);
    static void remove(store::Transaction& tx, std::int64_t id);
    static json::Value status_log(store::Session& session, const Booking& booking);
    // Who of the staff made it, as the first row of that log. One that a visitor made needs none: the booking tells it.
    static void note_made(store::Transaction& tx, const Booking& booking, const Actor& actor);
    // Whether somebody of that address or account (0: none) holds a booking that was not given up, other than this one.
    static bool has_booked(store::Session& session, std::string_view email_lower, std::int64_t user_id,
                           std::int64_t except_booking_id);
    static std::string status_before_trash(store::Session& session, std::int64_t booking_id);
};

class SessionRepository {
  public:
    static std::int64_t insert(store::Transaction& tx, const CheckoutSession& session, Instant now);
    static std::optional<CheckoutSession> find(store::Session& session, std::string_view token_hash);
    static void update(store::Transaction& tx, const CheckoutSession& session);
    // One that has ended meanwhile stays ended.
    static void renew(store::Transaction& tx, std::int64_t id, Instant expires_at, Instant now);
    // False when another request converted it first.
    static bool convert(store::Transaction& tx, std::int64_t id, std::int64_t booking_id);
    static void close(store::Transaction& tx, std::int64_t id);
    // Ends the sessions that have become that booking: their secrets open nothing any more.
    static void expire_of_booking(store::Transaction& tx, std::int64_t booking_id, Instant now);
    // As Repository's: the drafts.
    static std::int64_t renew_drafts(store::Transaction& tx, const crypto::Keyring& keyring, std::int64_t most,
                                     std::int64_t& last);
    static std::int64_t remove_expired(store::Transaction& tx, Instant before, std::int64_t most);
};

}  // namespace svc::booking
