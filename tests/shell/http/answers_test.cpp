// Answers as a client sees them: order, methods, persistence, headers, and faults of the application.
#include <algorithm>
#include <string>
#include <sys/socket.h>
#include <unistd.h>
#include <vector>

#include <doctest/doctest.h>

#include "shell/http/connection.hpp"
#include "shell/http/hub.hpp"
#include "tests/shell/http/application.hpp"
#include "tests/shell/http/client.hpp"

namespace svc::http::test {
namespace {

std::string request(const std::string& method, const std::string& target, const std::string& fields = "",
                    const std::string& body = "") {
    return method + ' ' + target + " HTTP/1.1\r\nHost: localhost\r\n" + fields + "\r\n" + body;
}

std::string length(std::size_t size) { return "Content-Length: " + std::to_string(size) + "\r\n"; }

}  // namespace

TEST_CASE("pipelined requests are answered in order though the first is slow") {
    Fixture fixture;
    Client client(fixture.port());
    client.send(request("GET", "/held") + request("GET", "/pool/2") + request("POST", "/3", length(2), "ab") +
                request("GET", "/pool/4"));
    fixture.application.wait_for_held(1);
    fixture.application.release();
    for (const auto* body : {"GET /held ", "GET /pool/2 ", "POST /3 ab", "GET /pool/4 "}) {
        const auto answer = client.answer();
        REQUIRE(answer);
        CHECK(answer->body == body);
    }
}

TEST_CASE("what cannot be answered at once is answered by a worker, once and in its place") {
    Fixture fixture;
    Client client(fixture.port());
    std::string requests;
    for (int i = 0; i < 40; ++i)
        requests += request("POST", (i % 2 == 0 ? "/later/" : "/") + std::to_string(i), length(2), "ab");
    client.send(requests);
    for (int i = 0; i < 40; ++i) {
        const auto answer = client.answer();
        REQUIRE(answer);
        CHECK(answer->body == (i % 2 == 0 ? "POST /later/" : "POST /") + std::to_string(i) + " ab");
    }
    CHECK(fixture.server->counters().requests == 40);
    CHECK(fixture.server->counters().in_flight == 0);
}

TEST_CASE("more pipelined requests than may be in flight are all answered") {
    Fixture fixture([](Options& options) { options.limits.pipeline = 3; });
    Client client(fixture.port());
    std::string requests;
    for (int i = 0; i < 50; ++i)
        requests += request("GET", (i % 3 == 0 ? "/pool/" : "/") + std::to_string(i));
    client.send(request("GET", "/held") + requests);
    fixture.application.wait_for_held(1);
    fixture.application.release();
    REQUIRE(client.answer());
    for (int i = 0; i < 50; ++i) {
        const auto answer = client.answer();
        REQUIRE(answer);
        CHECK(answer->body == (i % 3 == 0 ? "GET /pool/" : "GET /") + std::to_string(i) + ' ');
    }
}

TEST_CASE("a client that pipelines without end is closed after the answers it has earned") {
    Fixture fixture([](Options& options) { options.limits.pipeline = 2; });
    Client client(fixture.port());
    client.send(request("GET", "/held/1") + request("GET", "/held/2"));
    fixture.application.wait_for_held(2);
    // More than the kernel holds, so that when all is sent the server has read more than it keeps.
    const std::string many(32 << 20, 'a');
    client.send(request("GET", "/beyond") + many);
    fixture.application.release();
    for (const auto* body : {"GET /held/1 ", "GET /held/2 "}) {
        const auto answer = client.answer();
        REQUIRE(answer);
        CHECK(answer->body == body);
    }
    CHECK(client.closed());
}

TEST_CASE("a half-closed client gets its answers") {
    Fixture fixture;
    for (const std::string target : {"/now", "/pool", "/held"}) {
        Client client(fixture.port());
        client.send(request("GET", target) + request("POST", target, length(1), "x"));
        client.end_sending();
        if (target == "/held") {
            fixture.application.wait_for_held(1);
            fixture.application.release();
        }
        auto answer = client.answer();
        REQUIRE(answer);
        CHECK(answer->body == "GET " + target + ' ');
        answer = client.answer();
        REQUIRE(answer);
        CHECK(answer->body == "POST " + target + " x");
        CHECK(client.closed());
    }
}

TEST_CASE("HEAD is answered like GET, without the body") {
    Fixture fixture;
    for (const std::string target : {"/abc", "/pool/abc"}) {
        Client client(fixture.port());
        const auto got = client.get(target);
        REQUIRE(got);
        client.send(request("HEAD", target));
        const auto head = client.answer(true);
        REQUIRE(head);
        CHECK(head->status == 200);
        CHECK(std::stoul(head->headers.at("content-length")) == got->body.size() + 1);  // HEAD is a letter longer
        CHECK(client.get("/next")->body == "GET /next ");
    }
}

TEST_CASE("204 has neither body nor length") {
    Fixture fixture;
    Client client(fixture.port());
    const auto answer = client.get("/no-content");
    REQUIRE(answer);
    CHECK(answer->status == 204);
    CHECK_FALSE(answer->headers.contains("content-length"));
    CHECK(client.get("/next")->body == "GET /next ");
}

TEST_CASE("Expect: 100-continue is answered when the body may come") {
    Fixture fixture;
    Client client(fixture.port());
    client.send(request("POST", "/pool/first") + request("POST", "/a", "Expect: 100-continue\r\n" + length(5)));
    CHECK(client.answer()->status == 200);
    CHECK(client.answer(true)->status == 100);
    client.send("hello");
    CHECK(client.answer()->body == "POST /a hello");
    // Refused without asking for the body.
    client.send(request("POST", "/a", "Expect: 100-continue\r\n" + length(body_limit + 1)));
    CHECK(client.answer()->status == 413);
    CHECK(client.closed());
    // Not owed to a client that does not wait, nor to HTTP/1.0.
    Client eager(fixture.port());
    eager.send(request("POST", "/a", "Expect: 100-continue\r\n" + length(5), "hello"));
    CHECK(eager.answer()->status == 200);
    eager.send("POST /a HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\nhello");
    CHECK(eager.answer()->status == 200);
}

TEST_CASE("answers say how the connection goes on") {
    Fixture fixture;
    Client client(fixture.port());
    CHECK_FALSE(client.get("/")->headers.contains("connection"));
    client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    CHECK(client.answer()->headers.at("connection") == "keep-alive");
    client.send(request("GET", "/", "Connection: close\r\n"));
    CHECK(client.answer()->headers.at("connection") == "close");
    CHECK(client.closed());
}

TEST_CASE("a chunked upload of many pieces arrives whole") {
    Fixture fixture;
    Client client(fixture.port());
    client.send(request("POST", "/upload", "Transfer-Encoding: chunked\r\n"));
    const std::string piece(5000, 'u');
    for (int i = 0; i < 200; ++i)
        client.send("1388\r\n" + piece + "\r\n");
    client.send("0\r\n\r\n");
    CHECK(client.answer()->body == "1000000");
    // The CRLF after a chunk in two segments.
    client.send(request("POST", "/a", "Transfer-Encoding: chunked\r\n") + "5\r\nhello\r");
    client.send("\n0\r\n\r");
    client.send("\n");
    CHECK(client.answer()->body == "POST /a hello");
}

TEST_CASE("a body beyond the route's limit is 413 and the connection closes") {
    Fixture fixture;
    for (const bool chunked : {false, true}) {
        Client client(fixture.port());
        const std::string body(2 << 20, 'x');
        client.send(request("POST", "/a", chunked ? "Transfer-Encoding: chunked\r\n" : length(body.size())));
        if (chunked)
            client.send("10\r\n0123456789abcdef\r\n200000\r\n");
        client.send(body);
        const auto answer = client.answer();
        REQUIRE(answer);
        CHECK(answer->status == 413);
        CHECK(answer->headers.at("connection") == "close");
        client.end_sending();
        CHECK(client.closed());
        CHECK(client.pending() == 0);
    }
    CHECK(fixture.server->counters().refused_413 == 2);
}

TEST_CASE("what is refused once its head is read is refused by its own fields, never by those before it") {
    Fixture fixture;
    for (const char* framing : {"Content-Length: 9999\r\n", "Transfer-Encoding: chunked\r\n"}) {
        CAPTURE(framing);
        Client client(fixture.port());
        client.send(request("GET", "/a", "Origin: https://first.example\r\n"));
        CHECK(client.answer()->status == 200);
        client.send(request("POST", "/a", std::string("Origin: https://shop.example\r\n") + framing) + "fff\r\n");
        CHECK(client.answer()->body == "failure 413 of https://shop.example");
    }
    Client client(fixture.port());
    client.send(request("GET", "/a", "Origin: https://first.example\r\n"));
    CHECK(client.answer()->status == 200);
    client.send("GET / HTTP/1.1\r\nHost : x\r\n\r\n");
    CHECK(client.answer()->body == "failure 400");
}

TEST_CASE("whatever the application throws is the fixed 500") {
    Fixture fixture;
    for (const std::string target : {"/throw", "/throw-42", "/pool/throw", "/pool/throw-42"}) {
        Client client(fixture.port());
        const auto answer = client.get(target);
        REQUIRE(answer);
        CHECK(answer->status == 500);
        CHECK(answer->body == "failure 500");
        CHECK(client.get("/next")->body == "GET /next ");
    }
    Client client(fixture.port());
    CHECK(client.get("/plan-throws")->body == "failure 500");
    CHECK(client.closed());
}

TEST_CASE("a header that would become two is 500") {
    Fixture fixture;
    Client client(fixture.port());
    const auto answer = client.get("/split");
    REQUIRE(answer);
    CHECK(answer->status == 500);
    CHECK_FALSE(answer->headers.contains("set-cookie"));
    CHECK_FALSE(answer->headers.contains("location"));
    CHECK(client.get("/next")->body == "GET /next ");
}

TEST_CASE("the request is handed over as it was sent") {
    Fixture fixture;
    Client client(fixture.port());
    client.send(request("GET", "/a%20b?x=1&x=2", "X-QUERY: \t a b \r\nX-Query: 2\r\n"));
    const auto answer = client.answer();
    REQUIRE(answer);
    CHECK(answer->body == "GET /a%20b?x=1&x=2 ");
    CHECK(answer->headers.at("x-query") == "a b");
    CHECK(client.get("/peer")->body == "127.0.0.1");
    client.send("GET http://other/b?c HTTP/1.1\r\nHost: localhost\r\n\r\n");
    CHECK(client.answer()->body == "GET /b?c ");
}

TEST_CASE("a client that goes before its answer harms nobody") {
    Fixture fixture;
    {
        Client leaving(fixture.port());
        leaving.send(request("GET", "/held/1") + request("GET", "/big") + request("GET", "/big"));
        Client resetting(fixture.port());
        resetting.send(request("GET", "/held/2") + request("GET", "/big"));
        fixture.application.wait_for_held(2);
        resetting.reset();
    }
    fixture.application.release();
    Client client(fixture.port());
    CHECK(client.get("/next")->body == "GET /next ");
}

TEST_CASE("a slow reader of a large answer stops nobody") {
    Fixture fixture([](Options& options) { options.io_threads = 1; });
    std::vector<Client> slow;
    for (int i = 0; i < 4; ++i) {
        slow.emplace_back(fixture.port(), 4096);
        slow.back().send(request("GET", i % 2 == 0 ? "/big" : "/pool/big") + request("GET", "/after"));
    }
    Client client(fixture.port());
    for (int i = 0; i < 100; ++i)
        CHECK(client.get("/quick")->body == "GET /quick ");
    const auto answer = slow[0].answer();
    REQUIRE(answer);
    CHECK(answer->body.size() == big_size);
    CHECK(std::all_of(answer->body.begin(), answer->body.end(), [](char c) { return c == 'b'; }));
    CHECK(slow[0].answer()->body == "GET /after ");
}

TEST_CASE("an answer made of a file arrives whole, a slow reader's too, and so does what follows it") {
    Fixture fixture([](Options& options) { options.io_threads = 1; });
    for (const char* target : {"/file", "/pool/file"}) {
        Client client(fixture.port(), 4096);
        client.send(request("HEAD", target) + request("GET", target) + request("GET", "/after"));
        Client other(fixture.port());
        CHECK(other.get("/quick")->body == "GET /quick ");
        const auto head = client.answer(true);
        REQUIRE(head);
        CHECK(head->headers.at("content-length") == std::to_string(big_size));
        const auto answer = client.answer();
        REQUIRE(answer);
        CHECK(answer->body.size() == big_size);
        CHECK(answer->body.starts_with("start"));
        CHECK(answer->body.ends_with("end"));
        CHECK(client.answer()->body == "GET /after ");
    }
}

TEST_CASE("a file that is shorter than it was ends its connection and nothing else") {
    Fixture fixture;
    Client client(fixture.port());
    client.send(request("GET", "/short") + request("GET", "/after"));
    CHECK_FALSE(client.answer());
    CHECK(Client(fixture.port()).get("/quick")->body == "GET /quick ");
}

TEST_CASE("a second answer to one request is counted and not sent") {
    Echo application;
    Options options;
    Hub hub(options, application);
    struct : Source {
        void read_on(int) noexcept override {}
    } source;
    int ends[2];
    REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0);
    {
        const auto connection = hub.admit(source, ends[0], "127.0.0.1");
        REQUIRE(connection);
        connection->input(request("GET", "/held"));
        application.wait_for_held(1);
        connection->answer(0, Response{200, {}, nullptr});
        application.release();
        hub.pool.stop();
    }
    CHECK(hub.counters.read().second_answers == 1);
    ::close(ends[0]);
    std::string received(4096, '\0');
    received.resize(static_cast<std::size_t>(::read(ends[1], received.data(), received.size())));
    ::close(ends[1]);
    CHECK(take_answer(received));
    CHECK(received.empty());
}

}  // namespace svc::http::test
