// SQL on svc_jobs and svc_job_days.
#include "base/platform/jobs/repository.hpp"

#include "shared/store/later.hpp"
#include "shared/store/typed.hpp"

namespace svc::jobs::rows {
namespace {

using store::Dialect;

// Takes the lock if no live process has it. `forced` or due, or the previous run never ended.
std::int64_t lock(store::Transaction& tx, const Ask& ask) {
    const store::Params params{
        {"name", ask.job.name}, {"owner", ask.owner},    {"lease", std::int64_t{ask.lease.count()}},
        {"now", ask.now},       {"next", ask.turn.next}, {"forced", ask.forced}};
    if (tx.dialect() == Dialect::sqlite)
        return tx.run(
            "UPDATE svc_jobs SET locked_by = :owner, last_started_at = :now, last_status = 'running',"
            " next_run_at = CASE WHEN next_run_at <= :now THEN :next ELSE next_run_at END,"
            " locked_until = CAST((julianday('now') - 2440587.5) * 86400000000.0 AS INTEGER) + :lease"
            " WHERE name = :name AND (:forced = 1 OR next_run_at <= :now OR locked_by IS NOT NULL)"
            " AND (locked_by IS NULL"
            " OR locked_until < CAST((julianday('now') - 2440587.5) * 86400000000.0 AS INTEGER))",
            params);
    return tx.run(
        "UPDATE svc_jobs SET locked_by = :owner, last_started_at = :now, last_status = 'running',"
        " next_run_at = CASE WHEN next_run_at <= :now THEN :next ELSE next_run_at END,"
        " locked_until = CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT) + :lease"
        " WHERE name = :name AND (:forced = 1 OR next_run_at <= :now OR locked_by IS NOT NULL)"
        " AND (locked_by IS NULL"
        " OR locked_until < CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT))",
        params);
}

}  // namespace

void register_job(store::Transaction& tx, const Job& job, Instant first) {
    const std::int64_t interval = job.daily_at ? 86400 : job.every.count();
    store::run_later(tx,
                     "INSERT INTO svc_jobs (name, interval_s, next_run_at) VALUES (:name, :interval, :first)"
                     " ON CONFLICT (name) DO UPDATE SET interval_s = excluded.interval_s,"
                     " next_run_at = CASE WHEN svc_jobs.next_run_at > excluded.next_run_at THEN excluded.next_run_at"
                     " ELSE svc_jobs.next_run_at END",
                     {{"name", job.name}, {"interval", interval}, {"first", first}});
}

std::map<std::string, State, std::less<>> states(store::Session& session) {
    std::map<std::string, State, std::less<>> all;
    const char* statement =
        session.dialect() == Dialect::sqlite
            ? "SELECT name, next_run_at,"
              " locked_until - CAST((julianday('now') - 2440587.5) * 86400000000.0 AS INTEGER) FROM svc_jobs"
            : "SELECT name, next_run_at,"
              " locked_until - CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT) FROM svc_jobs";
    for (const auto& [name, next, lock_left] :
         store::tuples<std::string, Instant, std::optional<std::int64_t>>(session, statement))
        all[name] = {next, lock_left && *lock_left > 0, lock_left && *lock_left <= 0};
    return all;
}

Claim claim(store::Transaction& tx, const Ask& ask) {
    const bool had_owner = tx.number("SELECT COUNT(*) FROM svc_jobs WHERE name = :name AND locked_by IS NOT NULL",
                                     {{"name", ask.job.name}}) > 0;
    if (lock(tx, ask) == 0)
        return ask.forced || had_owner ? Claim::locked : Claim::not_due;
    // A run that was left in the middle has counted for its day already.
    if (ask.forced || !ask.turn.day || had_owner)
        return Claim::taken;
    const auto counted = tx.run(
        "INSERT INTO svc_job_days (job_name, local_date, started_at) VALUES (:name, :day, :now)"
        " ON CONFLICT (job_name, local_date) DO NOTHING",
        {{"name", ask.job.name}, {"day", ask.turn.day}, {"now", ask.now}});
    return counted == 1 ? Claim::taken : Claim::day_done;
}

void postpone(store::Transaction& tx, const Job& job, Instant next) {
    tx.run("UPDATE svc_jobs SET next_run_at = :next WHERE name = :name AND next_run_at < :next",
           {{"name", job.name}, {"next", next}});
}

void due_by(store::Transaction& tx, const std::string& name, Instant moment) {
    tx.run("UPDATE svc_jobs SET next_run_at = :moment WHERE name = :name AND next_run_at > :moment",
           {{"name", name}, {"moment", moment}});
}

bool renew(store::Transaction& tx, const std::string& name, const std::string& owner, std::chrono::microseconds lease) {
    const store::Params params{{"name", name}, {"owner", owner}, {"lease", std::int64_t{lease.count()}}};
    if (tx.dialect() == Dialect::sqlite)
        return tx.run(
                   "UPDATE svc_jobs"
                   " SET locked_until = CAST((julianday('now') - 2440587.5) * 86400000000.0 AS INTEGER) + :lease"
                   " WHERE name = :name AND locked_by = :owner",
                   params) == 1;
    return tx.run(
               "UPDATE svc_jobs"
               " SET locked_until = CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000000 AS BIGINT) + :lease"
               " WHERE name = :name AND locked_by = :owner",
               params) == 1;
}

void finish(store::Transaction& tx, const std::string& name, const std::string& owner, Instant now, bool ok,
            const std::string& result) {
    tx.run(
        "UPDATE svc_jobs SET locked_by = NULL, locked_until = NULL, last_finished_at = :now, last_status = :status,"
        " last_result = :result WHERE name = :name AND locked_by = :owner",
        {{"name", name}, {"owner", owner}, {"now", now}, {"status", ok ? "ok" : "failed"}, {"result", result}});
}

std::int64_t purge_days(store::Transaction& tx, Date before, int most) {
    return tx.run(
        "DELETE FROM svc_job_days WHERE (job_name, local_date) IN"
        " (SELECT job_name, local_date FROM svc_job_days WHERE local_date < :before LIMIT :most)",
        {{"before", before}, {"most", most}});
}

}  // namespace svc::jobs::rows
