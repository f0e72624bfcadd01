// The queue: a row for each departure and booking that has an event or is to get one. What changes several times while
// it waits is sent once.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pro/google_calendar/configuration.hpp"

namespace svc::pro::google_calendar {

struct Item {
    std::int64_t id = 0;
    Subject subject;
    std::string calendar_id, fingerprint;
    std::int64_t revision = 0;
    bool is_forced = false;
    std::int64_t attempts = 0;
};

// How far the copy of everything has come, and what waits.
struct Progress {
    std::int64_t done = 0, failed = 0, waiting = 0;    // of the run
    std::int64_t queued = 0, failing = 0, events = 0;  // of all
};

struct Failing {
    Subject subject;
    std::string error;
    std::int64_t attempts = 0;
    std::optional<Instant> due_at;
};

class Items {
  public:
    static void add(store::Transaction& tx, const Subject& subject, Instant now);
    // The departures of the trip on that day; empty day: all from today on.
    static void add_departures(store::Transaction& tx, std::int64_t trip_id, const std::string& day, Date today,
                               Instant now);
    // All that is to come by the wishes, and all that has an event: what is unchanged costs no call. With a number each
    // is sent in any case, as a part of that run.
    static void add_all(store::Transaction& tx, const Wishes& wishes, Date today, Instant due_at,
                        std::int64_t run_number = 0);
    // The rows that have an event; the others are forgotten.
    static void remove_all(store::Transaction& tx, Instant now);
    static void forget_waiting(store::Transaction& tx, Instant now);
    // What has failed is tried at once.
    static void retry_all(store::Transaction& tx, Instant now);

    // Those that are due, claimed until then.
    static std::vector<Item> claim(store::Transaction& tx, Instant now, Instant until, std::int64_t most);
    static void release(store::Transaction& tx, std::int64_t id);
    // Sent as it was at the claim; it stays due if it has changed since.
    static void done(store::Transaction& tx, const Item& item, const std::string& calendar_id,
                     const std::string& fingerprint, Instant now);
    static void failed(store::Transaction& tx, const Item& item, const std::string& error, Instant due_at, Instant now);

    static std::optional<Item> find(store::Session& session, const Subject& subject);
    static bool has_due(store::Session& session, Instant now);
    static bool has_events(store::Session& session);
    static Progress progress(store::Session& session, std::int64_t run_number);
    static std::vector<Failing> failing(store::Session& session, std::int64_t most);
    // Rows of events that were over before that day: their events stay in the calendar, and are nobody's task any more.
    static std::int64_t delete_past(store::Transaction& tx, Date before, bool names_contacts);
    // Rows that need nothing and have no event, untouched since then.
    static std::int64_t delete_idle(store::Transaction& tx, Instant before);
};

}  // namespace svc::pro::google_calendar
