// The rows of svc_domain_events.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "shared/hooks/hooks.hpp"
#include "shared/store/store.hpp"

namespace svc::events {

struct EventRow {
    std::int64_t id = 0;
    std::string name, arguments;
    std::chrono::microseconds lease_left{0};
    std::string request_id = {};  // that caused it; empty: none
};

struct DeadEvent {
    std::int64_t id = 0;
    std::string name;
    Instant occurred_at;
    std::string error = {};  // the database's error; empty: the processes that ran it ended
};

// An event that was claimed this often and never ended is dead: it may be what ends the processes that run it.
inline constexpr std::int64_t most_attempts = 5;

// Each function takes the calling `process`, since a row belongs to the process that leases it. Leases use the
// database's time, so that no process's clock matters.
namespace rows {
struct New {
    std::string_view name;
    std::string arguments;
    Instant now;
    bool has_listener = false;  // false: written as dispatched
};
void insert(store::Transaction& tx, const New& event, const std::string& process, std::chrono::microseconds lease);

// Leased by the process and not dispatched, in order, without those that wait for an older event of the same subject in
// another process.
std::vector<EventRow> ready(store::Session& session, const std::string& process, int most);
std::int64_t open(store::Session& session, const std::string& process);
void renew(store::Transaction& tx, const std::string& process, std::chrono::microseconds lease);
void mark_dispatched(store::Transaction& tx, const std::string& process, const std::vector<std::int64_t>& ids,
                     Instant now);
// Takes rows whose lease has ended; returns how many.
std::int64_t claim(store::Transaction& tx, const std::string& process, std::chrono::microseconds lease, int most);
// Ends the leases, so that another process continues at once.
void release(store::Transaction& tx, const std::string& process);
// Makes a row dead.
void bury(store::Transaction& tx, std::int64_t id, std::string_view why);
// When what waits for longest happened, of all processes' and without the dead.
std::optional<Instant> waits_since(store::Session& session);

std::vector<DeadEvent> dead(store::Session& session, int most);
// A dead row runs again in the process that claims it.
bool revive(store::Transaction& tx, std::int64_t id);
std::int64_t purge(store::Transaction& tx, Instant dispatched_before, int most);
}  // namespace rows

}  // namespace svc::events
