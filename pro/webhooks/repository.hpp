// Rows of events, deliveries and samples.
#pragma once

#include <vector>

#include "pro/webhooks/delivery.hpp"
#include "pro/webhooks/endpoint.hpp"

namespace svc::pro::webhooks {

struct StoredEvent {
    std::int64_t seq = 0;
    std::string uid, event_key, subject_type;
    std::int64_t subject_id = 0;
    std::string payload;  // the whole envelope
    Instant occurred_at{};
};

struct Sample {
    std::optional<Instant> armed_until, captured_at;
    std::string payload;
};

// Which deliveries are sent again; empty members match any.
struct Filter {
    std::optional<std::int64_t> endpoint_id;
    std::string event_key, status;
    std::optional<Instant> after, before;  // of created_at; `before` is exclusive
};

struct Lane {
    std::int64_t endpoint_id = 0, number = 0;
    friend auto operator<=>(const Lane&, const Lane&) = default;
};

// The outcome of an attempt, as it is stored.
struct Attempt {
    Delivery delivery;  // with its new status, times and response
    bool is_success = false;
    bool endpoint_rests = false;              // no other delivery is tried before the next attempt of this one,
    std::optional<Instant> rests_until = {};  // or before this moment
    bool is_gone = false;                     // the endpoint answered 410
};

class Repository {
  public:
    // False: this event is stored already. Sets its number.
    static bool insert_event(store::Transaction& tx, StoredEvent& event, const std::string& fingerprint, Instant now);
    static std::vector<StoredEvent> events_after(store::Session& session, std::int64_t seq,
                                                 const std::string& event_key, std::int64_t most);
    static std::optional<StoredEvent> latest_event(store::Session& session, const std::string& event_key);
    // Endpoints that take this event: active ones and those paused by the program.
    static std::vector<Endpoint> endpoints_for(store::Session& session, const std::string& event_key);

    static void insert(store::Transaction& tx, Delivery& delivery);
    // Back to the queue as if it had never been sent. False: it is being sent, or there is none.
    static bool requeue(store::Transaction& tx, std::int64_t id, const std::string& payload, Instant now);
    static std::vector<std::int64_t> matching(store::Session& session, const Filter& filter, std::int64_t most);
    static std::int64_t count_matching(store::Session& session, const Filter& filter);

    // Lanes with a due delivery, those waiting longest first.
    static std::vector<Lane> due_lanes(store::Session& session, Instant now, std::int64_t most);
    // Claims due deliveries of the lane, oldest first, at most one of each booking or account: the one before which
    // none is waiting.
    static std::vector<Delivery> claim(store::Transaction& tx, Lane lane, Instant now, Instant until,
                                       std::int64_t most);
    static void release(store::Transaction& tx, std::int64_t id, Instant now);
    static void record(store::Transaction& tx, const Attempt& attempt, bool logs, Instant now);
    // Ends the sending of all its messages until somebody activates it.
    static bool pause(store::Transaction& tx, std::int64_t endpoint_id, std::string_view reason, Instant now);

    static std::optional<Sample> sample(store::Session& session, const std::string& event_key);
    static void arm(store::Transaction& tx, const std::string& event_key, Instant until);
    static void disarm(store::Transaction& tx, const std::string& event_key, bool forget);
    static void capture(store::Transaction& tx, const StoredEvent& event, Instant now);

    // {"total", "by_endpoint", "by_event", "by_error"} of deliveries that failed for good.
    static json::Value dead_letters(store::Session& session);
    static std::int64_t delete_before(store::Transaction& tx, Instant before, std::int64_t most);
};

}  // namespace svc::pro::webhooks
