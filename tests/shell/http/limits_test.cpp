// The transport's limits: deadlines, overload, too many connections, and its own stop.
#include <atomic>
#include <future>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "tests/shell/http/application.hpp"
#include "tests/shell/http/client.hpp"

namespace svc::http::test {
namespace {

using std::chrono::milliseconds;

std::string get(const std::string& target) { return "GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n"; }

// Asks on new connections until one is refused by the kernel, which shows that stop() has begun.
void wait_until_refused(std::uint16_t port) {
    try {
        for (;;)
            Client{port};
    } catch (const std::runtime_error&) {
    }
}

}  // namespace

TEST_CASE("a head that does not end is 408, a silent connection is closed without a word") {
    Fixture fixture([](Options& options) {
        options.limits.head_time = milliseconds{50};
        options.limits.idle_time = milliseconds{1500};
    });
    Client silent(fixture.port());
    Client kept(fixture.port());
    CHECK(kept.get("/a"));
    Client slow(fixture.port());
    CHECK(slow.get("/a"));
    slow.send("GET / HTTP/1.1\r\nHos");
    const auto answer = slow.answer();
    REQUIRE(answer);
    CHECK(answer->status == 408);
    CHECK(answer->headers.at("connection") == "close");
    for (auto* client : {&silent, &kept}) {
        CHECK(client->closed());
        CHECK(client->pending() == 0);
    }
    CHECK(fixture.server->counters().refused_408 == 1);
}

TEST_CASE("a head is not kept alive by single bytes") {
    Fixture fixture([](Options& options) { options.limits.head_time = milliseconds{100}; });
    Client client(fixture.port());
    client.send("GET / HTTP/1.1\r\nHost: a\r\nX-A: ");
    std::atomic<bool> over{false};
    std::thread dripping([&] {
        while (!over && client.send("a"))
            std::this_thread::sleep_for(milliseconds{10});  // the client's pace, not a wait for something
    });
    const auto answer = client.answer();
    over = true;
    dripping.join();
    REQUIRE(answer);
    CHECK(answer->status == 408);
}

TEST_CASE("a body that does not come is 408, after the answers before it") {
    Fixture fixture([](Options& options) { options.limits.body_time = milliseconds{50}; });
    Client client(fixture.port());
    client.send(get("/held") + "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhe");
    fixture.application.wait_for_held(1);
    Client chunked(fixture.port());
    chunked.send("POST /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n");
    CHECK(chunked.answer()->status == 408);
    CHECK(chunked.closed());
    fixture.application.release();
    CHECK(client.answer()->status == 200);
    CHECK(client.answer()->status == 408);
    CHECK(client.closed());
}

TEST_CASE("a request in flight has no deadline of the transport's") {
    Fixture fixture([](Options& options) {
        options.limits.head_time = options.limits.body_time = options.limits.idle_time = milliseconds{400};
    });
    Client client(fixture.port());
    client.send(get("/held"));
    fixture.application.wait_for_held(1);
    Client other(fixture.port());
    CHECK(other.closed());
    fixture.application.release();
    CHECK(client.answer()->status == 200);
}

TEST_CASE("a reader that takes nothing is closed, a slow one is not") {
    Fixture fixture([](Options& options) { options.limits.write_time = milliseconds{1000}; });
    Client stalled(fixture.port(), 4096);
    stalled.send(get("/big"));
    Client slow(fixture.port());
    slow.send(get("/big"));
    const auto answer = slow.answer();
    REQUIRE(answer);
    CHECK(answer->body.size() == big_size);
    while (fixture.server->counters().connections_open > 1)
        std::this_thread::yield();
    CHECK(stalled.closed());
    CHECK(stalled.pending() < big_size);
}

TEST_CASE("a client that asks and never reads is not served into memory without end") {
    Fixture fixture;
    constexpr std::uint64_t requests = 300'000;
    Client client(fixture.port(), 4096);
    std::string many;
    for (std::uint64_t i = 0; i < requests; ++i)
        many += get("/a");
    client.send(many);
    CHECK(Client(fixture.port()).get("/next"));
    CHECK(fixture.server->counters().requests < requests / 2);
}

TEST_CASE("who would wait too long for a worker is 503 with Retry-After at once, and the other lanes go on") {
    static constexpr milliseconds longest_wait{300};
    Fixture fixture([](Options& options) {
        options.workers = 2;
        options.longest_wait = longest_wait;
    });
    std::vector<Client> held;
    for (int i = 0; i < 2; ++i) {
        held.emplace_back(fixture.port());
        held.back().send(get("/held"));
    }
    fixture.application.wait_for_held(2);
    for (int i = 0; i < 3; ++i) {
        held.emplace_back(fixture.port());
        held.back().send(get("/pool"));
    }
    while (fixture.server->counters().in_flight < 5)
        std::this_thread::yield();
    const auto queued = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - queued <= longest_wait)
        std::this_thread::yield();
    Client client(fixture.port());
    const auto answer = client.get("/pool");
    REQUIRE(answer);
    CHECK(answer->status == 503);
    const auto after = std::stoi(answer->headers.at("retry-after"));
    CHECK((after >= 1 && after <= 3));
    CHECK(client.get("/webhook")->status == 200);
    CHECK(client.get("/memory")->status == 200);
    fixture.application.release();
    for (auto& each : held)
        CHECK(each.answer()->status == 200);
    CHECK(client.get("/pool")->status == 200);
    CHECK(fixture.server->counters().refused_503 == 1);
}

TEST_CASE("buyers wait up to the checkout's longest wait while others are refused, and no longer than that") {
    static constexpr milliseconds brief{300};
    static constexpr std::chrono::minutes long_wait{10};
    for (const bool buyers_wait : {true, false}) {
        CAPTURE(buyers_wait);
        Fixture fixture([&](Options& options) {
            options.workers = 2;
            options.longest_wait = buyers_wait ? milliseconds{brief} : long_wait;
            options.longest_checkout_wait = buyers_wait ? milliseconds{long_wait} : brief;
            // Whom a lane has admitted it serves, however long others may lie in a queue.
            options.limits.queue_time = buyers_wait ? milliseconds{brief} : long_wait;
        });
        std::vector<Client> held, waiting;
        for (int i = 0; i < 2; ++i) {
            for (const char* target : {"/held", "/checkout/held"}) {
                held.emplace_back(fixture.port());
                held.back().send(get(target));
            }
        }
        fixture.application.wait_for_held(4);
        const std::string patient = buyers_wait ? "/checkout" : "/pool", hurried = buyers_wait ? "/pool" : "/checkout";
        for (int i = 0; i < 3; ++i) {
            for (const std::string& target : {patient, hurried}) {
                auto& clients = target == patient ? waiting : held;
                clients.emplace_back(fixture.port());
                clients.back().send(get(target));
            }
        }
        while (fixture.server->counters().in_flight < 10)
            std::this_thread::yield();
        const auto queued = std::chrono::steady_clock::now();
        while (std::chrono::steady_clock::now() - queued <= brief)
            std::this_thread::yield();
        Client refused(fixture.port());
        const auto answer = refused.get(hurried);
        REQUIRE(answer);
        CHECK(answer->status == 503);
        CHECK(answer->headers.contains("retry-after"));
        waiting.emplace_back(fixture.port());
        waiting.back().send(get(patient));
        while (fixture.server->counters().in_flight < 11)
            std::this_thread::yield();
        fixture.application.release();
        for (auto& each : waiting)
            CHECK(each.answer()->status == 200);
        // Those that were admitted to the other lane are answered too, be it that they have waited too long.
        for (std::size_t i = 0; i < held.size(); ++i)
            CHECK(held[i].answer()->status == (buyers_wait && i >= 4 ? 503 : 200));
        CHECK(refused.get(hurried)->status == 200);
        CHECK(fixture.server->counters().refused_503 == (buyers_wait ? 4 : 1));
    }
}

TEST_CASE("a burst of five hundred is served and not refused by its number") {
    Fixture fixture([](Options& options) {
        options.workers = 2;
        options.longest_wait = std::chrono::minutes{10};  // nor by its time, on a machine however busy
    });
    std::vector<Client> held;
    for (int i = 0; i < 2; ++i) {
        held.emplace_back(fixture.port());
        held.back().send(get("/held"));
    }
    fixture.application.wait_for_held(2);
    std::vector<Client> burst;
    for (int i = 0; i < 500; ++i) {
        burst.emplace_back(fixture.port());
        burst.back().send(get("/pool"));
    }
    fixture.application.release();
    for (auto* clients : {&held, &burst})
        for (auto& each : *clients)
            CHECK(each.answer()->status == 200);
    CHECK(fixture.server->counters().refused_503 == 0);
}

TEST_CASE("connections that come at the same moment to several threads are not more than there is room for") {
    Fixture fixture([](Options& options) {
        options.io_threads = 4;
        options.limits.per_address = 8;
    });
    for (int round = 0; round < 20; ++round) {
        std::vector<std::unique_ptr<Client>> clients(24);
        std::vector<std::thread> threads;
        for (auto& client : clients)
            threads.emplace_back([&] { client = std::make_unique<Client>(fixture.port()); });
        for (auto& thread : threads)
            thread.join();
        while (fixture.server->counters().connections_total < static_cast<std::uint64_t>(24 * (round + 1)))
            std::this_thread::yield();
        CHECK(fixture.server->counters().connections_open <= 8);
        clients.clear();
        while (fixture.server->counters().connections_open > 0)
            std::this_thread::yield();
    }
}

TEST_CASE("what has waited too long for a worker is 503, and what nobody waits for is not done") {
    Fixture fixture([](Options& options) {
        options.workers = 1;
        options.limits.queue_time = std::chrono::milliseconds(100);
    });
    Client holds(fixture.port());
    holds.send(get("/held"));
    fixture.application.wait_for_held(1);
    Client late(fixture.port());
    late.send(get("/pool/late"));
    auto queued = std::chrono::steady_clock::now();
    {
        Client gone(fixture.port());
        gone.send(get("/pool/gone"));
        while (fixture.server->counters().in_flight < 3)
            std::this_thread::yield();
        queued = std::chrono::steady_clock::now();
    }
    // The server notices that a client left when it takes the request up, so time alone says when that has waited
    // enough.
    while (std::chrono::steady_clock::now() - queued <= std::chrono::milliseconds(100))
        std::this_thread::yield();
    fixture.application.release();
    CHECK(holds.answer()->status == 200);
    const auto refused = late.answer();
    REQUIRE(refused);
    CHECK(refused->status == 503);
    CHECK(refused->headers.contains("retry-after"));
    while (fixture.server->counters().in_flight > 0)
        std::this_thread::yield();
    CHECK_FALSE(fixture.application.saw("/pool/late"));
    CHECK_FALSE(fixture.application.saw("/pool/gone"));
    CHECK(late.get("/pool/next")->status == 200);
}

TEST_CASE("for want of memory the answer is 503 and the connection closes") {
    Fixture fixture;
    for (const char* target : {"/no-memory", "/pool/no-memory"}) {
        CAPTURE(target);
        Client client(fixture.port());
        const auto answer = client.get(target);
        REQUIRE(answer);
        CHECK(answer->status == 503);
        CHECK(answer->headers.contains("retry-after"));
        CHECK(answer->headers.at("connection") == "close");
    }
}

TEST_CASE("connections beyond the cap are turned away, and welcome again when there is room") {
    Fixture fixture([](Options& options) { options.limits.connections = 3; });
    std::vector<Client> clients;
    for (int i = 0; i < 3; ++i) {
        clients.emplace_back(fixture.port());
        CHECK(clients.back().get("/a"));
    }
    Client turned_away(fixture.port());
    CHECK(turned_away.closed());
    clients.pop_back();
    while (fixture.server->counters().connections_open > 2)
        std::this_thread::yield();
    CHECK(Client(fixture.port()).get("/a"));
    CHECK(fixture.server->counters().refused_503 == 1);
    CHECK(fixture.server->counters().connections_total == 5);
}

TEST_CASE("connections of one address are capped when asked") {
    Fixture fixture([](Options& options) { options.limits.per_address = 1; });
    Client first(fixture.port());
    CHECK(first.get("/a"));
    CHECK(Client(fixture.port()).closed());
    CHECK(first.get("/a"));
}

TEST_CASE("stop answers what is in flight, refuses the new and closes the idle") {
    Fixture fixture([](Options& options) {
        options.io_threads = 1;
        options.limits.grace = milliseconds{300};
    });
    Client idle(fixture.port());
    CHECK(idle.get("/a"));
    Client busy(fixture.port());
    busy.send(get("/held"));
    fixture.application.wait_for_held(1);
    Client large(fixture.port(), 4096);
    CHECK(large.get("/a"));
    large.send(get("/big"));
    CHECK(idle.get("/a"));  // by now the large answer is under way
    auto stopped = std::async(std::launch::async, [&] { fixture.server->stop(); });
    wait_until_refused(fixture.port());
    CHECK(idle.closed());
    fixture.application.release();
    const auto answer = busy.answer();
    REQUIRE(answer);
    CHECK(answer->body == "GET /held ");
    CHECK(answer->headers.at("connection") == "close");
    CHECK(large.answer()->body.size() == big_size);
    CHECK(large.closed());
    stopped.get();
    CHECK(fixture.server->counters().connections_open == 0);
}

TEST_CASE("a request on its way when stop begins is still answered") {
    Fixture fixture([](Options& options) {
        options.io_threads = 1;
        options.limits.grace = milliseconds{20'000};
    });
    Client kept(fixture.port());
    CHECK(kept.get("/a"));
    Client sending(fixture.port());
    CHECK(sending.get("/a"));
    sending.send("POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhe");
    CHECK(kept.get("/a"));
    auto stopped = std::async(std::launch::async, [&] { fixture.server->stop(); });
    wait_until_refused(fixture.port());
    while (true) {
        const auto answer = kept.get("/late");
        REQUIRE(answer);
        CHECK(answer->body == "GET /late ");
        if (answer->headers.contains("connection"))
            break;  // refused at the door a moment before connections begin to close
    }
    CHECK(kept.closed());
    sending.send("llo");
    const auto answer = sending.answer();
    REQUIRE(answer);
    CHECK(answer->body == "POST /a hello");
    CHECK(answer->headers.at("connection") == "close");
    CHECK(sending.closed());
    stopped.get();
}

TEST_CASE("whoever got a connection before stop began gets an answer") {
    for (int turn = 0; turn < 5; ++turn) {
        Fixture fixture;
        std::atomic<int> answered{0}, lost{0};
        std::vector<std::thread> clients;
        for (int i = 0; i < 8; ++i)
            clients.emplace_back([&] {
                try {
                    for (;;) {
                        Client client(fixture.port());
                        const auto answer = client.get("/a");
                        ++(answer && answer->status == 200 ? answered : lost);
                    }
                } catch (const std::runtime_error&) {
                    // Refused by the kernel, before it asked anything.
                }
            });
        while (answered < 200)
            std::this_thread::sleep_for(milliseconds{1});
        fixture.server->stop();
        for (auto& client : clients)
            client.join();
        CHECK(lost == 0);
    }
}

TEST_CASE("a hurried stop waits for nobody but a running handler") {
    Fixture fixture;
    Client stuck(fixture.port(), 4096);
    stuck.send(get("/big"));
    Client other(fixture.port());
    CHECK(other.get("/a"));
    auto stopped = std::async(std::launch::async, [&] { fixture.server->stop(); });
    wait_until_refused(fixture.port());
    fixture.server->stop_now();
    stopped.get();
    CHECK(fixture.server->counters().connections_open == 0);
}

TEST_CASE("a connection that comes to its thread after all others were ended is not served") {
    Fixture fixture([](Options& options) { options.io_threads = 1; });
    Client stalled(fixture.port());
    stalled.send(get("/stalled"));
    fixture.application.wait_for_held(1);
    Client late(fixture.port(), 4096);
    late.send(get("/big"));
    auto stopped = std::async(std::launch::async, [&] { fixture.server->stop(); });
    wait_until_refused(fixture.port());
    fixture.server->stop_now();
    CHECK(stalled.closed());
    fixture.application.release();
    stopped.get();
    CHECK_FALSE(fixture.application.saw("/big"));
    CHECK(fixture.server->counters().connections_open == 0);
}

TEST_CASE("an address that cannot be had is an error") {
    Fixture fixture;
    Options options;
    options.port = fixture.port();
    CHECK_THROWS_AS(Server(options, fixture.application), std::runtime_error);
}

TEST_CASE("IPv6 is served") {
    Echo application;
    Options options;
    options.address = "::1";
    options.port = 0;
    Server server(options, application);
    CHECK(server.port() != 0);
}

}  // namespace svc::http::test
