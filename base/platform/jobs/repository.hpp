// The rows of svc_jobs and svc_job_days.
#pragma once

#include <chrono>
#include <map>
#include <string>

#include "base/platform/jobs/turns.hpp"
#include "shared/store/store.hpp"

namespace svc::jobs::rows {

// Inserts the job's row, due at `first`; an existing one keeps its time unless that is after `first`.
void register_job(store::Transaction& tx, const Job& job, Instant first);

struct State {
    Instant next_run_at;
    bool locked = false;       // by a process that lives
    bool left_behind = false;  // by one that died
};
std::map<std::string, State, std::less<>> states(store::Session& session);

enum class Claim : std::uint8_t { taken, locked, not_due, day_done };
struct Ask {
    const Job& job;
    Turn turn;
    Instant now;
    bool forced = false;  // due or not, and without counting for its day
    const std::string& owner;
    std::chrono::microseconds lease;
};
// Locks the row for a run if the job is due, or was interrupted, and no process has it. day_done: the caller returns an
// error from its transaction, so that nothing stays locked.
Claim claim(store::Transaction& tx, const Ask& ask);
void postpone(store::Transaction& tx, const Job& job, Instant next);
// Its next turn is at that moment at the latest.
void due_by(store::Transaction& tx, const std::string& name, Instant moment);
// False when the lock is another's by now.
bool renew(store::Transaction& tx, const std::string& name, const std::string& owner, std::chrono::microseconds lease);
void finish(store::Transaction& tx, const std::string& name, const std::string& owner, Instant now, bool ok,
            const std::string& result);
std::int64_t purge_days(store::Transaction& tx, Date before, int most);

}  // namespace svc::jobs::rows
