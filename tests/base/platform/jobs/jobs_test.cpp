// Jobs: their turns, once across processes, what is recorded, what a crash leaves.
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>

#include <doctest/doctest.h>

#include "base/platform/jobs/housekeeping.hpp"
#include "base/platform/jobs/repository.hpp"
#include "base/platform/jobs/scheduler.hpp"
#include "tests/support/databases.hpp"
#include "tests/support/set_clock.hpp"

using namespace svc;
using namespace svc::jobs;
using namespace std::chrono_literals;
using tests::SetClock;

namespace {

struct Site {
    explicit Site(tests::Database& database) : store(database.open_migrated()) {}
    std::unique_ptr<Scheduler> process(const std::string& name, std::chrono::milliseconds lease = 60s) {
        return std::make_unique<Scheduler>(
            *store, clock, [this] { return zone; }, metrics,
            SchedulerOptions{.process = name, .lease = lease, .look_again = 20ms});
    }
    std::string text(std::string_view sql) {
        return store->reading<std::string>([&](store::Session& session) {
            return session
                .first<std::string>(sql, "t", {}, [](const store::Row& row) { return row.maybe_text(0).value_or(""); })
                .value_or("no row");
        });
    }

    SetClock clock{"2026-05-04T10:00:00Z"};
    Zone zone = Zone::utc();
    metrics::Registry metrics;
    std::unique_ptr<store::Store> store;
};

Job counting(std::atomic<int>& runs, std::optional<ClockTime> at = {}) {
    return {.name = "count",
            .help = "Counts its runs.",
            .every = 1h,
            .run = [&](Instant) -> Result<json::Value> {
                return json::Value::object({{"run", ++runs}});
            },
            .daily_at = at};
}

// Counts who reads it; away when told so.
class Leaving final : public store::Store {
  public:
    explicit Leaving(store::Store& store) : store_(store) {}
    [[nodiscard]] store::Dialect dialect() const override { return store_.dialect(); }
    void read(const std::function<void(store::Session&)>& work) override {
        ++reads;
        if (away)
            throw store::Unavailable("The database is not available.");
        store_.read(work);
    }
    Result<void> write(const std::function<Result<void>(store::Transaction&)>& work) override {
        return store_.write(work);
    }

    std::atomic<int> reads = 0;
    std::atomic<bool> away = false;

  private:
    store::Store& store_;
};

}  // namespace

TEST_CASE("while the database is away it is looked at as often as before") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        Site site(db);
        Leaving store(*site.store);
        Scheduler jobs(
            store, site.clock, [] { return Zone::utc(); }, site.metrics,
            SchedulerOptions{.process = "a", .look_again = 50ms});
        std::atomic<int> runs = 0;
        jobs.add(counting(runs));
        jobs.start();
        while (store.reads < 3)  // from then on it is the timer that looks
            std::this_thread::sleep_for(1ms);
        store.away = true;
        const int before = store.reads;
        for (int patience = 0; store.reads < before + 5 && patience < 600; ++patience)
            std::this_thread::sleep_for(50ms);
        CHECK(store.reads >= before + 5);
        // It waits in between: never more than one read for each 50 ms that passed, but for what each look reads.
        const auto began = std::chrono::steady_clock::now();
        const int since = store.reads;
        std::this_thread::sleep_for(200ms);
        const int now = store.reads;
        const auto looks = (std::chrono::steady_clock::now() - began) / 50ms + 1;
        CHECK(now - since <= 10 * looks);
        jobs.stop();
    });
}

TEST_CASE("a job that the command line runs keeps its lock beyond its lease, and no server runs it beside") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        Site site(db);
        std::atomic<int> at_once = 0, most = 0;
        std::atomic<bool> may_end = false;
        const Job slow{
            .name = "slow", .help = "Takes its time.", .every = 1h, .run = [&](Instant) -> Result<json::Value> {
                const int running = ++at_once;
                most = std::max(most.load(), running);
                while (running == 1 && !may_end)
                    std::this_thread::sleep_for(10ms);
                --at_once;
                return json::Value::object();
            }};
        const auto command = site.process("command", 3s), server = site.process("server", 3s);
        command->add(slow);
        server->add(slow);
        command->prepare();
        server->prepare();
        std::jthread worker([&] { CHECK(command->run_now("slow")); });
        while (at_once == 0)
            std::this_thread::sleep_for(1ms);
        for (int i = 0; i < 40; ++i) {  // for longer than the lease
            CHECK_FALSE(server->run_now("slow"));
            std::this_thread::sleep_for(100ms);
        }
        may_end = true;
        worker.join();
        CHECK(most == 1);
    });
}

TEST_CASE("a job runs when its interval has passed, and its run is recorded") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        Site site(db);
        std::atomic<int> runs = 0;
        const auto jobs = site.process("a");
        jobs->add(counting(runs));
        jobs->prepare();
        CHECK(jobs->run_due() == 0);
        site.clock.advance(59min);
        CHECK(jobs->run_due() == 0);
        site.clock.advance(1min);
        CHECK(jobs->run_due() == 1);
        CHECK(jobs->run_due() == 0);
        CHECK(runs == 1);
        CHECK(site.text("SELECT last_status FROM svc_jobs") == "ok");
        CHECK(site.text("SELECT last_result FROM svc_jobs") == R"({"run":1})");
        CHECK(site.text("SELECT locked_by FROM svc_jobs") == "");
        CHECK(site.metrics.text().find(R"(svc_job_runs_total{job="count",result="ok"} 1)") != std::string::npos);
    });
}

TEST_CASE("turns that were missed while nobody ran are made up for once, at the start") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        Site site(db);
        std::atomic<int> runs = 0;
        for (const auto& at : {std::optional<ClockTime>(), ClockTime::parse("08:00")}) {
            runs = 0;
            {
                const auto before = site.process("a");
                before->add(counting(runs, at));
                before->prepare();
            }
            site.clock.advance(std::chrono::hours(100));
            const auto after = site.process("b");
            after->add(counting(runs, at));
            after->prepare();
            CHECK(after->run_due() == 1);
            CHECK(after->run_due() == 0);
            CHECK(runs == 1);
        }
    });
}

TEST_CASE("a job that fails or throws is recorded as failed and due at its next turn") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        Site site(db);
        const auto jobs = site.process("a");
        bool throws = false;
        jobs->add({.name = "bad", .help = "Fails.", .every = 60s, .run = [&](Instant) -> Result<json::Value> {
                       if (throws)
                           throw std::runtime_error("secret cause");
                       return Error{errc::upstream_error}.because("secret cause");
                   }});
        jobs->prepare();
        for (const bool now_throws : {false, true}) {
            throws = now_throws;
            site.clock.advance(1min);
            CHECK(jobs->run_due() == 1);
            CHECK(site.text("SELECT last_status FROM svc_jobs") == "failed");
            CHECK(site.text("SELECT last_result FROM svc_jobs").find("secret") == std::string::npos);
        }
    });
}

TEST_CASE("a daily job runs once a local day, over both changes of the clock") {
    struct Change {
        const char *at, *from, *until;
        int days;
        const char* first_run;
    };
    // 02:30 does not exist in Berlin on 29 March 2026 and comes twice on 25 October; a step is 10 minutes.
    const std::vector<Change> changes{
        {"02:30", "2026-03-28T12:00:00Z", "2026-03-30T12:00:00Z", 2, "2026-03-29T01:30:00Z"},
        {"02:30", "2026-10-24T12:00:00Z", "2026-10-26T12:00:00Z", 2, "2026-10-25T00:30:00Z"},
        {"03:00", "2026-03-28T12:00:00Z", "2026-03-29T12:00:00Z", 1, "2026-03-29T01:00:00Z"},
        {"00:00", "2026-10-24T12:00:00Z", "2026-10-26T12:00:00Z", 2, "2026-10-24T22:00:00Z"},
        {"23:50", "2028-02-28T12:00:00Z", "2028-03-01T12:00:00Z", 2, "2028-02-28T22:50:00Z"},
    };
    tests::each_database([&](tests::Database& db) {
        CAPTURE(db.name());
        for (const auto& change : changes) {
            CAPTURE(change.from);
            CAPTURE(change.at);
            Site site(db);
            tests::execute(*site.store, {"DELETE FROM svc_jobs", "DELETE FROM svc_job_days"});
            site.zone = Zone::named("Europe/Berlin").value();
            site.clock.set(change.from);
            std::vector<std::string> ran;
            std::vector<std::unique_ptr<Scheduler>> processes;
            for (const char* name : {"a", "b"}) {
                processes.push_back(site.process(name));
                processes.back()->add({.name = "daily",
                                       .help = "Notes when it ran.",
                                       .run = [&](Instant now) -> Result<json::Value> {
                                           ran.push_back(now.text());
                                           return json::Value();
                                       },
                                       .daily_at = ClockTime::parse(change.at)});
                processes.back()->prepare();
            }
            const auto until = Instant::parse(change.until).value();
            for (; site.clock.now() < until; site.clock.advance(10min))
                for (const auto& process : processes)
                    process->run_due();
            CHECK(ran.size() == static_cast<std::size_t>(change.days));
            CHECK(ran.front() == change.first_run);
        }
    });
}

TEST_CASE("a day that has been counted is not run again when the clock or the zone steps back") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        Site site(db);
        std::atomic<int> runs = 0;
        const auto jobs = site.process("a");
        jobs->add(counting(runs, ClockTime::parse("12:00")));
        jobs->prepare();
        site.clock.set("2026-05-04T12:00:00Z");
        CHECK(jobs->run_due() == 1);
        tests::execute(*site.store, {"UPDATE svc_jobs SET next_run_at = 0"});  // as another process would see it
        CHECK(jobs->run_due() == 0);
        CHECK(jobs->run_due() == 0);
        CHECK(runs == 1);
        site.clock.set("2026-05-05T12:00:00Z");
        CHECK(jobs->run_due() == 1);
    });
}

TEST_CASE("a turn that a clock set too far ahead has planned is made when the clock is right again") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        Site site(db);
        std::atomic<int> runs = 0;
        const auto jobs = site.process("a");
        jobs->add(counting(runs));
        jobs->prepare();
        site.clock.set("2026-06-04T12:00:00Z");
        REQUIRE(jobs->run_due() == 1);
        site.clock.set("2026-05-04T12:00:00Z");
        jobs->start();
        const auto planned = [&] {
            return site.store->reading<std::int64_t>(
                [](store::Session& session) { return session.number("SELECT next_run_at FROM svc_jobs", {}); });
        };
        const auto in_an_hour = Instant::parse("2026-05-04T13:00:00Z").value().micros();
        while (planned() != in_an_hour)
            std::this_thread::sleep_for(5ms);
        CHECK(runs == 1);
        site.clock.set("2026-05-04T13:00:00Z");
        while (runs != 2)
            std::this_thread::sleep_for(5ms);
        jobs->stop();
    });
}

TEST_CASE("two processes never run a job for the same turn, nor at the same time") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        Site site(db);
        std::atomic<int> runs = 0, inside = 0, overlaps = 0;
        std::vector<std::unique_ptr<Scheduler>> processes;
        for (const char* name : {"a", "b", "c", "d"}) {
            processes.push_back(site.process(name));
            processes.back()->add({.name = "one", .help = "Looks around.", .run = [&](Instant) -> Result<json::Value> {
                                       if (++inside > 1)
                                           ++overlaps;
                                       ++runs;
                                       std::this_thread::yield();
                                       --inside;
                                       return json::Value();
                                   }});
            processes.back()->prepare();
        }
        constexpr int turns = 25;
        for (int i = 0; i < turns; ++i) {
            site.clock.advance(1h);
            std::vector<std::thread> threads;
            for (const auto& process : processes)
                threads.emplace_back([&] { process->run_due(); });
            for (auto& thread : threads)
                thread.join();
        }
        CHECK(runs == turns);
        CHECK(overlaps == 0);
    });
}

TEST_CASE("what a dead process had locked is freed by the lease's end, and the broken run is made again") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        Site site(db);
        std::atomic<int> runs = 0;
        const auto jobs = site.process("alive");
        jobs->add(counting(runs, ClockTime::parse("12:00")));
        jobs->prepare();
        site.clock.set("2026-05-04T12:00:00Z");
        const auto job = jobs->all().front();
        const std::string dead = "dead#1";
        const auto lock = [&](std::chrono::milliseconds lease) {
            return site.store
                ->transact<int>([&](store::Transaction& tx) -> Result<int> {
                    return static_cast<int>(rows::claim(
                        tx, {job, turn_at(job, site.zone, site.clock.now()), site.clock.now(), false, dead, lease}));
                })
                .value();
        };
        CHECK(lock(1h) == static_cast<int>(rows::Claim::taken));
        CHECK(jobs->run_due() == 0);
        CHECK(jobs->run_now("count").error().code().name == "svc_conflict");
        // The lease of an hour passes, and a second more: SQLite's clock counts whole milliseconds.
        tests::execute(*site.store, {"UPDATE svc_jobs SET locked_until = locked_until - 3601000000"});
        CHECK(jobs->run_due() == 1);
        CHECK(jobs->run_due() == 0);
        CHECK(runs == 1);
    });
}

TEST_CASE("a job can be run by hand, without touching its turn, and not twice at a time") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        Site site(db);
        std::atomic<int> runs = 0;
        const auto jobs = site.process("a");
        jobs->add(counting(runs));
        jobs->prepare();
        CHECK(jobs->run_now("count").value()["run"].integer() == 1);
        CHECK(jobs->run_due() == 0);
        CHECK(jobs->run_now("none").error().code().name == "svc_not_found");
        CHECK_THROWS_AS(jobs->add(counting(runs)), std::logic_error);

        const auto other = site.process("b");
        other->add({.name = "count", .help = "Meets itself.", .run = [&](Instant) -> Result<json::Value> {
                        CHECK(jobs->run_now("count").error().code().name == "svc_conflict");
                        CHECK(other->run_now("count").error().code().name == "svc_conflict");
                        return json::Value();
                    }});
        other->prepare();
        CHECK(other->run_now("count"));
    });
}

TEST_CASE("a job that is woken runs at once, again when it was woken while it ran, and stop waits for its end") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        Site site(db);
        std::mutex mutex;
        std::condition_variable changed;
        int runs = 0;
        bool cancel_charge = false, ended = false;
        const auto jobs = site.process("a", 300ms);
        jobs->add({.name = "woken", .help = "Waits.", .run = [&](Instant) -> Result<json::Value> {
                       std::unique_lock lock(mutex);
                       ++runs;
                       changed.notify_all();
                       ended = changed.wait_for(lock, 60s, [&] { return cancel_charge; });
                       return json::Value();
                   }});
        jobs->start();
        const auto wait_for_runs = [&](int count) {
            std::unique_lock lock(mutex);
            return changed.wait_for(lock, 60s, [&] { return runs == count; });
        };
        jobs->wake("woken");
        CHECK(wait_for_runs(1));
        // It keeps its lock while it runs, beyond the lease it began with.
        const auto began = site.store->reading<std::int64_t>(
            [](store::Session& s) { return s.number("SELECT locked_until FROM svc_jobs", {}); });
        while (site.store->reading<std::int64_t>(
                   [](store::Session& s) { return s.number("SELECT locked_until FROM svc_jobs", {}); }) == began)
            std::this_thread::yield();
        jobs->wake("woken");
        {
            const std::lock_guard lock(mutex);
            cancel_charge = true;
        }
        changed.notify_all();
        CHECK(wait_for_runs(2));
        jobs->stop();
        CHECK(ended);
        CHECK(site.text("SELECT last_status FROM svc_jobs") == "ok");
    });
}

TEST_CASE("a job woken here while another process has it is run again by that process") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        Site site(db);
        std::mutex mutex;
        std::condition_variable changed;
        int there = 0, here = 0;
        const auto far = site.process("far"), near = site.process("near");
        far->add({.name = "shared", .help = "Wakes the other.", .run = [&](Instant) -> Result<json::Value> {
                      {
                          const std::lock_guard lock(mutex);
                          ++there;
                      }
                      changed.notify_all();
                      if (there == 1) {
                          near->wake("shared");
                          // Until the other process has left its word in the row.
                          while (site.store->reading<std::int64_t>([](store::Session& s) {
                              return s.number("SELECT next_run_at FROM svc_jobs", {});
                          }) > site.clock.now().micros())
                              std::this_thread::yield();
                      }
                      return json::Value();
                  }});
        near->add({.name = "shared", .help = "Counts.", .run = [&](Instant) -> Result<json::Value> {
                       {
                           const std::lock_guard lock(mutex);
                           ++here;
                       }
                       changed.notify_all();
                       return json::Value();
                   }});
        near->start();
        far->start();
        far->wake("shared");
        {
            std::unique_lock lock(mutex);
            CHECK(changed.wait_for(lock, 60s, [&] { return there + here == 2; }));
        }
        far->stop();
        near->stop();
        CHECK(there + here == 2);
    });
}

TEST_CASE("housekeeping deletes in batches, each piece by itself, and reports what it could not do") {
    tests::each_database([](tests::Database& db) {
        CAPTURE(db.name());
        Site site(db);
        Housekeeping keeping(*site.store);
        keeping.add("days", [](store::Transaction& tx, Instant now, int most) {
            return rows::purge_days(tx, Zone::utc().date_at(now).plus_days(-30), most);
        });
        int broken_calls = 0;
        keeping.add("broken", [&](store::Transaction&, Instant, int) -> std::int64_t {
            ++broken_calls;
            throw store::ConstraintViolation("still in use");
        });
        keeping.add("none", [](store::Transaction&, Instant, int) { return std::int64_t{0}; });
        static_cast<void>(site.store->write([&](store::Transaction& tx) -> Result<void> {
            for (int i = 0; i < 1201; ++i)
                tx.run("INSERT INTO svc_job_days (job_name, local_date, started_at) VALUES (:name, :day, 0)",
                       {{"name", "job " + std::to_string(i)}, {"day", "2026-01-01"}});
            tx.run("INSERT INTO svc_job_days (job_name, local_date, started_at) VALUES ('new', '2026-05-01', 0)", {});
            return {};
        }));
        const auto outcome = keeping.job().run(site.clock.now());
        REQUIRE_FALSE(outcome);
        CHECK(outcome.error().cause() == "broken");
        CHECK(broken_calls == 1);
        CHECK(site.text("SELECT job_name FROM svc_job_days") == "new");
    });
}
