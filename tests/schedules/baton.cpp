// Hands the baton over: who stands where, who waits for whom, who goes on.
#include "tests/schedules/baton.hpp"

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "tests/schedules/held_mutexes.hpp"

namespace svc::tests {
namespace {

using namespace std::chrono_literals;

const std::exception_ptr unavailable = std::make_exception_ptr(store::Unavailable("The database is not available."));

// Short, the same in each process: which statement it was.
std::string short_name(std::string_view sql) {
    std::uint32_t hash = 2166136261U;
    for (const char each : sql)
        if (each < '0' || each > '9')
            hash = (hash ^ static_cast<unsigned char>(each)) * 16777619U;
    std::string name(sql.substr(0, sql.find(' ')));
    name += ' ';
    name += std::to_string(hash);
    return name;
}

std::string line_of(std::size_t actor, std::string_view what) {
    std::string line = std::to_string(actor);
    line += ' ';
    line += what;
    return line;
}

}  // namespace

thread_local Baton::Actor* Baton::self = nullptr;

Counts& Counts::operator+=(const Counts& more) {
    steps += more.steps;
    switches += more.switches;
    waits += more.waits;
    waits_given_up += more.waits_given_up;
    faults += more.faults;
    kills += more.kills;
    lost_answers += more.lost_answers;
    clock_steps += more.clock_steps;
    return *this;
}

void Baton::note(const std::string& line) {
    const std::lock_guard lock(mutex_);
    trace_.push_back(line_of(self ? self->number : 0, line));
}

void Baton::begins(bool writes) {
    if (!self)
        return;
    const Order order = stop(writes ? Point::write : Point::read);
    if (order != Order::go)
        ended(writes);
    if (order == Order::kill)
        throw Killed{};
    if (order == Order::refuse)
        std::rethrow_exception(unavailable);
    self->writing = self->writing || writes;
}

void Baton::begun(store::Transaction& real) {
    // A thread in the queue for a lock stays there as long as the schedule wants.
    if (self && real.dialect() == store::Dialect::postgresql)
        real.each(
            "SELECT pg_catalog.pg_backend_pid(), set_config('lock_timeout', '0', true),"
            " set_config('statement_timeout', '0', true), set_config('svc_test.actor', CAST(:number AS TEXT), true)",
            "ittt", {{"number", std::to_string(self->number)}},
            [own = self](const store::Row& row) { own->process = row.integer(0); });
}

void Baton::statement(std::string_view sql) {
    if (!self)
        return;
    switch (stop(Point::statement, sql)) {
        case Order::refuse:
            std::rethrow_exception(unavailable);
        case Order::conflict:
            throw store::Retryable("Another transaction was in the way.");
        case Order::kill:
            throw Killed{};
        default:
            return;
    }
}

void Baton::stepped() {
    if (!self)
        return;
    {
        const std::lock_guard lock(mutex_);
        if (self->state != State::waiting)
            return;
    }
    static_cast<void>(stop(Point::woken));
}

std::exception_ptr Baton::commits() {
    if (!self)
        return nullptr;
    switch (stop(Point::commit)) {
        case Order::refuse:
            std::rethrow_exception(unavailable);
        case Order::kill:
            throw Killed{};
        case Order::lose:
            return unavailable;
        case Order::kill_after:
            return std::make_exception_ptr(Killed{});
        default:
            return nullptr;
    }
}

void Baton::ended(bool writes) {
    if (!self || !writes)
        return;
    const std::lock_guard lock(mutex_);
    self->writing = false;
    if (writer_ == self)
        writer_ = nullptr;
}

Baton::Order Baton::stop(Point point, std::string_view sql) {
    Actor& own = *self;
    if (held_mutexes() > 0) {
        // Whoever wants that mutex would stand still without being seen.
        if (point == Point::write)
            throw std::logic_error("a write under a mutex");
        return Order::go;
    }
    std::unique_lock lock(mutex_);
    own.point = point;
    own.sql = sql;
    own.state = State::stopped;
    ++changes_;
    stopped_.notify_one();
    own.turn.wait(lock, [&] { return own.state == State::going; });
    return own.order;
}

// Until everybody stands at a step or waits for somebody's lock.
void Baton::settle(std::unique_lock<std::mutex>& lock) {
    const auto give_up = std::chrono::steady_clock::now() + 60s;
    for (;;) {
        std::int64_t away = 0, standing = 0;
        for (const auto& actor : actors_) {
            away += actor->state == State::going || actor->state == State::waiting ? 1 : 0;
            standing += actor->state == State::stopped ? 1 : 0;
        }
        if (away == 0)
            return;
        if (std::chrono::steady_clock::now() > give_up)
            around_.stuck();
        const auto before = changes_;
        if (around_.waiting && standing > 0) {
            lock.unlock();
            auto waiting = around_.waiting();
            // Not all that is told of them is of one moment: once they all wait it stays so, and is looked at again.
            if (std::ssize(waiting) == away)
                waiting = around_.waiting();
            lock.lock();
            // A thread that waits for a stranger goes on unscheduled, as for a notice's lock, one for all databases.
            std::erase_if(waiting, [&](const Waiting& one) { return !behind_an_actor(one); });
            if (changes_ == before && std::ssize(waiting) == away) {
                if (const Actor* late = one_too_many(waiting)) {
                    ++counts_.waits_given_up;
                    trace_.push_back(line_of(late->number, "waits no longer"));
                    around_.give_up_waiting(late->process);
                    stopped_.wait(lock, [&] { return changes_ != before; });
                    continue;
                }
                for (const auto& actor : actors_)
                    if (actor->state == State::going) {
                        actor->state = State::waiting;
                        ++counts_.waits;
                        trace_.push_back(line_of(actor->number, "waits"));
                    }
                return;
            }
        }
        stopped_.wait_for(lock, around_.waiting ? 1ms : 1s, [&] { return changes_ != before; });
    }
}

bool Baton::behind_an_actor(const Waiting& one) const {
    return std::any_of(actors_.begin(), actors_.end(), [&](const auto& actor) {
        return actor->state != State::ended &&
               std::find(one.behind.begin(), one.behind.end(), actor->process) != one.behind.end();
    });
}

Baton::Actor* Baton::one_too_many(const std::vector<Waiting>& waiting) {
    for (const auto& actor : actors_)
        for (const Waiting& one : waiting)
            if (one.process == actor->process && (actor->state == State::going || actor->state == State::waiting)) {
                actor->behind = one.behind;
                actor->queued = one.queued;
            }
    for (const auto& late : actors_) {
        if (late->state == State::going && late->queued)
            return late.get();
        for (const auto& other : actors_)
            if (late->state == State::going && other->state == State::waiting &&
                std::find_first_of(late->behind.begin(), late->behind.end(), other->behind.begin(),
                                   other->behind.end()) != late->behind.end())
                return late.get();
    }
    return nullptr;
}

Baton::Actor* Baton::next() {
    std::vector<Actor*> able;
    for (const auto& actor : actors_)
        if (actor->state == State::stopped &&
            (around_.waiting || actor->point != Point::write || !writer_ || writer_ == actor.get()))
            able.push_back(actor.get());
    if (able.empty())
        return nullptr;
    const bool same = last_ && std::find(able.begin(), able.end(), last_) != able.end();
    if (ways_.one_after_the_other)
        return same ? last_ : able.front();
    if (same && chance_.between(0, 99) < steadiness_)
        return last_;
    return chance_.one_of(able);
}

// The fate of its step; nearly always it runs.
Baton::Order Baton::fate(const Actor& actor) {
    if (!ways_.faults || actor.point == Point::start || actor.point == Point::woken || chance_.between(0, 79) != 0)
        return Order::go;
    static constexpr Order at_commit[] = {Order::refuse, Order::kill, Order::lose, Order::lose, Order::kill_after},
                           inside[] = {Order::refuse, Order::kill, Order::conflict},
                           elsewhere[] = {Order::refuse, Order::kill};
    // SQLite's one writer is in nobody's way.
    const bool may_conflict = around_.waiting && actor.point == Point::statement && actor.writing;
    const Order order = actor.point == Point::commit ? chance_.one_of(at_commit)
                        : may_conflict               ? chance_.one_of(inside)
                                                     : chance_.one_of(elsewhere);
    ++counts_.faults;
    counts_.kills += order == Order::kill || order == Order::kill_after ? 1 : 0;
    counts_.lost_answers += order == Order::lose ? 1 : 0;
    return order;
}

void Baton::cancel_charge(std::unique_lock<std::mutex>& lock, Actor& actor) {
    static constexpr const char* points[] = {"start", "read", "write", "", "commit", "woken"};
    static constexpr const char* orders[] = {"", " refused", " conflict", " answer lost", " killed", " killed after"};
    actor.order = fate(actor);
    ++counts_.steps;
    counts_.switches += last_ && last_ != &actor ? 1 : 0;
    last_ = &actor;
    std::string step = actor.point == Point::statement ? short_name(actor.sql) : std::string();
    step += points[static_cast<int>(actor.point)];
    step += orders[static_cast<int>(actor.order)];
    trace_.push_back(line_of(actor.number, step));
    if (actor.point == Point::write && !around_.waiting)
        writer_ = &actor;
    const bool commit = actor.point == Point::commit;
    actor.state = State::going;
    ++changes_;
    actor.turn.notify_one();
    settle(lock);
    if (commit && around_.committed)
        around_.committed();
}

void Baton::run(const std::vector<std::function<void()>>& actors) {
    steadiness_ = chance_.between(0, 9) * 10;
    std::unique_lock lock(mutex_);
    for (const auto& work : actors) {
        Actor& actor = *actors_.emplace_back(std::make_unique<Actor>());
        actor.number = actors_.size();
        actor.thread = std::thread([this, &actor, &work] {
            self = &actor;
            stop(Point::start);
            work();
            const std::lock_guard ending(mutex_);
            actor.state = State::ended;
            ++changes_;
            stopped_.notify_one();
        });
    }
    settle(lock);
    while (Actor* actor = next()) {
        if (around_.step_clock && chance_.between(0, 49) == 0) {
            ++counts_.clock_steps;
            lock.unlock();
            around_.step_clock();
            lock.lock();
        }
        cancel_charge(lock, *actor);
    }
    const bool all =
        std::all_of(actors_.begin(), actors_.end(), [](const auto& actor) { return actor->state == State::ended; });
    lock.unlock();
    if (!all)
        around_.stuck();
    for (const auto& actor : actors_)
        actor->thread.join();
}

}  // namespace svc::tests
