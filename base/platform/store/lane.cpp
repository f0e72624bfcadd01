// Group commit.
#include "base/platform/store/lane.hpp"

#include <algorithm>

#include "shared/core/correlation.hpp"
#include "shared/store/behind.hpp"

namespace svc::store {
namespace {

constexpr std::size_t widest_batch = 64;
constexpr auto never = std::chrono::steady_clock::time_point::max();
// So long the next leader is waited for while another program has the file: it tries within two milliseconds.
constexpr auto while_locked_out = std::chrono::milliseconds(100);
// So long a job of long work lets others go first.
constexpr auto longest_behind = std::chrono::milliseconds(200);

}  // namespace

Lane::Lane(const StoreOptions& options, Pool::Connect connect)
    : patience_(options.lease_time),
      widest_(options.group_commit ? widest_batch : 1),
      pool_(1, options.lease_time, std::move(connect)) {
    batch_.reserve(widest_);
}

Result<void> Lane::write(const Work& work, Durability how, AfterCommit& after) {
    refuse_inside();
    Job job;
    job.work = &work;
    const std::string correlation = Correlation::current();
    job.correlation = &correlation;
    job.how = how;
    job.behind = Behind::is_here();
    job.since = std::chrono::steady_clock::now();
    job.after = &after;

    std::unique_lock lock(mutex_);
    queue_.push_back(&job);
    waiting_ += job.behind ? 0 : 1;
    if (!led_) {
        led_ = true;
        lead(lock, job);
    } else {
        wait_for_turn(lock, job);
        // Once it runs it is seen through: its outcome is not known before.
        job.changed.wait(lock, [&] { return job.state == Job::State::done || job.state == Job::State::leading; });
        if (job.state == Job::State::leading)
            lead(lock, job);
    }
    lock.unlock();
    if (job.thrown)
        std::rethrow_exception(job.thrown);
    return std::move(job.outcome).value();
}

void Lane::wait_for_turn(std::unique_lock<std::mutex>& lock, Job& job) {
    const auto patience_ends = std::chrono::steady_clock::now() + patience_;
    const auto taken = [&] { return job.state != Job::State::queued; };
    while (!job.changed.wait_until(lock, std::min(patience_ends, queue_ends_.load()), taken)) {
        const auto now = std::chrono::steady_clock::now();
        if (now >= patience_ends || now >= queue_ends_.load()) {
            leave_queue(job);
            ++refused_;
            throw Unavailable("The database is too busy to write.");
        }
    }
}

// Runs one batch, which holds the leader's own job, and passes the lead on. Nothing here takes memory: a leader that
// threw would leave the lead taken for ever, and its job in the queue.
void Lane::lead(std::unique_lock<std::mutex>& lock, Job& own) {
    batch_.clear();
    batch_.push_back(&own);
    leave_queue(own);
    own.state = Job::State::running;
    queue_ends_ = std::chrono::steady_clock::now() + (locked_out_ ? while_locked_out : patience_);
    // One that must be durable makes them all so.
    const bool relaxed = own.how == Durability::relaxed &&
                         (own.behind || std::none_of(queue_.begin(), queue_.end(),
                                                     [&](Job* job) { return !job->behind && job->how != own.how; }));
    lock.unlock();
    run(lock, relaxed ? Durability::relaxed : Durability::durable);
    lock.lock();
    for (Job* job : batch_) {
        job->state = Job::State::done;
        if (job != &own)
            job->changed.notify_one();  // its owner cannot go on before the lock is free
    }
    if (Job* next = next_leader()) {
        next->state = Job::State::leading;
        next->changed.notify_one();
    } else {
        led_ = false;
    }
}

void Lane::leave_queue(Job& job) {
    if (std::erase(queue_, &job) > 0 && !job.behind)
        --waiting_;
}

// The first in the queue, long work last unless it has waited enough. Null: the queue is empty.
Lane::Job* Lane::next_leader() const {
    const auto enough = std::chrono::steady_clock::now() - longest_behind;
    const auto found =
        std::find_if(queue_.begin(), queue_.end(), [&](const Job* job) { return !job->behind || job->since < enough; });
    return found != queue_.end() ? *found : queue_.empty() ? nullptr : queue_.front();
}

void Lane::run(std::unique_lock<std::mutex>& lock, Durability how) {
    std::exception_ptr why;
    try {
        const Inside inside;
        Pool::Lease session(pool_);
        begin(session, how);
        locked_out_ = false;
        queue_ends_ = never;
        lock.lock();
        take_along(how);
        lock.unlock();
        if (run_jobs(session, batch_, how)) {
            session->commit();
            ++counters_.commits;
            counters_.transactions +=
                std::count_if(batch_.begin(), batch_.end(), [](Job* job) { return !job->thrown && *job->outcome; });
        } else {
            session->rollback();
        }
    } catch (const Retryable&) {
        locked_out_ = true;
        why = std::make_exception_ptr(Unavailable("The database is too busy to write."));
    } catch (...) {
        why = std::current_exception();
    }
    if (why)
        fail_all(batch_, why);
}

// The others join once the leader has the file: until then each may still leave. Long work neither joins nor is joined:
// its neighbours would wait for all of it.
void Lane::take_along(Durability how) {
    if (batch_.front()->behind)
        return;
    for (auto at = queue_.begin(); at != queue_.end() && batch_.size() < widest_;) {
        Job* const job = *at;
        if (job->behind) {
            ++at;
            continue;
        }
        if (how == Durability::relaxed && job->how == Durability::durable)
            break;
        job->state = Job::State::running;
        batch_.push_back(job);
        at = queue_.erase(at);
        --waiting_;
    }
}

// A session that died while it was idle is replaced once, before anything ran on it. A busy file has been waited for.
void Lane::begin(Pool::Lease& session, Durability how) {
    for (int tries = 1;; ++tries) {
        try {
            session->begin(how);
            return;
        } catch (const Unavailable&) {
            if (!session->broken() || tries >= 2)
                throw;
            session.renew();
        }
    }
}

// True when there is something to commit. Savepoints cost about as much as a small job and failures are rare: the jobs
// first share the bare transaction, and only when one of several fails all run again, each in a savepoint.
bool Lane::run_jobs(Pool::Lease& session, const Batch& batch, Durability how) {
    if (run_bare(*session, batch))
        return true;
    if (batch.size() == 1)
        return false;
    session->rollback();
    for (Job* job : batch) {
        job->outcome.reset();
        job->thrown = nullptr;
        job->after->clear();
    }
    begin(session, how);
    return run_apart(*session, batch);
}

// False as soon as one failed. Throws when the transaction itself was lost under a job.
bool Lane::run_bare(Connection& session, const Batch& batch) {
    for (Job* job : batch) {
        run_job(session, *job);
        if (session.broken() || !session.in_transaction())
            throw Unavailable("The database is not available.");
        if (job->thrown || !*job->outcome)
            return false;
    }
    return true;
}

bool Lane::run_apart(Connection& session, const Batch& batch) {
    bool any = false;
    for (Job* job : batch) {
        session.savepoint();
        run_job(session, *job);
        if (session.broken() || !session.in_transaction())
            throw Unavailable("The database is not available.");
        if (job->thrown || !*job->outcome) {
            session.rollback_to_savepoint();
        } else {
            session.release();
            any = true;
        }
    }
    return any;
}

void Lane::run_job(Connection& session, Job& job) {
    try {
        OpenTransaction transaction(session, *job.after, &waiting_);
        const Correlation of_job(*job.correlation);
        job.outcome.emplace((*job.work)(transaction));
        if (*job.outcome) {
            transaction.check_sound();
            return;
        }
    } catch (...) {
        job.thrown = std::current_exception();
    }
    job.after->clear();
}

// A job that failed by itself keeps its error.
void Lane::fail_all(const Batch& batch, const std::exception_ptr& why) {
    for (Job* job : batch) {
        job->after->clear();
        if (!job->thrown && !(job->outcome && !*job->outcome))
            job->thrown = why;
    }
}

}  // namespace svc::store
