// Seed -> schedule of operations, faults and clock: every invariant kept at each step, and the same again each time.
#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "base/platform/crypto/crypto.hpp"
#include "tests/schedules/actors.hpp"

using namespace svc;
using namespace svc::tests;

namespace {

std::string environment(const char* name, const char* otherwise) {
    const char* value = std::getenv(name);
    return value ? value : otherwise;
}

struct Ended {
    std::vector<std::string> trace;
    std::string state;
    std::vector<std::string> wrong;
    Counts counts;
};

struct Kind {
    bool careless = false;  // one of the actors is
    Baton::Ways ways = {};
    bool looks_each_time = true;  // with all invariants after each commit
};

class Runs {
  public:
    explicit Runs(const Database& database) : database_(database), world_(database) {}

    Ended run(std::uint64_t seed, const Kind& kind) {
        test::Random chance(seed);
        world_.begin(static_cast<int>(chance.between(2, 6)));
        std::vector<std::string> wrong;
        const auto look = [&](bool whole) {
            for (const std::string& each : world_.broken(whole))
                if (wrong.size() < 5)
                    wrong.push_back(each);
        };
        Baton::Around around{.step_clock =
                                 [&] {
                                     static constexpr std::chrono::minutes spans[] = {
                                         std::chrono::minutes(1), std::chrono::minutes(20),
                                         std::chrono::hours(2),   std::chrono::hours(25),
                                         std::chrono::hours(72),  std::chrono::hours(24 * 55)};
                                     world_.site->clock.advance(chance.one_of(spans));
                                 },
                             .committed = [&] { look(kind.looks_each_time); },
                             .stuck = [&] { give_up(seed); }};
        if (database_.dialect() == store::Dialect::postgresql) {
            around.waiting = [&] { return world_.waiting(); };
            around.give_up_waiting = [&](std::int64_t process) { world_.give_up_waiting(process); };
        }
        Baton baton(std::move(around), kind.ways, seed);
        Stage stage{world_, baton};
        auto actors = actors_of(stage, seed);
        if (kind.careless)
            actors.push_back(careless(stage));
        world_.site->store.watched_by(&baton);
        baton.run(actors);
        world_.site->store.watched_by(nullptr);
        look(true);
        for (const std::string& each : world_.not_kept(stage.promised))
            wrong.push_back(each);
        wrong.insert(wrong.end(), stage.wrong.begin(), stage.wrong.end());
        return {baton.trace(), world_.state(), wrong, baton.counts()};
    }

    [[nodiscard]] std::string alone(std::uint64_t seed) const {
        return "SVC_SCHEDULES=1 SVC_SCHEDULE_TRACE=1 SVC_PROOF_SEED=" + std::to_string(seed) +
               " SVC_SCHEDULE_DATABASE=" + database_.name() + " bin/schedule_tests --test-case='*keep every promise*'";
    }

  private:
    [[noreturn]] void give_up(std::uint64_t seed) const {
        std::cout << "nobody can go on in seed " << seed << "; alone: " << alone(seed) << std::endl;
        std::_Exit(1);
    }

    const Database& database_;
    World world_;
};

std::string first_difference(const Ended& one, const Ended& other) {
    for (std::size_t at = 0; at < std::max(one.trace.size(), other.trace.size()); ++at) {
        const std::string here = at < one.trace.size() ? one.trace[at] : "the end",
                          there = at < other.trace.size() ? other.trace[at] : "the end";
        if (here != there)
            return "step " + std::to_string(at) + ": " + here + " or " + there;
    }
    return "the end alone:\n" + one.state + "or\n" + other.state;
}

void each_wanted_database(const std::function<void(Database&)>& body) {
    const std::string wanted = environment("SVC_SCHEDULE_DATABASE", "");
    each_database([&](Database& database) {
        if (wanted.empty() || database.name() == wanted)
            body(database);
    });
}

}  // namespace

TEST_CASE("schedules of several actors keep every promise, and a seed is the same schedule each time") {
    const auto count = std::strtoull(environment("SVC_SCHEDULES", "8").c_str(), nullptr, 10);
    const std::uint64_t first = std::getenv("SVC_PROOF_SEED") ? test::proof_seed() : 1;
    const bool shown = std::getenv("SVC_SCHEDULE_TRACE") != nullptr;
    each_wanted_database([&](Database& database) {
        Runs runs(database);
        Counts counts;
        std::uint64_t replays = 0, failed = 0, done = 0;
        for (std::uint64_t seed = first; seed < first + count; ++seed) {
            const Kind kind{};
            const Ended once = runs.run(seed, kind);
            ++done;
            counts += once.counts;
            std::vector<std::string> wrong = once.wrong;
            // Every fourth once more: not right behind, where it could lean on what the first has left.
            if (seed % 4 == 0 || shown) {
                static_cast<void>(runs.run(seed + 1, kind));
                const Ended again = runs.run(seed, kind);
                if (again.trace == once.trace && again.state == once.state)
                    ++replays;
                else
                    wrong.push_back("it ended in two ways, from " + first_difference(once, again));
            }
            if (shown)
                for (const std::string& line : once.trace)
                    std::cout << line << "\n";
            if (wrong.empty())
                continue;
            ++failed;
            std::cout << "seed " << seed << " on " << database.name() << ": ";
            for (const std::string& each : wrong)
                std::cout << each << "\n";
            std::cout << "alone: " << runs.alone(seed) << std::endl;
            if (failed >= 5)
                break;
        }
        CHECK(failed == 0);
        CHECK(counts.switches > 0);
        std::cout << "figure: " << database.name() << ": seeds " << done << " from " << first << ", steps "
                  << counts.steps << ", switches between actors " << counts.switches << ", waits for a lock "
                  << counts.waits << " and " << counts.waits_given_up << " given up, faults " << counts.faults
                  << " (kills " << counts.kills << ", lost answers " << counts.lost_answers << "), clock steps "
                  << counts.clock_steps << ", replayed alike " << replays << ", violations " << failed << std::endl;
    });
}

TEST_CASE("an actor that is right only by itself is found by schedules within a few seeds, and by no other way") {
    each_wanted_database([](Database& database) {
        Runs runs(database);
        std::uint64_t found = 0;
        const std::uint64_t most = 60;
        const Baton::Ways by_turns{.one_after_the_other = true, .faults = false};
        for (std::uint64_t seed = 1; seed <= most && found == 0; ++seed) {
            CHECK(runs.run(seed, {.careless = true, .ways = by_turns, .looks_each_time = false}).wrong.empty());
            if (!runs.run(seed, {.careless = true, .looks_each_time = false}).wrong.empty())
                found = seed;
        }
        CHECK(found > 0);
        std::cout << "figure: " << database.name() << ": a planted lost update found at seed " << found << std::endl;
    });
}
