// A write repeated under its Idempotency-Key takes effect once and is answered with the same bytes.
#include "base/platform/idempotency/idempotency.hpp"

#include <atomic>
#include <set>
#include <thread>

#include <doctest/doctest.h>

#include "base/platform/idempotency/kept_reply.hpp"
#include "shared/api/keeping.hpp"
#include "shared/api/steps.hpp"
#include "shared/store/beside.hpp"
#include "tests/support/call_route.hpp"
#include "tests/support/databases.hpp"
#include "tests/support/faulty_store.hpp"
#include "tests/support/set_clock.hpp"

using namespace svc;
using namespace std::chrono_literals;

namespace {

// One process with a booking route that keeps its own reply and a plain one that does not.
struct Process {
    std::unique_ptr<store::Store> real;
    tests::FaultyStore store;
    idempotency::Keeper keeper;
    api::RouteTable routes;
    std::atomic<int> handled = 0;
    std::atomic<const ErrorCode*> ends_unknown = nullptr;  // the next one of several writes, all done
    std::function<void()> before_write = [] {}, before_return = [] {};

    Process(tests::Database& database, const Clock& clock)
        : real(database.open()), store(*real), keeper(store, crypto::Keyring::for_tests(), clock) {
        for (const bool own : {true, false})
            routes.add({.method = api::Method::post,
                        .path = own ? "/bookings" : "/plain",
                        .who = api::Permission::everyone(),
                        .body = {{.name = "seats", .type = api::integer(1, 100), .required = true},
                                 {.name = "session_id", .type = api::raw_text(100)}},
                        .success = 201,
                        .stores_reply = own,
                        .handle = [this](const api::Request& request) { return book(request); }});
        // The first durable write stores its reply: passed before the call, returned, or passed in the transaction.
        for (const std::string path : {"/known", "/told", "/within"})
            routes.add({.method = api::Method::post,
                        .path = path,
                        .who = api::Permission::everyone(),
                        .body = {{.name = "seats", .type = api::integer(1, 100)},
                                 {.name = "session_id", .type = api::raw_text(100)}},
                        .stores_reply = true,
                        .handle = [this, path](const api::Request& request) {
                            return path == "/known" ? seat_taken(request) : seats_taken(request, path == "/within");
                        }});
        routes.add({.method = api::Method::post,
                    .path = "/again",
                    .who = api::Permission::everyone(),
                    .body = {{.name = "seats", .type = api::integer(1, 100)},
                             {.name = "session_id", .type = api::raw_text(100)}},
                    .success = 201,
                    .repeats_safely = true,
                    .handle = [this](const api::Request& request) { return book(request); }});
        routes.add({.method = api::Method::post,
                    .path = "/each",
                    .who = api::Permission::everyone(),
                    .body = {{.name = "seats", .type = api::integer(1, 100)},
                             {.name = "session_id", .type = api::raw_text(100)}},
                    .repeats_safely = true,
                    .handle = [this](const api::Request& request) { return take_each(request); }});
        routes.add({.method = api::Method::post,
                    .path = "/unkept",
                    .who = api::Permission::everyone(),
                    .keeps_replay = false,
                    .handle = [this](const api::Request&) {
                        ++handled;
                        return api::ok({});
                    }});
    }

    static std::int64_t take(store::Transaction& tx, bool all) {
        return tx.run("UPDATE svc_test_seats SET free = free - CASE WHEN :all = 1 THEN free ELSE 1 END WHERE free > 0",
                      {{"all", all}});
    }

    // A count of attempts beside it, the write, and one more that is none of the answer's.
    api::Reply seat_taken(const api::Request& request) {
        ++handled;
        auto reply = api::ok(json::Value::object({{"taken", true}}));
        const auto touch = [](store::Transaction& tx) -> Result<void> {
            tx.run("UPDATE svc_test_seats SET free = free", {});
            return {};
        };
        const auto work = [&] {
            {
                const store::Beside beside;
                static_cast<void>(store.write(touch));
            }
            static_cast<void>(store.write_relaxed(touch));
            before_write();
            auto taken = store.write([&](store::Transaction& tx) -> Result<void> {
                return take(tx, false) > 0 ? Result<void>{} : errc::sold_out;
            });
            static_cast<void>(store.write(touch));
            before_return();
            return taken;
        };
        return api::respond_once(request, work, reply);
    }

    api::Reply seats_taken(const api::Request& request, bool renders_within) {
        ++handled;
        const auto answer = [](std::int64_t left) { return api::ok(json::Value::object({{"left", left}})); };
        const auto work = [&] {
            static_cast<void>(store.transact<bool>([](store::Transaction&) -> Result<bool> { return true; }));
            before_write();
            auto left = store.transact<std::int64_t>([&](store::Transaction& tx) -> Result<std::int64_t> {
                if (take(tx, false) == 0)
                    return errc::sold_out;
                return tx.number("SELECT free FROM svc_test_seats", {});
            });
            before_return();
            return left;
        };
        if (!renders_within)
            return api::respond_once(request, work, answer);
        return api::respond_once(request, work, [&](store::Transaction& tx, std::int64_t told) {
            // It sees what the write did.
            CHECK(tx.number("SELECT free FROM svc_test_seats", {}) == told);
            return answer(told);
        });
    }

    // A write a seat, known by its number and by what was left behind it.
    api::Reply take_each(const api::Request& request) {
        ++handled;
        auto left = json::Value::array();
        for (std::int64_t seat = 1; seat <= request.body["seats"].integer(); ++seat) {
            const auto step = api::Step::of<std::int64_t>("seat " + std::to_string(seat),
                                                          [](std::int64_t free) { return json::Value(free); });
            if (step.before()) {
                left.push(*step.before());
                continue;
            }
            const auto before = before_write;  // it may replace itself
            before();
            const auto taken = store.transact<std::int64_t>([](store::Transaction& tx) -> Result<std::int64_t> {
                take(tx, false);
                return tx.number("SELECT free FROM svc_test_seats", {});
            });
            left.push(*taken);
        }
        if (const auto* unknown = ends_unknown.exchange(nullptr))
            return api::failed(*unknown);
        return api::ok(std::move(left));
    }

    std::int64_t free_seats() {
        return real->reading<std::int64_t>(
            [](store::Session& session) { return session.number("SELECT free FROM svc_test_seats", {}); });
    }

    api::Reply book(const api::Request& request) {
        ++handled;
        const auto seats = request.body.maybe_integer("seats").value_or(1);
        const auto before = before_write;  // it may replace itself
        before();
        auto made = store.transact<api::Reply>([&](store::Transaction& tx) -> Result<api::Reply> {
            if (tx.run("UPDATE svc_test_seats SET free = free - :seats WHERE free >= :seats", {{"seats", seats}}) == 0)
                return errc::sold_out;
            const auto id =
                tx.insert("INSERT INTO svc_test_bookings (seats) VALUES (:seats) RETURNING id", {{"seats", seats}});
            auto reply = api::created(json::Value::object({{"id", id},
                                                           {"total", json::Number{"199.50"}},
                                                           {"token", crypto::random_token()},
                                                           {"name", "Zoë \"\u2028\" <b>"}}),
                                      "/bookings/" + std::to_string(id));
            if (request.keep_reply && request.route->stores_reply)
                request.keep_reply(tx, reply);
            return reply;
        });
        const auto then = before_return;  // it may replace itself
        then();
        return made ? *made : api::failed(made.error());
    }

    // Short names stand for keys that are as long as a stranger's must be.
    api::Reply call(const std::string& path, const std::string& key, int seats = 1,
                    const std::string& session = "session-a", const std::string& address = "203.0.113.9") {
        tests::Call call{.body = json::Value::object({{"seats", seats}, {"session_id", session}})};
        call.address = address;
        if (!key.empty())
            call.headers["Idempotency-Key"] = key.size() < 16 ? "the-key-of-a-guest-" + key : key;
        return run(path, call);
    }
    api::Reply run(const std::string& path, const tests::Call& call) {
        return tests::call_route(routes, "POST", path, call, [this](api::Request& request) {
            return keeper.run(request, [](const api::Request& checked) { return checked.route->handle(checked); });
        });
    }
};

struct Site {
    tests::SetClock clock;
    tests::Database& database;
    Process one, two;

    explicit Site(tests::Database& given) : database(given), one((prepare(given), given), clock), two(given, clock) {}

    void prepare(tests::Database& given) const {
        const auto store = given.open_migrated();
        const bool sqlite = given.dialect() == store::Dialect::sqlite;
        tests::execute(*store, {"CREATE TABLE svc_test_seats (free BIGINT NOT NULL CHECK (free >= 0))",
                                "INSERT INTO svc_test_seats (free) VALUES (1000)",
                                sqlite ? "CREATE TABLE svc_test_bookings (id INTEGER PRIMARY KEY AUTOINCREMENT,"
                                         " seats BIGINT NOT NULL)"
                                       : "CREATE TABLE svc_test_bookings (id BIGINT GENERATED BY DEFAULT AS IDENTITY"
                                         " PRIMARY KEY, seats BIGINT NOT NULL)"});
    }
    std::int64_t bookings() {
        return one.real->reading<std::int64_t>(
            [](store::Session& session) { return session.number("SELECT COUNT(*) FROM svc_test_bookings", {}); });
    }
};

void each_site(const std::function<void(Site&)>& body) {
    tests::each_database([&](tests::Database& database) {
        CAPTURE(database.name());
        Site site(database);
        body(site);
    });
}

std::string bytes_of(const api::Reply& reply) { return idempotency::to_text(reply); }

const ErrorCode* code_of(const api::Reply& reply) { return reply.error ? &reply.error->code() : nullptr; }

}  // namespace

TEST_CASE("a booking with a key costs one commit, and its repetition none and the same bytes") {
    each_site([](Site& site) {
        const int before = site.one.store.commits();
        const auto first = site.one.call("/bookings", "k1");
        CHECK(first.status == 201);
        CHECK(site.one.store.commits() == before + 1);
        const auto again = site.one.call("/bookings", "k1");
        const auto elsewhere = site.two.call("/bookings", "k1");
        CHECK(bytes_of(again) == bytes_of(first));
        CHECK(bytes_of(elsewhere) == bytes_of(first));
        CHECK(again.headers == first.headers);
        CHECK(site.one.store.commits() == before + 1);
        CHECK(site.bookings() == 1);
        CHECK(site.one.handled + site.two.handled == 1);
    });
}

TEST_CASE("without a key, or with another, each call is its own") {
    each_site([](Site& site) {
        site.one.call("/bookings", "");
        site.one.call("/bookings", "");
        site.one.call("/bookings", "a");
        site.one.call("/bookings", "b");
        CHECK(site.bookings() == 4);
    });
}

TEST_CASE("a key belongs to its caller and its route") {
    each_site([](Site& site) {
        site.one.call("/bookings", "k", 1, "session-a");
        site.one.call("/bookings", "k", 1, "session-b");
        site.one.call("/plain", "k", 1, "session-a");
        CHECK(site.bookings() == 3);
        const std::string random = "0d9c6e1a-51c7-4f0e";
        site.one.call("/bookings", random, 1, "", "203.0.113.9");
        site.one.call("/bookings", random, 1, "", "198.51.100.1");
        CHECK(site.bookings() == 5);
        site.one.call("/bookings", "k", 1, "session-a", "198.51.100.1");  // the same guest in another network
        CHECK(site.bookings() == 5);
    });
}

TEST_CASE("whose key is known by an address alone sends one that nobody else there sends by chance") {
    each_site([](Site& site) {
        for (const char* guessed : {"1", "booking-1", "fifteen-letters"})
            for (const char* session : {"", "made-up"}) {
                CAPTURE(guessed);
                CAPTURE(session);
                tests::Call call{.body = json::Value::object({{"seats", 1}}),
                                 .headers = {{"Idempotency-Key", guessed}}};
                if (*session)
                    call.headers["X-Svc-Session"] = session;
                const auto reply = site.one.run("/bookings", call);
                REQUIRE(reply.error);
                CHECK(reply.error->fields().at(0).field == "Idempotency-Key");
            }
        CHECK(site.bookings() == 0);
        CHECK(site.one.call("/bookings", "sixteen-letters!", 1, "").status == 201);
    });
}

TEST_CASE("what is kept for strangers of one network is bounded: the oldest answers make room, bookings stay") {
    each_site([](Site& site) {
        for (const auto& bound : {idempotency::StrangersBound{.answers = 3, .spared = "POST /bookings"},
                                  idempotency::StrangersBound{.bytes = 400, .spared = "POST /bookings"}}) {
            CAPTURE(bound.answers);
            idempotency::Keeper keeper(site.one.store, crypto::Keyring::for_tests(), site.clock,
                                       [&] { return std::optional(bound); });
            const auto call = [&](int number, const std::string& path, const std::string& address, bool staff) {
                tests::Call sent{.body = json::Value::object({{"seats", 1}}),
                                 .headers = {{"Idempotency-Key", "the-key-number-" + std::to_string(number)},
                                             {"X-Svc-Session", "made-up-" + std::to_string(number)}}};
                sent.address = address;
                if (staff) {
                    sent.caller.user_id = 1;
                    sent.caller.session_key = "session of staff";
                }
                return tests::call_route(site.one.routes, "POST", path, sent, [&](api::Request& request) {
                    return keeper.run(request,
                                      [](const api::Request& checked) { return checked.route->handle(checked); });
                });
            };
            const auto kept = [&](const std::string& route) {
                return site.one.store.reading<std::int64_t>([&](store::Session& session) {
                    return session.number(
                        "SELECT COUNT(*) FROM svc_idempotency_keys WHERE route = :route"
                        " AND network IS NOT NULL AND expires_at > :now",
                        {{"route", route}, {"now", site.clock.now()}});
                });
            };
            CHECK_FALSE(call(0, "/bookings", "2001:db8::1", false).error);
            // A neighbour fills the network's share, and goes on.
            for (int number = 1; number <= 12; ++number) {
                site.clock.advance(1s);
                CHECK_FALSE(call(number, "/plain", "2001:db8::2", false).error);
            }
            CHECK(kept("POST /plain") <= 3);
            CHECK(kept("POST /plain") >= 1);
            CHECK(kept("POST /bookings") == 1);
            const int handled = site.one.handled;
            CHECK_FALSE(call(0, "/bookings", "2001:db8::1", false).error);
            CHECK(site.one.handled == handled);  // it is still answered as it was
            CHECK_FALSE(call(20, "/bookings", "2001:db8::3", false).error);
            CHECK_FALSE(call(20, "/bookings", "2001:db8::3", false).error);
            CHECK(site.one.handled == handled + 1);
            CHECK_FALSE(call(21, "/bookings", "2001:db8:1::1", false).error);
            CHECK_FALSE(call(22, "/bookings", "2001:db8::1", true).error);
            site.clock.advance(25h);
        }
    });
}

TEST_CASE("another request under the same key is 422 and does nothing") {
    each_site([](Site& site) {
        site.one.call("/bookings", "k", 1);
        CHECK(code_of(site.one.call("/bookings", "k", 2)) == &errc::key_reused);
        CHECK(code_of(site.two.call("/bookings", "k", 2)) == &errc::key_reused);
        site.one.call("/plain", "k", 1);
        CHECK(code_of(site.two.call("/plain", "k", 2)) == &errc::key_reused);
        CHECK(site.bookings() == 2);
    });
}

TEST_CASE("a key is 1 to 255 visible ASCII characters") {
    each_site([](Site& site) {
        for (const auto& bad :
             {std::string("a b"), std::string("é"), std::string(256, 'a'), std::string("a\x7f"), std::string("\x01")}) {
            const auto reply = site.one.call("/bookings", bad);
            REQUIRE(reply.error);
            CHECK(reply.error->code().status == 400);
            CHECK(reply.error->fields().at(0).field == "Idempotency-Key");
        }
        CHECK(site.bookings() == 0);
        CHECK(site.one.call("/bookings", std::string(255, '~')).status == 201);
    });
}

TEST_CASE("an Idempotency-Key without a value is refused by name where it would count") {
    each_site([](Site& site) {
        const auto sent_empty = [&](const char* path) {
            tests::Call call{.body = json::Value::object({{"seats", 1}}), .headers = {{"Idempotency-Key", ""}}};
            return tests::call_route(site.one.routes, "POST", path, call, [&](api::Request& request) {
                return site.one.keeper.run(request,
                                           [](const api::Request& checked) { return checked.route->handle(checked); });
            });
        };
        for (const char* path : {"/bookings", "/plain"}) {
            const auto reply = sent_empty(path);
            REQUIRE(reply.error);
            CHECK(reply.error->code().status == 400);
            CHECK(reply.error->fields().at(0).field == "Idempotency-Key");
        }
        CHECK(site.bookings() == 0);
        CHECK(sent_empty("/unkept").status == 200);
    });
}

TEST_CASE("what failed is not kept: the repetition tries again") {
    each_site([](Site& site) {
        for (const char* path : {"/bookings", "/plain"}) {
            tests::execute(*site.one.real, {"UPDATE svc_test_seats SET free = 0"});
            CHECK(code_of(site.one.call(path, "k")) == &errc::sold_out);
            CHECK(code_of(site.two.call(path, "k")) == &errc::sold_out);
            tests::execute(*site.one.real, {"UPDATE svc_test_seats SET free = 5"});
            CHECK(site.one.call(path, "k").status == 201);
        }
        CHECK(site.bookings() == 2);
    });
}

TEST_CASE("an equal request while the first one runs is 409") {
    each_site([](Site& site) {
        for (const char* path : {"/bookings", "/plain"}) {
            const api::Reply* seen = nullptr;
            api::Reply inner;
            site.one.before_return = [&] {
                site.one.before_return = [] {};
                inner = site.one.call(path, "busy");
                seen = &inner;
            };
            CHECK(site.one.call(path, "busy").status == 201);
            REQUIRE(seen);
            CHECK(code_of(*seen) == &errc::request_in_progress);
            CHECK(seen->error->retry_after() == 1);
        }
        // A plain route is claimed before, so another process sees it run too.
        api::Reply inner;
        site.one.before_return = [&] { inner = site.two.call("/plain", "claimed"); };
        CHECK(site.one.call("/plain", "claimed").status == 201);
        CHECK(code_of(inner) == &errc::request_in_progress);
        CHECK(site.bookings() == 3);
    });
}

TEST_CASE("the same key from two processes at once makes one booking") {
    each_site([](Site& site) {
        for (int round = 0; round < 15; ++round) {
            const std::string key = "race" + std::to_string(round);
            const auto before = site.bookings();
            std::vector<std::thread> threads;
            std::vector<api::Reply> replies(8);
            for (std::size_t t = 0; t < replies.size(); ++t)
                threads.emplace_back([&, t] {
                    auto& process = t % 2 ? site.one : site.two;
                    // As a client does: while it is told to wait (409, or 503 of a machine that is busy otherwise), it
                    // asks again.
                    for (bool waits = true; waits;) {
                        try {
                            replies[t] = process.call("/bookings", key);
                            waits = code_of(replies[t]) == &errc::request_in_progress;
                        } catch (const store::Unavailable&) {
                        }
                    }
                });
            for (auto& thread : threads)
                thread.join();
            CHECK(site.bookings() == before + 1);
            std::set<std::string> answers;
            for (const auto& reply : replies) {
                CHECK_FALSE(reply.error);
                answers.insert(bytes_of(reply));
            }
            CHECK(answers.size() == 1);
        }
    });
}

TEST_CASE("who took the last seat is not told it is sold out by their own repetition") {
    each_site([](Site& site) {
        for (int round = 0; round < 15; ++round) {
            tests::execute(*site.one.real, {"UPDATE svc_test_seats SET free = 1"});
            const std::string key = "last" + std::to_string(round);
            api::Reply a, b;
            std::thread other([&] { b = site.two.call("/bookings", key); });
            a = site.one.call("/bookings", key);
            other.join();
            CHECK_FALSE(a.error);
            CHECK_FALSE(b.error);
            CHECK(bytes_of(a) == bytes_of(b));
        }
        CHECK(site.bookings() == 15);
    });
}

TEST_CASE("a commit whose answer was lost is found by the repetition") {
    each_site([](Site& site) {
        site.one.store.reset();
        site.one.store.lose_answer(1);
        CHECK_THROWS_AS(site.one.call("/bookings", "k"), store::Unavailable);
        CHECK(site.bookings() == 1);
        CHECK(site.one.call("/bookings", "k").status == 201);
        CHECK(site.two.call("/bookings", "k").status == 201);
        CHECK(site.bookings() == 1);
    });
}

TEST_CASE("a commit that failed leaves neither the booking nor the key") {
    each_site([](Site& site) {
        site.one.store.reset();
        site.one.store.fail_commit(1);
        CHECK_THROWS_AS(site.one.call("/bookings", "k"), store::Unavailable);
        CHECK(site.bookings() == 0);
        CHECK(site.two.call("/bookings", "k", 1).status == 201);
        CHECK(site.bookings() == 1);
    });
}

TEST_CASE("each statement of a keyed booking may fail and a repetition makes it whole") {
    each_site([](Site& site) {
        site.one.store.reset();
        site.one.call("/bookings", "count");
        const int statements = site.one.store.statements();
        CHECK(statements >= 4);
        for (int k = 1; k <= statements; ++k) {
            CAPTURE(k);
            const auto before = site.bookings();
            site.one.store.reset();
            site.one.store.fail_statement(k);
            CHECK_THROWS_AS(site.one.call("/bookings", "k" + std::to_string(k)), store::Unavailable);
            site.one.store.reset();
            CHECK(site.bookings() == before);
            CHECK(site.one.call("/bookings", "k" + std::to_string(k)).status == 201);
            CHECK(site.bookings() == before + 1);
        }
    });
}

TEST_CASE("a claim whose process died ends after a minute") {
    each_site([](Site& site) {
        // The claim commits and nothing after it, as when the process is killed there.
        site.one.before_write = [&] {
            site.one.store.after_statement([&](int) { site.one.store.fail_commit(site.one.store.commits() + 1); });
        };
        CHECK_THROWS(site.one.call("/plain", "k"));
        site.one.store.reset();
        CHECK(site.bookings() == 0);
        CHECK(code_of(site.two.call("/plain", "k")) == &errc::request_in_progress);
        site.clock.advance(60s);
        CHECK(site.two.call("/plain", "k").status == 201);
        CHECK(site.two.call("/plain", "k").status == 201);
        CHECK(site.two.handled == 1);
        CHECK(site.bookings() == 1);
    });
}

TEST_CASE("a write whose process died behind it is not done a second time under its key") {
    each_site([](Site& site) {
        site.one.before_return = [] { throw std::runtime_error("died"); };  // the booking is there, its answer is not
        CHECK_THROWS(site.one.call("/plain", "k"));
        site.one.before_return = [] {};
        CHECK(site.bookings() == 1);
        CHECK(code_of(site.two.call("/plain", "k")) == &errc::request_in_progress);
        site.clock.advance(60s);
        for (int times = 0; times < 2; ++times)
            CHECK(code_of(site.two.call("/plain", "k")) == &errc::request_interrupted);
        CHECK(code_of(site.two.call("/plain", "k", 2)) == &errc::key_reused);
        CHECK(site.two.handled == 0);
        CHECK(site.bookings() == 1);
        CHECK(site.two.call("/plain", "another").status == 201);
        site.clock.advance(24h);
        CHECK(site.two.call("/plain", "k").status == 201);
    });
}

TEST_CASE("an answer is kept by the write that decides it, by no other, and both are there or neither") {
    each_site([](Site& site) {
        for (const char* path : {"/known", "/told", "/within"}) {
            CAPTURE(path);
            const std::string key = std::string("kept") + path;
            const auto free = site.one.free_seats();
            // The process dies right behind the write.
            site.one.before_return = [] { throw std::runtime_error("died"); };
            CHECK_THROWS(site.one.call(path, key));
            site.one.before_return = [] {};
            CHECK(site.one.free_seats() == free - 1);
            const int handled = site.two.handled;
            const auto first = site.two.call(path, key);
            CHECK(first.status == 200);
            CHECK(bytes_of(site.one.call(path, key)) == bytes_of(first));
            CHECK(site.two.handled == handled);
            CHECK(site.one.free_seats() == free - 1);
            // Its commit fails: nothing of either.
            site.one.before_write = [&] { site.one.store.fail_commit(site.one.store.commits() + 1); };
            CHECK_THROWS_AS(site.one.call(path, key + "-failed"), store::Unavailable);
            site.one.before_write = [] {};
            site.one.store.reset();
            CHECK(site.one.free_seats() == free - 1);
            CHECK(site.two.call(path, key + "-failed").status == 200);
            CHECK(site.one.free_seats() == free - 2);
            // A refusal is not kept.
            tests::execute(*site.one.real, {"UPDATE svc_test_seats SET free = 0"});
            CHECK(code_of(site.one.call(path, key + "-refused")) == &errc::sold_out);
            tests::execute(*site.one.real, {"UPDATE svc_test_seats SET free = 100"});
            CHECK(site.one.call(path, key + "-refused").status == 200);
        }
    });
}

TEST_CASE("a write that may be done again is done again when its process died, and then answered") {
    each_site([](Site& site) {
        site.one.before_return = [] { throw std::runtime_error("died"); };
        CHECK_THROWS(site.one.call("/again", "k"));
        site.clock.advance(60s);
        const auto answer = site.two.call("/again", "k");
        CHECK(answer.status == 201);
        CHECK(bytes_of(site.two.call("/again", "k")) == bytes_of(answer));
        CHECK(site.two.handled == 1);
    });
}

TEST_CASE("one of several writes goes on where it was interrupted, as the same request alone") {
    each_site([](Site& site) {
        int seats = 0;
        site.one.before_write = [&] {
            if (++seats == 3)
                throw std::runtime_error("interrupted");
        };
        CHECK_THROWS(site.one.call("/each", "k", 4));
        CHECK(site.one.free_seats() == 998);
        // Its process has said so, and nobody need wait.
        CHECK(code_of(site.two.call("/each", "k", 3)) == &errc::key_reused);
        const auto whole = site.two.call("/each", "k", 4);
        CHECK(whole.data.dump() == "[999,998,997,996]");
        CHECK(site.two.free_seats() == 996);
        CHECK(bytes_of(site.one.call("/each", "k", 4)) == bytes_of(whole));
        // One that answers that it does not know how it ended, as where a provider is silent, goes on too; what was
        // refused begins anew.
        site.one.before_write = [] {};
        for (const auto* code : {&errc::gateway_unavailable, &errc::sold_out}) {
            const bool is_known = code == &errc::sold_out;
            const std::string key(code->name);
            site.one.ends_unknown = code;
            CHECK(code_of(site.one.call("/each", key, 2)) == code);
            CHECK((code_of(site.two.call("/each", key, 3)) == &errc::key_reused) == !is_known);
            const auto free = site.two.free_seats();
            CHECK(site.two.call("/each", key, is_known ? 3 : 2).status == 200);
            CHECK(site.two.free_seats() == free);
        }
        // The steps end with the key.
        site.clock.advance(24h);
        CHECK(site.two.call("/each", "k", 3).data.size() == 3);
        CHECK(site.one.keeper.clean_up() > 0);
    });
}

TEST_CASE("a process that is slow is not overtaken within a minute, and writes nothing after it was") {
    each_site([](Site& site) {
        int seats = 0;
        site.one.before_write = [&] {
            if (++seats != 2)
                return;
            std::jthread soon([&] { CHECK(code_of(site.two.call("/each", "k", 2)) == &errc::request_in_progress); });
            soon.join();
            site.clock.advance(60s);
            std::jthread late([&] { CHECK(site.two.call("/each", "k", 2).data.dump() == "[999,998]"); });
        };
        CHECK(site.one.call("/each", "k", 2).data.dump() == "[999,998]");  // as the other one answered
        CHECK(site.one.free_seats() == 998);
    });
}

TEST_CASE("a write that begins after another process took its claim over is not done") {
    each_site([](Site& site) {
        site.one.before_write = [&] {
            site.one.before_write = [] {};
            site.clock.advance(60s);
            std::jthread other([&] { CHECK(site.two.call("/plain", "k").status == 201); });
        };
        CHECK(site.one.call("/plain", "k").status == 201);  // as the other one answered
        CHECK(site.bookings() == 1);
    });
}

TEST_CASE("an answer is kept for a day") {
    each_site([](Site& site) {
        site.one.call("/bookings", "k");
        site.clock.advance(24h - 1s);
        site.one.call("/bookings", "k");
        CHECK(site.bookings() == 1);
        CHECK(site.one.keeper.clean_up() == 0);
        site.clock.advance(1s);
        site.one.call("/bookings", "k", 2);  // a new request by now
        CHECK(site.bookings() == 2);
        site.clock.advance(24h);
        CHECK(site.one.keeper.clean_up() == 1);
    });
}

TEST_CASE("kept answers are sealed, and one moved under another key is refused") {
    each_site([](Site& site) {
        const auto first = site.one.call("/bookings", "k1");
        const auto token = first.data["token"].text();
        std::string dump;
        site.one.real->read([&](store::Session& session) {
            session.each("SELECT key_hash, route, request_hash, answer FROM svc_idempotency_keys", "tttt", {},
                         [&](const store::Row& row) {
                             for (std::size_t i = 0; i < 4; ++i)
                                 dump += row.text(i);
                         });
        });
        CHECK(dump.find("POST /bookings") != std::string::npos);
        CHECK(dump.find(token) == std::string::npos);
        CHECK(dump.find("199.50") == std::string::npos);
        site.one.call("/bookings", "k2");
        tests::execute(*site.one.real, {"UPDATE svc_idempotency_keys SET answer = (SELECT MIN(answer) FROM"
                                        " svc_idempotency_keys)"});
        const auto a = site.one.call("/bookings", "k1"), b = site.one.call("/bookings", "k2");
        CHECK((code_of(a) == &errc::internal_error) != (code_of(b) == &errc::internal_error));
        CHECK(site.bookings() == 2);
    });
}

TEST_CASE("a route that keeps no replay runs each time") {
    each_site([](Site& site) {
        site.one.call("/unkept", "k");
        site.one.call("/unkept", "k");
        CHECK(site.one.handled == 2);
    });
}

TEST_CASE("a kept reply is the same reply again") {
    api::Reply reply = api::created(json::Value::object({{"a", json::Number{"1.50"}}, {"b", nullptr}}), "/x/1");
    reply.message = "Done.";
    reply.page = api::PageMeta{.page = 2, .per_page = 5, .total = 11};
    reply.more_meta = json::Value::object({{"k", 1}});
    reply.raw = std::make_shared<const std::string>("\xff\0bytes", 7);
    const auto again = idempotency::from_text(idempotency::to_text(reply));
    REQUIRE(again);
    CHECK(again->status == 201);
    CHECK(again->data == reply.data);
    CHECK(again->headers == reply.headers);
    CHECK(again->message == "Done.");
    CHECK(again->page->total == 11);
    CHECK(again->more_meta == reply.more_meta);
    CHECK(*again->raw == *reply.raw);
    CHECK(idempotency::to_text(*again) == idempotency::to_text(reply));
    CHECK_FALSE(idempotency::from_text("{"));
}
