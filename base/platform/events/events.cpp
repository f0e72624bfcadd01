// Writes events, runs their listeners in order, takes over what dead processes left.
#include "base/platform/events/events.hpp"

#include <algorithm>
#include <stdexcept>

#include "shared/core/correlation.hpp"
#include "shared/core/log.hpp"

namespace svc::events {
namespace {

using namespace std::chrono_literals;
using Steady = std::chrono::steady_clock;

constexpr int most_stalls = 20;  // of one event in a row: some minutes
constexpr int most_claimed = 500;
// While another process runs an older event of the same subject its row is polled, since nothing wakes us.
constexpr auto look_again = 50ms;

thread_local std::int64_t running_event = 0;
thread_local std::vector<Events::Work>* left_works = nullptr;

// 0.1 s, doubling up to half a minute.
std::chrono::milliseconds pause_after(int stalls) { return std::min(100ms * (1 << std::min(stalls, 9)), 30'000ms); }

}  // namespace

Events::Events(store::Store& store, const Clock& clock, metrics::Registry& metrics, Options options)
    : store_(store),
      clock_(clock),
      options_(std::move(options)),
      registry_({.module_enabled = options_.module_enabled,
                 .failed =
                     [&metrics](std::string_view hook, std::string_view listener) {
                         metrics
                             .counter("svc_listener_failures_total", "Listeners that threw or answered another kind.",
                                      {{"hook", std::string(hook)}, {"listener", std::string(listener)}})
                             .add();
                     }}),
      dispatched_(metrics.counter("svc_events_dispatched_total", "Events whose listeners were run.")),
      taken_over_(metrics.counter("svc_events_taken_over_total", "Events taken over from a process that died.")),
      buried_(metrics.counter("svc_events_dead_total", "Events given up after too many tries.")) {
    metrics.ask("svc_events_age_seconds", "How long the event that could have run for longest has waited.", [this] {
        const auto late = lateness();
        return late ? std::optional(std::chrono::duration<double>(*late).count()) : std::nullopt;
    });
}

Events::~Events() { stop(); }

Result<void> Events::on(std::string_view action, hooks::Listener listener, hooks::ActionCall call) {
    return registry_.on(action, std::move(listener), std::move(call));
}

Result<void> Events::filter(std::string_view name, hooks::Listener listener, hooks::FilterCall call) {
    return registry_.filter(name, std::move(listener), std::move(call));
}

void Events::emit(store::Transaction& tx, const hooks::Action& action, json::Array arguments) {
    const bool has_listener = registry_.has_listener(action.name);
    rows::insert(tx,
                 {.name = action.name,
                  .arguments = json::Value(std::move(arguments)).dump(),
                  .now = clock_.now(),
                  .has_listener = has_listener},
                 options_.process, options_.lease);
    if (has_listener)
        tx.after_commit([this] { wake(); });
}

void Events::run_in_place(const hooks::Action& action, const json::Array& arguments) const {
    try {
        registry_.fire(action.name, arguments);
    } catch (const store::Failure& failure) {
        // Not run again: the following listeners continue.
        log::error("listener_failed", {{"name", action.name}, {"problem", log::redacted(failure.what())}});
    }
}

json::Value Events::apply(const hooks::Filter& filter, json::Value value, json::Array arguments,
                          store::Transaction* tx) const {
    return registry_.apply(filter, std::move(value), std::move(arguments), tx);
}

std::int64_t Events::event_id() const { return running_event; }

void Events::write(Work work) {
    if (left_works) {
        left_works->push_back(std::move(work));
        return;
    }
    if (const auto done = store_.write(work); !done)
        throw std::runtime_error(done.error().message().english());
}

void Events::wake() {
    {
        const std::lock_guard lock(mutex_);
        if (woken_)
            return;
        woken_ = true;
    }
    changed_.notify_all();
}

void Events::start() {
    const std::lock_guard lock(mutex_);
    if (started_)
        throw std::logic_error("the events were started twice");
    registry_.freeze();
    started_ = woken_ = true;
    thread_ = std::thread([this] { loop(); });
}

void Events::stop(std::chrono::milliseconds patience) {
    {
        const std::lock_guard lock(mutex_);
        if (!started_ || stopping_)
            return;
    }
    if (!drain(patience))
        log::warning("events_left", {{"says", "Events are left for another process or the next start."}});
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    changed_.notify_all();
    thread_.join();
    try {
        static_cast<void>(store_.write([&](store::Transaction& tx) -> Result<void> {
            rows::release(tx, options_.process);
            return {};
        }));
    } catch (const store::Failure&) {
        // The leases end by themselves.
    }
}

bool Events::drain(std::chrono::milliseconds patience) {
    const auto until = Steady::now() + patience;
    std::unique_lock lock(mutex_);
    if (started_) {
        const auto mine = ++asked_;
        changed_.notify_all();
        return changed_.wait_until(lock, until, [&] { return answered_ >= mine || stopping_; }) && answered_ >= mine;
    }
    lock.unlock();
    for (;;) {
        const auto done = pass_or_stall();
        if (done == Pass::nothing)
            return true;
        if (Steady::now() > until)
            return false;
        lock.lock();
        if (done != Pass::ran)
            changed_.wait_for(lock, look_again);
        lock.unlock();
    }
}

std::int64_t Events::sweep() {
    std::int64_t taken = 0;
    static_cast<void>(store_.write([&](store::Transaction& tx) -> Result<void> {
        taken = rows::claim(tx, options_.process, options_.lease, most_claimed);
        return {};
    }));
    if (taken > 0) {
        taken_over_.add(static_cast<std::uint64_t>(taken));
        log::warning("events_taken_over", {{"count", taken}});
        wake();
    }
    return taken;
}

void Events::loop() {
    auto next_sweep = Steady::now();
    std::unique_lock lock(mutex_);
    auto last = Pass::ran;
    while (!stopping_) {
        const auto pause = last == Pass::stalled ? pause_after(pauses_) : look_again;
        const auto until = last == Pass::nothing ? next_sweep : std::min(next_sweep, Steady::now() + pause);
        // New events do not end the wait for an unreachable database, nor a drain that for another process.
        const auto called = [&] {
            return stopping_ || (last != Pass::stalled && woken_) || (last == Pass::nothing && asked_ > answered_);
        };
        if (last != Pass::ran)
            changed_.wait_until(lock, until, called);
        if (stopping_)
            break;
        if (last == Pass::ran ? !more_ : woken_ && last == Pass::nothing)
            changed_.wait_for(lock, options_.gather, [&] { return stopping_ || asked_ > answered_; });
        woken_ = false;
        const auto requested = asked_;
        lock.unlock();
        if (Steady::now() >= next_sweep) {
            next_sweep = Steady::now() + options_.sweep_every;
            try {
                sweep();
            } catch (const store::Failure&) {
                // At the next one.
            }
        }
        last = pass_or_stall();
        lock.lock();
        if (last == Pass::nothing && answered_ < requested) {
            answered_ = requested;
            changed_.notify_all();
        }
    }
}

Events::Pass Events::pass_or_stall() {
    try {
        return pass();
    } catch (const std::exception& problem) {
        ++pauses_;
        log::warning("events_stalled", {{"problem", problem.what()}});
        return Pass::stalled;
    }
}

Events::Pass Events::pass() {
    const auto rows = batch();
    pauses_ = 0;
    more_ = rows.size() >= static_cast<std::size_t>(options_.batch);
    if (rows.empty()) {
        return store_.reading<std::int64_t>([&](auto& session) { return rows::open(session, options_.process); }) == 0
                   ? Pass::nothing
                   : Pass::kept_back;
    }
    const auto began = Steady::now();
    std::vector<Dispatched> dispatched;
    const EventRow* stuck = nullptr;
    for (const auto& row : rows) {
        Dispatched one{.id = row.id, .works = {}, .request_id = row.request_id};
        if (!run(row, one)) {
            stuck = &row;
            break;
        }
        dispatched.push_back(std::move(one));
        if (Steady::now() - began > options_.lease / 4)
            break;  // the rest is read again, with a new lease
    }
    const auto noted = note(dispatched);
    dispatched_.add(noted);
    if (noted < dispatched.size())
        stuck = &rows[noted];
    if (!stuck)
        return Pass::ran;
    stalled(*stuck);
    return Pass::stalled;
}

// Notes events in order and returns how many; after a failure the rest fails with it. All share one commit; if that
// fails, each gets its own, so that it shows which one is to blame.
std::size_t Events::note(const std::vector<Dispatched>& dispatched) {
    if (dispatched.empty())
        return 0;
    const bool leaves =
        std::any_of(dispatched.begin(), dispatched.end(), [](const Dispatched& one) { return !one.works.empty(); });
    if (!leaves) {
        note_together(dispatched.data(), dispatched.size());
        return dispatched.size();
    }
    try {
        note_together(dispatched.data(), dispatched.size());
        return dispatched.size();
    } catch (const std::exception& problem) {
        log::warning("events_noted_apart", {{"count", static_cast<std::int64_t>(dispatched.size())},
                                            {"problem", log::redacted(problem.what())}});
    }
    for (std::size_t noted = 0; noted < dispatched.size(); ++noted) {
        try {
            note_together(&dispatched[noted], 1);
        } catch (const store::Unavailable& failure) {
            problem_ = log::redacted(failure.what());
            return noted;
        } catch (const store::Retryable& failure) {
            problem_ = log::redacted(failure.what());
            return noted;
        } catch (const std::exception& problem) {
            // As for a listener that throws: logged, and the event is done.
            log::error("listener_failed",
                       {{"event", dispatched[noted].id}, {"problem", log::redacted(problem.what())}});
            const Dispatched alone{.id = dispatched[noted].id, .works = {}};
            note_together(&alone, 1);
        }
    }
    return dispatched.size();
}

// Relaxed: a crash that undoes it opens its events again and removes the data that their listeners left here.
void Events::note_together(const Dispatched* from, std::size_t count) {
    std::vector<std::int64_t> ids;
    for (std::size_t i = 0; i < count; ++i)
        ids.push_back(from[i].id);
    const auto done = store_.write_relaxed([&](store::Transaction& tx) -> Result<void> {
        for (std::size_t i = 0; i < count; ++i)
            for (const Work& work : from[i].works) {
                const Correlation of_event(from[i].request_id);
                SVC_RETURN_IF_ERROR(work(tx));
            }
        rows::mark_dispatched(tx, options_.process, ids, clock_.now());
        return {};
    });
    if (!done)
        throw std::runtime_error(done.error().message().english());
}

// With at least half a lease left for all of them.
std::vector<EventRow> Events::batch() {
    const auto read = [&](store::Session& session) { return rows::ready(session, options_.process, options_.batch); };
    auto rows = store_.reading<std::vector<EventRow>>(read);
    const auto ends_soon = [&](const EventRow& row) { return row.lease_left < options_.lease / 2; };
    if (!std::any_of(rows.begin(), rows.end(), ends_soon))
        return rows;
    static_cast<void>(store_.write([&](store::Transaction& tx) -> Result<void> {
        rows::renew(tx, options_.process, options_.lease);
        return {};
    }));
    return store_.reading<std::vector<EventRow>>(read);
}

// False when the database prevented a listener from working.
bool Events::run(const EventRow& row, Dispatched& dispatched) {
    const auto arguments = json::parse(row.arguments, {.depth = 64, .elements = 1'000'000, .text = 16 << 20});
    if (!arguments || !arguments->is_array()) {
        log::error("event_unreadable", {{"event", row.id}, {"name", row.name}});
        return true;
    }
    const Correlation of_event(row.request_id);
    running_event = row.id;
    left_works = &dispatched.works;
    bool done = true;
    try {
        registry_.fire(row.name, arguments->items());
    } catch (const store::Failure& failure) {
        problem_ = log::redacted(failure.what());
        done = false;
    }
    running_event = 0;
    left_works = nullptr;
    return done;
}

void Events::stalled(const EventRow& row) {
    stalls_ = stalled_id_ == row.id ? stalls_ + 1 : 1;
    stalled_id_ = row.id;
    pauses_ = stalls_;
    log::warning("event_stalled", {{"event", row.id}, {"name", row.name}, {"tries", stalls_}});
    if (stalls_ < most_stalls)
        return;
    static_cast<void>(store_.write([&](store::Transaction& tx) -> Result<void> {
        rows::bury(tx, row.id, problem_);
        return {};
    }));
    buried_.add();
    stalls_ = 0;
}

std::optional<std::chrono::microseconds> Events::lateness() {
    const auto since = store_.reading<std::optional<Instant>>([](auto& session) { return rows::waits_since(session); });
    return since ? std::optional(std::chrono::microseconds(clock_.now().micros() - since->micros())) : std::nullopt;
}

std::vector<DeadEvent> Events::dead(int most) {
    return store_.reading<std::vector<DeadEvent>>([&](auto& session) { return rows::dead(session, most); });
}

}  // namespace svc::events
