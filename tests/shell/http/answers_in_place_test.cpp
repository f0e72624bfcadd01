// R23: through a proxy with kept connections, no answer reaches another's request, whatever others send.
#include <atomic>
#include <iostream>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <doctest/doctest.h>

#include "tests/shell/http/application.hpp"
#include "tests/shell/http/client.hpp"
#include "tests/shell/http/nginx.hpp"
#include "tests/shell/http/vectors.hpp"
#include "tests/support/random.hpp"

namespace svc::http::test {
namespace {

struct Tally {
    std::atomic<int> sent{0}, faulty{0}, wrong_place{0}, unanswered{0};
};

std::string post(const std::string& target, std::size_t length, const std::string& body) {
    return "POST " + target + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + std::to_string(length) + "\r\n\r\n" +
           body;
}

// A good request's answer is its own echo and nothing else.
void ask(Client& client, const std::string& marker, unsigned kind, Tally& tally) {
    const std::string target = (kind % 4 == 1 ? "/pool/" : kind % 4 == 2 ? "/streamed/" : "/") + marker;
    const bool with_body = kind % 2 == 0;
    const auto body = with_body ? marker + std::string(kind % 500, '.') : "";
    client.send(with_body ? post(target, body.size(), body) : "GET " + target + " HTTP/1.1\r\nHost: localhost\r\n\r\n");
    const auto answer = client.answer();
    if (!answer)
        ++tally.unanswered;
    else if (answer->status != 200 || answer->body != (with_body ? "POST " : "GET ") + target + ' ' + body)
        ++tally.wrong_place;
}

// A faulty one gets no 200 but its own; the connection is given up after it.
void fault(Client& client, const std::string& marker, unsigned kind, Tally& tally) {
    const std::string large(body_limit + 1 + kind % 200'000, 'x');
    const std::string target = (kind % 2 == 0 ? "/streamed/" : "/") + marker;
    switch (kind % 5) {
        case 0:  // too large for the application, not for the proxy
            client.send(post(target, large.size(), large));
            break;
        case 1:  // cut off in the body
            client.send(post(target, large.size(), large.substr(0, large.size() / 2)));
            return client.reset();
        case 2:  // cut off before the answer
            client.send(post("/streamed/pool/" + marker, 5, "hello"));
            return client.reset();
        case 3:  // chunks that are none
            client.send("POST " + target + " HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhelloXX");
            break;
        default:  // chunked and too large
            client.send("POST " + target + " HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n7d0\r\n" +
                        std::string(2000, 'x') + "\r\n0\r\n\r\n");
            break;
    }
    const auto answer = client.answer();
    if (answer && answer->status < 400)
        ++tally.wrong_place;
}

void converse(std::uint16_t port, int requests, unsigned seed, Tally& tally) {
    std::mt19937 random(seed);
    auto client = std::make_unique<Client>(port);
    for (int i = 0; i < requests; ++i) {
        const auto marker = std::to_string(seed) + '-' + std::to_string(i);
        const auto kind = static_cast<unsigned>(random());
        ++tally.sent;
        if (random() % 100 != 0) {
            ask(*client, marker, kind, tally);
            continue;
        }
        ++tally.faulty;
        fault(*client, marker, kind, tally);
        client = std::make_unique<Client>(port);
    }
}

}  // namespace

TEST_CASE("R23: of 100,000 requests through nginx, one in a hundred faulty, every answer is in its place") {
    constexpr int clients = 8, requests = 12'500;
    Fixture fixture;
    const Nginx nginx(fixture.port());
    const auto seed = static_cast<unsigned>(svc::test::proof_seed());
    Tally tally;
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < clients; ++i)
        threads.emplace_back([&, i] { converse(nginx.port(), requests, seed + i, tally); });
    for (auto& thread : threads)
        thread.join();
    std::cout << "figure: requests " << tally.sent << ", faulty " << tally.faulty << ", answers in the wrong place "
              << tally.wrong_place << ", unanswered " << tally.unanswered << " (seed " << seed << ")\n";
    CHECK(tally.sent == clients * requests);
    CHECK(tally.wrong_place == 0);
    CHECK(tally.unanswered == 0);
}

TEST_CASE("wire vectors through nginx bring no answer to the wrong request") {
    Fixture fixture;
    const Nginx nginx(fixture.port());
    Tally tally;
    std::atomic<bool> over{false};
    std::vector<std::thread> good;
    for (unsigned i = 0; i < 2; ++i)
        good.emplace_back([&, i] {
            Client client(nginx.port());
            for (unsigned n = 0; !over; ++n, ++tally.sent)
                ask(client, "good-" + std::to_string(i) + '-' + std::to_string(n), n, tally);
        });
    constexpr int rounds = 3;
    int strange = 0;
    for (int round = 0; round < rounds; ++round)
        for (const auto& vector : vectors()) {
            Client client(nginx.port());
            client.send(vector.bytes);
            client.end_sending();
            // The statuses are nginx's; it may even read a second request, but then answers that one.
            while (const auto answer = client.answer())
                strange += answer->body.find("good-") != std::string::npos ? 1 : 0;
        }
    over = true;
    for (auto& thread : good)
        thread.join();
    std::cout << "figure: wire vectors through nginx " << rounds * vectors().size() << " beside " << tally.sent
              << " good requests, answers in the wrong place " << tally.wrong_place + strange << '\n';
    CHECK(tally.wrong_place == 0);
    CHECK(tally.unanswered == 0);
    CHECK(strange == 0);
}

}  // namespace svc::http::test
