// Buckets empty and refill, memory stays bounded, and two processes share one limit.
#include "base/platform/limits/rate_limits.hpp"

#include <functional>
#include <numeric>
#include <thread>

#include <doctest/doctest.h>

#include "tests/support/databases.hpp"
#include "tests/support/faulty_store.hpp"
#include "tests/support/set_clock.hpp"

using namespace svc;
using limits::Limit;
using limits::RateLimits;
using limits::Use;
using namespace std::chrono_literals;

namespace {

constexpr Limit five_a_minute{5, 60s};

int allowed_of(RateLimits& limits, int tries, Limit limit = five_a_minute, std::string_view subject = "a") {
    int allowed = 0;
    for (int i = 0; i < tries; ++i)
        allowed += limits.take("login", subject, limit).allowed ? 1 : 0;
    return allowed;
}

// Runs `body` with two processes of one installation, on each kind of database.
void with_two_processes(const std::function<void(tests::SetClock& clock, RateLimits& one, RateLimits& two)>& body) {
    tests::each_database([&](tests::Database& database) {
        CAPTURE(database.name());
        tests::SetClock clock;
        const auto store = database.open_migrated();
        RateLimits one(clock, store.get()), two(clock, store.get());
        body(clock, one, two);
    });
}

}  // namespace

TEST_CASE("a burst passes at once, then uses come back evenly") {
    tests::SetClock clock;
    RateLimits limits(clock);
    CHECK(allowed_of(limits, 8) == 5);
    const auto refused = limits.take("login", "a", five_a_minute);
    CHECK_FALSE(refused.allowed);
    CHECK(refused.retry_after == 12);
    clock.advance(11s);
    CHECK(limits.take("login", "a", five_a_minute).retry_after == 1);
    clock.advance(1s);
    CHECK(allowed_of(limits, 3) == 1);
    clock.advance(24s);
    CHECK(allowed_of(limits, 8) == 2);
    clock.advance(1h);
    CHECK(allowed_of(limits, 8) == 5);
}

TEST_CASE("buckets and subjects are apart") {
    tests::SetClock clock;
    RateLimits limits(clock);
    CHECK(allowed_of(limits, 8) == 5);
    CHECK(allowed_of(limits, 8, five_a_minute, "b") == 5);
    CHECK(limits.take("token", "a", five_a_minute).allowed);
    CHECK(allowed_of(limits, 8, five_a_minute, std::string(10'000, 'x')) == 5);
    CHECK(allowed_of(limits, 8, five_a_minute, std::string(10'000, 'y')) == 5);
}

TEST_CASE("a burst of 0 is no limit") {
    tests::SetClock clock;
    RateLimits limits(clock);
    CHECK(allowed_of(limits, 1000, {0, 60s}) == 1000);
    CHECK(limits.size() == 0);
}

TEST_CASE("a clock that was set back locks nobody out for long") {
    tests::SetClock clock;
    RateLimits limits(clock);
    CHECK(allowed_of(limits, 8) == 5);
    clock.advance(-24h);
    CHECK(limits.take("login", "a", five_a_minute).retry_after <= 120);
    clock.advance(120s);
    CHECK(limits.take("login", "a", five_a_minute).allowed);
}

TEST_CASE("ten thousand addresses take bounded memory") {
    tests::SetClock clock;
    RateLimits limits(clock, nullptr, 1024);
    for (int i = 0; i < 10'000; ++i)
        limits.take("any", std::to_string(i), five_a_minute);
    CHECK(limits.size() <= 1024);
    CHECK(limits.size() > 900);
    // The newest address is still counted.
    CHECK(allowed_of(limits, 8, five_a_minute, "9999") == 5);
    CHECK(allowed_of(limits, 8, five_a_minute, "9999") == 0);
}

TEST_CASE("many threads together get the burst and no more") {
    tests::SetClock clock;
    RateLimits limits(clock);
    std::vector<std::thread> threads;
    std::vector<int> allowed(8, 0);
    for (auto& mine : allowed)
        threads.emplace_back([&] { mine = allowed_of(limits, 200, {100, 60s}); });
    for (auto& thread : threads)
        thread.join();
    CHECK(std::accumulate(allowed.begin(), allowed.end(), 0) == 100);
}

TEST_CASE("two processes share a limit once they have exchanged, and owe what was too much") {
    with_two_processes([](tests::SetClock& clock, RateLimits& one, RateLimits& two) {
        constexpr Limit hundred{100, 100s};
        CHECK(allowed_of(one, 60, hundred) == 60);
        one.exchange();
        CHECK(allowed_of(two, 30, hundred) == 30);  // not told yet
        two.exchange();
        CHECK(allowed_of(two, 100, hundred) == 10);
        two.exchange();
        CHECK(allowed_of(one, 100, hundred) == 40);  // the slack: until its next exchange
        one.exchange();
        CHECK(allowed_of(one, 100, hundred) == 0);
        clock.advance(40s);
        CHECK(allowed_of(one, 100, hundred) == 0);  // 140 were let through: 40 are owed
        clock.advance(10s);
        CHECK(allowed_of(one, 100, hundred) == 10);
    });
}

TEST_CASE("alternating between two processes wins at most the documented slack") {
    with_two_processes([](tests::SetClock& clock, RateLimits& one, RateLimits& two) {
        constexpr Limit sixty{60, 60s};
        int allowed = 0;
        for (int second = 0; second < 300; ++second) {
            allowed += allowed_of(one, 3, sixty) + allowed_of(two, 3, sixty);
            one.exchange();
            two.exchange();
            clock.advance(1s);
        }
        CHECK(allowed >= 300);
        CHECK(allowed <= 60 + 300 + 2 * (15 + 3));  // burst, refill, and a quarter and a second's uses each
    });
}

TEST_CASE("who asks several processes a little slower than a bucket refills wins the documented slack and no more") {
    tests::each_database([](tests::Database& database) {
        CAPTURE(database.name());
        tests::SetClock clock;
        const auto store = database.open_migrated();
        constexpr Limit sixty{60, 60s};
        std::vector<std::unique_ptr<RateLimits>> processes;
        for (int i = 0; i < 4; ++i)
            processes.push_back(std::make_unique<RateLimits>(clock, store.get()));
        constexpr int seconds = 600;
        int allowed = 0;
        for (int second = 0; second < seconds; ++second) {
            for (auto& one : processes) {
                allowed += second % 10 == 0 ? 0 : allowed_of(*one, 1, sixty);  // 54 a minute each
                one->exchange();
            }
            clock.advance(1s);
        }
        CHECK(allowed >= seconds);
        CHECK(allowed <= 60 + seconds + 4 * (15 + 1));  // burst, refill, and a quarter and a second's use each
    });
}

TEST_CASE("a clock that was set back makes no debt that another process is told of") {
    with_two_processes([](tests::SetClock& clock, RateLimits& one, RateLimits& two) {
        constexpr Limit sixty{60, 60s};
        CHECK(allowed_of(one, 30, sixty) == 30);
        clock.advance(-1h);
        CHECK(allowed_of(one, 1, sixty) == 0);  // twice the limit's time at most
        CHECK(allowed_of(two, 20, sixty) == 20);
        one.exchange();
        two.exchange();
        clock.advance(3min);
        for (int minute = 0; minute < 3; ++minute) {
            CHECK(allowed_of(two, 60, sixty) == 60);
            two.exchange();
            clock.advance(1min);
        }
    });
}

TEST_CASE("light use costs no statement") {
    tests::SetClock clock;
    const auto database = tests::Database::sqlite();
    const auto store = database->open_migrated();
    tests::FaultyStore counted(*store);
    RateLimits limits(clock, &counted);
    for (int i = 0; i < 500; ++i)
        limits.take("any", std::to_string(i), {100, 60s});
    limits.exchange();
    CHECK(counted.statements() == 0);
}

TEST_CASE("strict limits are exact across processes and threads") {
    with_two_processes([](tests::SetClock& clock, RateLimits& one, RateLimits& two) {
        std::vector<std::thread> threads;
        std::vector<int> allowed(4, 0);
        for (std::size_t t = 0; t < allowed.size(); ++t)
            threads.emplace_back([&, t] {
                for (int i = 0; i < 10; ++i)
                    allowed[t] += (t % 2 ? one : two)
                                          .take_strictly({{"login", "ada", {10, 900s}}, {"address", "x", {20, 60s}}})
                                          .allowed
                                      ? 1
                                      : 0;
            });
        for (auto& thread : threads)
            thread.join();
        CHECK(std::accumulate(allowed.begin(), allowed.end(), 0) == 10);
        const auto verdict = one.take_strictly({{"login", "ada", {10, 900s}}});
        CHECK_FALSE(verdict.allowed);
        CHECK(verdict.retry_after == 90);
        clock.advance(90s);
        CHECK(one.take_strictly({{"login", "ada", {10, 900s}}}).allowed);
        CHECK_FALSE(two.take_strictly({{"login", "ada", {10, 900s}}}).allowed);
    });
}

TEST_CASE("a refused strict use counts nowhere and costs no commit while it lasts") {
    tests::each_database([](tests::Database& database) {
        CAPTURE(database.name());
        tests::SetClock clock;
        const auto store = database.open_migrated();
        tests::FaultyStore counted(*store);
        RateLimits limits(clock, &counted);
        const std::vector<Use> both{{"a", "x", {1, 60s}}, {"b", "y", {5, 60s}}};
        CHECK(limits.take_strictly(both).allowed);
        CHECK_FALSE(limits.take_strictly(both).allowed);
        const int before = counted.statements();
        for (int i = 0; i < 50; ++i)
            CHECK_FALSE(limits.take_strictly(both).allowed);
        CHECK(counted.statements() == before);
        for (int i = 0; i < 4; ++i)
            CHECK(limits.take_strictly({{"b", "y", {5, 60s}}}).allowed);
        CHECK_FALSE(limits.take_strictly({{"b", "y", {5, 60s}}}).allowed);
    });
}

TEST_CASE("a use given back may be used again") {
    tests::each_database([](tests::Database& database) {
        CAPTURE(database.name());
        tests::SetClock clock;
        const auto store = database.open_migrated();
        RateLimits limits(clock, store.get());
        const std::vector<Use> use{{"a", "x", {2, 60s}}};
        for (int i = 0; i < 10; ++i) {
            CHECK(limits.take_strictly(use).allowed);
            REQUIRE(store->write([&](store::Transaction& tx) -> Result<void> {
                RateLimits::give_back(tx, use);
                return {};
            }));
        }
    });
}

TEST_CASE("no address is in the table, and full buckets leave it") {
    tests::each_database([](tests::Database& database) {
        CAPTURE(database.name());
        tests::SetClock clock;
        const auto store = database.open_migrated();
        RateLimits limits(clock, store.get());
        CHECK(limits.take_strictly({{"login", "ada@example.org", {1, 60s}}}).allowed);
        CHECK(limits.clean_up() == 0);
        const auto subjects = store->reading<std::vector<std::string>>([](store::Session& session) {
            return session.all<std::string>("SELECT subject FROM svc_rate_limits", "t", {},
                                            [](const store::Row& row) { return row.text(0); });
        });
        REQUIRE(subjects.size() == 1);
        CHECK(subjects[0].find("ada") == std::string::npos);
        clock.advance(61s);
        CHECK(limits.clean_up() == 1);
    });
}

TEST_CASE("a lost database leaves each process its own count") {
    tests::SetClock clock;
    const auto database = tests::Database::sqlite();
    const auto store = database->open_migrated();
    tests::FaultyStore faulty(*store);
    RateLimits limits(clock, &faulty);
    CHECK(allowed_of(limits, 8) == 5);
    faulty.fail_next(std::make_exception_ptr(store::Unavailable("gone")));
    CHECK_THROWS_AS(limits.exchange(), store::Unavailable);
    CHECK(allowed_of(limits, 8) == 0);
    limits.exchange();
    clock.advance(12s);
    CHECK(allowed_of(limits, 8) == 1);
}
