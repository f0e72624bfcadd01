// Every wire vector against the real server, whole and cut in every place.
#include <iostream>
#include <random>
#include <string>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

#include <doctest/doctest.h>

#include "shell/http/connection.hpp"
#include "shell/http/hub.hpp"
#include "tests/shell/http/application.hpp"
#include "tests/shell/http/client.hpp"
#include "tests/shell/http/vectors.hpp"
#include "tests/support/random.hpp"

namespace svc::http::test {
namespace {

// Sends in pieces that end at `cuts`, then checks every answer and what becomes of the connection.
void check(Fixture& fixture, const Vector& vector, const std::vector<std::size_t>& cuts) {
    Client client(fixture.port());
    std::size_t from = 0;
    for (const auto cut : cuts) {
        client.send(std::string_view(vector.bytes).substr(from, cut - from));
        from = cut;
    }
    client.send(std::string_view(vector.bytes).substr(from));
    for (const int status : vector.statuses) {
        const auto answer = client.answer();
        REQUIRE(answer);
        CHECK(answer->status == status);
        CHECK(answer->headers.contains("date"));
        CHECK(answer->headers.contains("content-length"));
    }
    if (vector.closes) {
        CHECK(client.closed());
        CHECK(client.pending() == 0);
    } else {
        const auto next = client.get("/still-there");
        REQUIRE(next);
        CHECK(next->body == "GET /still-there ");
    }
    CHECK_FALSE(fixture.application.saw(smuggled));
}

// The same without a network in between, so that the cut is where it is said to be.
std::vector<int> statuses_when_cut(Hub& hub, std::string_view bytes, std::size_t cut, bool& closed) {
    struct : Source {
        void read_on(int) noexcept override {}
    } source;
    int ends[2];
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    {
        const auto connection = hub.admit(source, ends[0], "127.0.0.1");
        REQUIRE(connection);
        connection->input(bytes.substr(0, cut));
        if (cut < bytes.size())
            connection->input(bytes.substr(cut));
        connection->input_ended();
    }
    ::close(ends[0]);
    std::string received(65536, '\0');
    std::size_t size = 0;
    for (ssize_t part = 1; part > 0; size += static_cast<std::size_t>(part)) {
        part = ::read(ends[1], received.data() + size, received.size() - size);
        REQUIRE(part >= 0);
    }
    received.resize(size);
    ::close(ends[1]);
    std::vector<int> statuses;
    closed = false;
    while (const auto answer = take_answer(received)) {
        statuses.push_back(answer->status);
        const auto connection = answer->headers.find("connection");
        closed = connection != answer->headers.end() && connection->second == "close";
    }
    CHECK(received.empty());
    return statuses;
}

}  // namespace

TEST_CASE("every wire vector gets its verdict, sent whole") {
    Fixture fixture;
    std::cout << "figure: wire vectors " << vectors().size() << '\n';
    for (const auto& vector : vectors()) {
        CAPTURE(vector.name);
        check(fixture, vector, {});
    }
}

TEST_CASE("every wire vector gets the same verdict byte by byte") {
    Fixture fixture;
    for (const auto& vector : vectors()) {
        if (vector.bytes.size() > 500)
            continue;
        CAPTURE(vector.name);
        std::vector<std::size_t> cuts;
        for (std::size_t i = 1; i < vector.bytes.size(); ++i)
            cuts.push_back(i);
        check(fixture, vector, cuts);
    }
}

TEST_CASE("every wire vector gets the same verdict cut at random") {
    Fixture fixture;
    const auto seed = static_cast<unsigned>(svc::test::proof_seed());
    INFO("seed " << seed);
    std::cout << "figure: wire vectors cut at random, seed " << seed << '\n';
    std::mt19937 random(seed);
    for (const auto& vector : vectors())
        for (int i = 0; i < 3; ++i) {
            CAPTURE(vector.name);
            std::vector<std::size_t> cuts;
            for (std::size_t at = 0; (at += 1 + random() % (vector.bytes.size() / 2 + 1)) < vector.bytes.size();)
                cuts.push_back(at);
            CAPTURE(cuts.size());
            check(fixture, vector, cuts);
        }
}

TEST_CASE("every wire vector gets the same verdict cut in two at every byte") {
    Echo application;
    Options options;
    Hub hub(options, application);
    std::size_t runs = 0;
    for (const auto& vector : vectors()) {
        CAPTURE(vector.name);
        const auto step = vector.bytes.size() > 2000 ? 101U : 1U;
        for (std::size_t cut = 1; cut <= vector.bytes.size(); cut += step, ++runs) {
            CAPTURE(cut);
            bool closed = false;
            CHECK(statuses_when_cut(hub, vector.bytes, cut, closed) == vector.statuses);
            CHECK(closed == vector.closes);
        }
    }
    CHECK_FALSE(application.saw(smuggled));
    std::cout << "figure: wire vectors cut in two " << runs << " runs\n";
}

}  // namespace svc::http::test
