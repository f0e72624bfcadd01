// Who is in a sequence, and the rows of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shared/json/value.hpp"
#include "shared/store/store.hpp"

namespace svc::pro::email_automation {

// A step that is due, with what the booking is by now.
struct Due {
    std::int64_t id = 0, sequence_id = 0, booking_id = 0, position = 0;
    Instant since{}, due_at{};
    std::optional<Date> anchor_day;
    std::string trigger_type;
    std::int64_t trigger_days = 0;
    std::string stop_on;  // JSON list
    std::string status, payment_status, email, first_name, last_name, currency;
    std::int64_t total_minor = 0, paid_minor = 0, trip_id = 0;
    Date travel_date, end_date;
    std::int64_t travelers_count = 0;
    bool agreed_to_marketing = false;
};

// A step that was taken: its e-mail is queued, or `reason` says why not.
struct Taken {
    std::int64_t enrolment_id = 0, sequence_id = 0, step_id = 0, booking_id = 0;
    std::optional<std::int64_t> template_id;
    std::string template_key, email, name, subject, body;
    bool is_marketing = false;
    std::string reason, outbox_key;
};

struct Candidate {
    std::int64_t booking_id = 0;
    Date day;
    Instant created_at;
};

// The statements of enrolments. Each is of the transaction it is given.
class Enrolments {
  public:
    // Once for each sequence and booking. False: it is in it, or was; or there is no such booking.
    static bool add(store::Transaction& tx, std::int64_t sequence_id, std::int64_t booking_id, Instant since,
                    Instant next, std::optional<Date> day, Instant now);
    // Ends all sequences of a booking but those that begin with its end.
    static std::int64_t stop_all(store::Transaction& tx, std::int64_t booking_id, std::string_view reason, Instant now);
    static std::int64_t stop(store::Transaction& tx, std::int64_t sequence_id, std::int64_t booking_id,
                             std::string_view reason, Instant now);
    static std::vector<Due> due(store::Session& session, Instant now, std::int64_t most);
    // False: it moved on, or ended, meanwhile.
    static bool advance(store::Transaction& tx, const Due& due, std::optional<Instant> next, Instant since,
                        Instant now);
    static void anchor(store::Transaction& tx, const Due& due, Date day, Instant since, Instant next, Instant now);
    static bool end(store::Transaction& tx, const Due& due, std::string_view reason, Instant now);
    // False: the step was taken before.
    static bool log(store::Transaction& tx, const Taken& taken, Instant now);
    // Bookings that travel on a day of that time and are not in the sequence. `by_end`: that end then.
    static std::vector<Candidate> candidates(store::Session& session, std::int64_t sequence_id, Date from, Date to,
                                             bool by_end, bool all_trips);
    // Of the address, in either of them.
    static std::vector<std::int64_t> bookings_of(store::Session& session, const std::string& email,
                                                 std::optional<std::int64_t> trip_id);
};

}  // namespace svc::pro::email_automation
