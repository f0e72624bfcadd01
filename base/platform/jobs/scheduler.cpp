// Timers, locks and records of jobs.
#include "base/platform/jobs/scheduler.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <stdexcept>
#include <stop_token>
#include <thread>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>

#include "base/platform/jobs/repository.hpp"
#include "shared/core/log.hpp"

namespace svc::jobs {
namespace {

using namespace std::chrono_literals;
namespace asio = boost::asio;
using rows::Claim;

constexpr std::chrono::microseconds clocks_differ = 60s;  // as those of two servers may

}  // namespace

struct Scheduler::Parts {
    class Renewal;
    Parts(store::Store& s, const Clock& c, std::function<Zone()> z, metrics::Registry& m, SchedulerOptions o)
        : store(s), clock(c), zone(std::move(z)), metrics(m), options(std::move(o)), timer(io), heart(io) {}

    const Job& job(const std::string& name) const;
    Claim take(const Job& job, bool forced, const std::string& owner);
    Result<json::Value> run(const Job& job, const std::string& owner);
    // Claims and runs; nothing when it was not its turn after all.
    std::optional<Result<json::Value>> turn(const Job& job, bool forced, Claim& claim);
    void record(const Job& job, const std::string& owner, bool ok, const std::string& result);
    bool begin(const std::string& name);
    void end(const std::string& name);

    void tick();
    void arm(std::chrono::milliseconds wait);
    void beat();
    void renew_locks();
    void post(const std::string& name, bool forced);
    std::chrono::milliseconds look();

    store::Store& store;
    const Clock& clock;
    const std::function<Zone()> zone;
    metrics::Registry& metrics;
    const SchedulerOptions options;
    std::map<std::string, Job> jobs;

    std::mutex mutex;
    std::map<std::string, std::string> running;  // name to owner
    std::set<std::string> woken;                 // requested, not started yet
    std::set<std::string> queued;                // on their way to the pool
    std::uint64_t runs = 0;
    bool prepared = false, started = false, stopping = false;

    asio::io_context io;
    asio::steady_timer timer, heart;
    std::unique_ptr<asio::thread_pool> pool;
    std::thread thread;
};

const Job& Scheduler::Parts::job(const std::string& name) const {
    const auto found = jobs.find(name);
    if (found == jobs.end())
        throw std::logic_error("there is no such job: " + name);
    return found->second;
}

bool Scheduler::Parts::begin(const std::string& name) {
    const std::lock_guard lock(mutex);
    return running.emplace(name, options.process + "#" + std::to_string(++runs)).second;
}

void Scheduler::Parts::end(const std::string& name) {
    const std::lock_guard lock(mutex);
    running.erase(name);
}

Claim Scheduler::Parts::take(const Job& job, bool forced, const std::string& owner) {
    const auto now = clock.now();
    const rows::Ask ask{job, turn_at(job, zone(), now), now, forced, owner, options.lease};
    auto claim = Claim::not_due;
    const auto done = store.write([&](store::Transaction& tx) -> Result<void> {
        claim = rows::claim(tx, ask);
        return claim == Claim::day_done ? Result<void>(errc::conflict) : Result<void>();
    });
    if (!done && claim == Claim::day_done)
        static_cast<void>(store.write([&](store::Transaction& tx) -> Result<void> {
            rows::postpone(tx, job, ask.turn.next);
            return {};
        }));
    return claim;
}

Result<json::Value> Scheduler::Parts::run(const Job& job, const std::string& owner) {
    const auto began = std::chrono::steady_clock::now();
    Result<json::Value> outcome{errc::internal_error};
    try {
        outcome = job.run(clock.now());
    } catch (const std::exception& problem) {
        outcome = Error{errc::internal_error}.because(problem.what());
    } catch (...) {
        outcome = Error{errc::internal_error}.because("something that is no exception was thrown");
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    metrics.histogram("svc_job_seconds", "How long runs of a job took.", {{"job", job.name}}).observe(took.count());
    metrics.counter("svc_job_runs_total", "Runs of a job.", {{"job", job.name}, {"result", outcome ? "ok" : "failed"}})
        .add();
    const std::string problem = outcome ? std::string() : outcome.error().message().english();
    if (!outcome)
        log::error("job_failed", {{"job", job.name}, {"problem", problem}, {"cause", outcome.error().cause()}});
    record(job, owner, problem.empty(), (outcome ? *outcome : json::Value::object({{"error", problem}})).dump());
    return outcome;
}

// A run whose end cannot be written down stays locked until its lease ends, and is then due again.
void Scheduler::Parts::record(const Job& job, const std::string& owner, bool ok, const std::string& result) {
    try {
        static_cast<void>(store.write([&](store::Transaction& tx) -> Result<void> {
            rows::finish(tx, job.name, owner, clock.now(), ok, result);
            return {};
        }));
    } catch (const store::Failure& problem) {
        log::error("job_not_recorded", {{"job", job.name}, {"problem", problem.what()}});
    }
}

std::optional<Result<json::Value>> Scheduler::Parts::turn(const Job& job, bool forced, Claim& claim) {
    claim = Claim::locked;
    if (!begin(job.name))
        return std::nullopt;
    struct End {
        Parts& parts;
        const std::string& name;
        ~End() { parts.end(name); }
    } const at_the_end{*this, job.name};
    std::string owner;
    {
        const std::lock_guard lock(mutex);
        owner = running.at(job.name);
    }
    claim = take(job, forced, owner);
    if (claim != Claim::taken)
        return std::nullopt;
    return run(job, owner);
}

// Queues its run on the pool. If it was requested meanwhile, another one follows at once.
void Scheduler::Parts::post(const std::string& name, bool forced) {
    {
        const std::lock_guard lock(mutex);
        if (!queued.insert(name).second)
            return;
    }
    asio::post(*pool, [this, name, forced] {
        {
            const std::lock_guard lock(mutex);
            queued.erase(name);
            if (forced)
                woken.erase(name);
            if (stopping)
                return;
        }
        try {
            auto claim = Claim::not_due;
            static_cast<void>(turn(job(name), forced, claim));
            if (forced && claim == Claim::locked) {
                const std::lock_guard lock(mutex);
                if (running.count(name) != 0) {
                    woken.insert(name);
                    return;
                }
            }
            // Another process has it: it sees the row and runs again.
            if (forced && claim == Claim::locked)
                static_cast<void>(store.write([&](store::Transaction& tx) -> Result<void> {
                    rows::due_by(tx, name, clock.now());
                    return {};
                }));
        } catch (const store::Failure& problem) {
            log::warning("job_turn_missed", {{"job", name}, {"problem", problem.what()}});
        }
        asio::post(io, [this] { tick(); });
    });
}

void Scheduler::Parts::arm(std::chrono::milliseconds wait) {
    timer.expires_after(wait);
    timer.async_wait([this](const boost::system::error_code& failed) {
        if (!failed)
            tick();
    });
}

// Queues due jobs on the pool; returns the time until the next one.
std::chrono::milliseconds Scheduler::Parts::look() {
    const auto now = clock.now();
    auto wait = options.look_again;
    const auto states = store.reading<std::map<std::string, rows::State, std::less<>>>(
        [](store::Session& session) { return rows::states(session); });
    std::set<std::string> forced, busy;
    {
        const std::lock_guard lock(mutex);
        forced = woken;
        for (const auto& [name, owner] : running)
            busy.insert(name);
    }
    for (const auto& [name, state] : states) {
        const bool is_forced = forced.count(name) != 0;
        if (jobs.count(name) == 0 || busy.count(name) != 0 || (state.locked && !is_forced))
            continue;
        // Later than any next turn can be: the clock was ahead when that was written, and has been set back since.
        const auto latest = turn_at(jobs.at(name), zone(), now).next;
        if (state.next_run_at.micros() - latest.micros() > clocks_differ.count())
            static_cast<void>(store.write([&, &job = name](store::Transaction& tx) -> Result<void> {
                rows::due_by(tx, job, latest);
                return {};
            }));
        const auto left = std::chrono::microseconds(state.next_run_at.micros() - now.micros());
        if (is_forced || left.count() <= 0 || state.left_behind)
            post(name, is_forced);
        else
            wait = std::min(wait, std::chrono::duration_cast<std::chrono::milliseconds>(left) + 1ms);
    }
    return wait;
}

void Scheduler::Parts::tick() {
    // No `wait = look()` inside the try: g++ 12 drops the value from before when a call that returns a small struct
    // throws.
    const auto until_next = [this] {
        try {
            return look();
        } catch (const store::Failure& problem) {
            log::warning("jobs_not_seen", {{"problem", problem.what()}});
            return options.look_again;
        }
    };
    arm(until_next());
}

void Scheduler::Parts::renew_locks() {
    std::map<std::string, std::string> now_running;
    {
        const std::lock_guard lock(mutex);
        now_running = running;
    }
    try {
        for (const auto& [name, owner] : now_running)
            static_cast<void>(store.write([&, &job = name, &by = owner](store::Transaction& tx) -> Result<void> {
                rows::renew(tx, job, by, options.lease);
                return {};
            }));
    } catch (const store::Failure& problem) {
        log::warning("job_lock_not_renewed", {{"problem", problem.what()}});
    }
}

void Scheduler::Parts::beat() {
    heart.expires_after(options.lease / 3);
    heart.async_wait([this](const boost::system::error_code& failed) {
        if (failed)
            return;
        renew_locks();
        beat();
    });
}

// Renews locks for the command line, which starts no heart: a server would run the job beside it after the lease.
class Scheduler::Parts::Renewal {
  public:
    explicit Renewal(Parts& parts)
        : thread_([this, &parts](const std::stop_token& stop) {
              std::unique_lock lock(mutex_);
              while (!stopped_.wait_for(lock, stop, parts.options.lease / 3, [] { return false; }) &&
                     !stop.stop_requested())
                  parts.renew_locks();
          }) {}

  private:
    std::mutex mutex_;
    std::condition_variable_any stopped_;
    std::jthread thread_;  // stops before the others go
};

Scheduler::Scheduler(store::Store& store, const Clock& clock, std::function<Zone()> zone, metrics::Registry& metrics,
                     SchedulerOptions options)
    : parts_(std::make_unique<Parts>(store, clock, std::move(zone), metrics, std::move(options))) {}

Scheduler::~Scheduler() { stop(); }

void Scheduler::add(Job job) {
    if (parts_->prepared)
        throw std::logic_error("a job was added after the start: " + job.name);
    const auto name = job.name;
    if (!parts_->jobs.emplace(name, std::move(job)).second)
        throw std::logic_error("a job was added twice: " + name);
}

void Scheduler::prepare() {
    parts_->prepared = true;
    const auto now = parts_->clock.now();
    static_cast<void>(parts_->store.write([&](store::Transaction& tx) -> Result<void> {
        for (const auto& [name, job] : parts_->jobs)
            rows::register_job(tx, job, turn_at(job, parts_->zone(), now).next);
        return {};
    }));
}

void Scheduler::start() {
    if (parts_->started)
        throw std::logic_error("the jobs were started twice");
    prepare();
    parts_->started = true;
    parts_->pool = std::make_unique<asio::thread_pool>(static_cast<std::size_t>(parts_->options.threads));
    asio::post(parts_->io, [parts = parts_.get()] {
        parts->tick();
        parts->beat();
    });
    parts_->thread = std::thread([parts = parts_.get()] { parts->io.run(); });
}

void Scheduler::stop() {
    {
        const std::lock_guard lock(parts_->mutex);
        if (!parts_->started || parts_->stopping)
            return;
        parts_->stopping = true;
    }
    parts_->pool->join();
    parts_->io.stop();
    parts_->thread.join();
}

void Scheduler::wake(const std::string& name) {
    {
        const std::lock_guard lock(parts_->mutex);
        if (!parts_->woken.insert(name).second || !parts_->started || parts_->stopping)
            return;
    }
    asio::post(parts_->io, [parts = parts_.get()] { parts->tick(); });
}

Result<json::Value> Scheduler::run_now(const std::string& name) {
    if (parts_->jobs.count(name) == 0)
        return Error{errc::not_found, "This job does not exist."_sentence};
    auto claim = Claim::not_due;
    std::optional<Parts::Renewal> renewal;
    {
        const std::lock_guard lock(parts_->mutex);
        if (!parts_->started)
            renewal.emplace(*parts_);
    }
    auto outcome = parts_->turn(parts_->job(name), true, claim);
    renewal.reset();
    {
        const std::lock_guard lock(parts_->mutex);
        if (parts_->started && !parts_->stopping)
            asio::post(parts_->io, [parts = parts_.get()] { parts->tick(); });
    }
    return outcome ? std::move(*outcome)
                   : Result<json::Value>(Error{errc::conflict, "This job is already running."_sentence});
}

std::vector<Job> Scheduler::all() const {
    std::vector<Job> all;
    for (const auto& [name, job] : parts_->jobs)
        all.push_back(job);
    return all;
}

int Scheduler::run_due() {
    int count = 0;
    for (const auto& [name, job] : parts_->jobs) {
        bool forced = false;
        {
            const std::lock_guard lock(parts_->mutex);
            forced = parts_->woken.erase(name) != 0;
        }
        auto claim = Claim::not_due;
        if (parts_->turn(job, forced, claim))
            ++count;
    }
    return count;
}

}  // namespace svc::jobs
