// The one fetch: what it refuses, what it stops, what it answers.
#include "base/platform/outbound/fetch.hpp"

#include <atomic>
#include <chrono>
#include <fstream>
#include <future>
#include <thread>
#include <zlib.h>

#include <doctest/doctest.h>

#include "base/platform/outbound/client_certificate.hpp"
#include "base/platform/outbound/partners.hpp"
#include "tests/support/child.hpp"
#include "tests/support/databases.hpp"
#include "tests/support/tiny_server.hpp"

using namespace svc;
using namespace svc::outbound;
using tests::TinyServer;

namespace {

TinyServer::Talk answering(const std::string& answer) {
    return [answer](TinyServer::Line& line) {
        while (!line.head().empty() && line.say(answer)) {
        }
    };
}

std::string ok(const std::string& body, const std::string& more = "") {
    return "HTTP/1.1 200 OK\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" + more + "\r\n" + body;
}

std::string cause_of(const Result<FetchAnswer>& answer) { return answer ? "an answer" : answer.error().cause(); }

std::string gzip(std::size_t zeros) {
    z_stream stream{};
    REQUIRE(deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) == Z_OK);
    std::string block(1 << 16, '\0'), out(zeros / 500 + 4096, '\0');
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    for (std::size_t left = zeros; left > 0;) {
        const auto take = std::min(left, block.size());
        left -= take;
        stream.next_in = reinterpret_cast<Bytef*>(block.data());
        stream.avail_in = static_cast<uInt>(take);
        deflate(&stream, left == 0 ? Z_FINISH : Z_NO_FLUSH);
    }
    out.resize(stream.total_out);
    deflateEnd(&stream);
    return out;
}

}  // namespace

TEST_CASE("every spelling of an address that is not public is refused before a byte is sent") {
    TinyServer server(answering(ok("secret")));
    const Allowed nobody;
    // On port 80, or the port alone would refuse it.
    for (const char* host : {"127.0.0.1",
                             "127.1",
                             "127.0.1",
                             "0x7f.1",
                             "0x7f000001",
                             "0177.0.0.1",
                             "2130706433",
                             "017700000001",
                             "0",
                             "0.0.0.0",
                             "localhost",
                             "LOCALHOST",

                             "10.0.0.1",
                             "10.255.255.255",
                             "100.64.0.1",
                             "100.127.255.255",
                             "169.254.169.254",
                             "0xa9fea9fe",
                             "172.16.0.1",
                             "172.31.255.255",
                             "192.0.0.1",
                             "192.0.2.1",
                             "192.168.1.1",
                             "198.18.0.1",
                             "198.19.255.255",
                             "198.51.100.1",
                             "203.0.113.1",
                             "224.0.0.1",
                             "239.1.1.1",
                             "240.0.0.1",
                             "255.255.255.255",
                             "[::]",
                             "[::1]",
                             "[0:0:0:0:0:0:0:1]",
                             "[::ffff:127.0.0.1]",
                             "[::ffff:7f00:1]",
                             "[::ffff:8.8.8.8]",
                             "[::127.0.0.1]",
                             "[64:ff9b::7f00:1]",
                             "[64:ff9b::808:808]",
                             "[64:ff9b:1::1]",
                             "[100::1]",
                             "[fc00::1]",
                             "[fd12:3456::1]",
                             "[fe80::1]",
                             "[fec0::1]",
                             "[ff02::1]",
                             "[2001::1]",
                             "[2001:db8::1]",
                             "[2002:7f00:1::]",
                             "[3fff::1]"}) {
        const auto url = std::string("http://") + host + "/";
        CAPTURE(url);
        const auto answer = fetch({.url = url}, nobody);
        REQUIRE_FALSE(answer);
        CHECK(answer.error().code().name == "svc_upstream_error");
        CHECK(cause_of(answer) == "the address is not public");
    }
    CHECK(server.connections() == 0);
}

TEST_CASE("a public address is public") {
    for (const char* address : {"8.8.8.8", "1.1.1.1", "172.15.255.255", "172.32.0.1", "100.63.255.255", "100.128.0.1",
                                "192.167.255.255", "223.255.255.255", "2606:4700:4700::1111", "2001:4860:4860::8888"}) {
        CAPTURE(address);
        CHECK(is_global(std::string(address)));
    }
    for (const char* text : {"", "a", "8.8.8.8.8", "fe80::1%eth0"})
        CHECK_FALSE(is_global(std::string(text)));
}

TEST_CASE("another scheme, a user in the address and another port are refused") {
    const Allowed nobody;
    for (const char* url :
         {"file:///etc/passwd", "gopher://1.1.1.1/", "ftp://1.1.1.1/", "dict://1.1.1.1:11211/", "smtp://1.1.1.1",
          "scp://1.1.1.1/", "ldap://1.1.1.1", "telnet://1.1.1.1", "http://user@1.1.1.1/", "http://user:pass@1.1.1.1/",
          "http://1.1.1.1:22/", "http://1.1.1.1:8080/", "https://1.1.1.1:25/", "//1.1.1.1/", "1.1.1.1", "", "http://",
          "http:// 1.1.1.1/", "http://1.1.1.1/\r\nX: y"}) {
        CAPTURE(url);
        const auto answer = fetch({.url = url}, nobody);
        REQUIRE_FALSE(answer);
        CHECK(cause_of(answer) != "the address is not public");
    }
}

TEST_CASE("a target that the operator allowed is asked, and only on that port") {
    TinyServer server(answering(ok("hello", "X-One: a\r\nx-one: b\r\n")));
    const Allowed this_one({server.target()});
    const auto answer = fetch({.url = server.url("/path")}, this_one);
    REQUIRE(answer);
    CHECK(answer->status == 200);
    CHECK(answer->body == "hello");
    CHECK(answer->header("x-one") == "a");

    const Allowed another({"127.0.0.1:1"});
    CHECK(cause_of(fetch({.url = server.url()}, another)) == "the port is neither 80 nor 443");
    CHECK_THROWS_AS(Allowed({"10.0.0.1"}), std::runtime_error);
}

TEST_CASE("a connection that an allowed request left open serves no other one") {
    TinyServer server(answering(ok("hello")));
    REQUIRE(fetch({.url = server.url()}, Allowed({server.target()})));
    // The same thread, handle and address; the name stands in for one that is resolved to it later.
    CHECK_FALSE(fetch({.url = server.url()}, Allowed()));
    CHECK(fetch({.url = server.url()}, Allowed({server.target()})));
    CHECK(server.connections() == 1);
}

TEST_CASE("what is sent is what was asked: method, headers, body") {
    std::string seen;
    TinyServer server([&](TinyServer::Line& line) {
        seen = line.head();
        line.say(ok(""));
    });
    const auto answer = fetch({.url = server.url("/in?a=1"),
                               .method = "PUT",
                               .headers = {{"X-Sign", "t=1"}, {"Content-Type", "application/json"}},
                               .body = "{}"},
                              Allowed({server.target()}));
    REQUIRE(answer);
    CHECK(seen.starts_with("PUT /in?a=1 HTTP/1.1\r\n"));
    CHECK(seen.find("X-Sign: t=1\r\n") != std::string::npos);
    CHECK(seen.find("Content-Length: 2\r\n") != std::string::npos);
    CHECK(seen.find("Content-Type: application/json\r\n") != std::string::npos);
    CHECK(seen.find("Expect") == std::string::npos);
}

TEST_CASE("a header that would split the request is refused") {
    TinyServer server(answering(ok("")));
    const Allowed this_one({server.target()});
    for (const auto& [name, value] : std::vector<std::pair<std::string, std::string>>{{"X", "a\r\nY: b"},
                                                                                      {"X", "a\nb"},
                                                                                      {"X", std::string("a\0b", 3)},
                                                                                      {"X\r\nY", "a"},
                                                                                      {"X Y", "a"},
                                                                                      {"", "a"},
                                                                                      {"X:", "a"},
                                                                                      {"Host", "internal"},
                                                                                      {"Content-Length", "0"},
                                                                                      {"Transfer-Encoding", "chunked"},
                                                                                      {"X", "caf\xc3\xa9"}}) {
        CAPTURE(name);
        CAPTURE(value);
        CHECK_FALSE(fetch({.url = server.url(), .headers = {{name, value}}}, this_one));
    }
    CHECK(server.connections() == 0);
}

TEST_CASE("redirects are not followed unless asked for, and each passes the same checks") {
    for (const char* to : {"file:///etc/passwd", "gopher://127.0.0.1:25/x", "http://169.254.169.254/latest/meta-data",
                           "http://[::1]/", "http://user:pass@8.8.8.8/", "//10.0.0.1/", "ftp://8.8.8.8/"}) {
        CAPTURE(to);
        TinyServer server(
            answering(std::string("HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: ") + to + "\r\n\r\n"));
        const Allowed this_one({server.target()});
        const auto kept = fetch({.url = server.url()}, this_one);
        REQUIRE(kept);
        CHECK(kept->status == 302);
        CHECK_FALSE(fetch({.url = server.url(), .redirects = 3}, this_one));
    }
}

TEST_CASE("redirects end, lead on relatively, and leave secrets with the first host") {
    std::string seen;
    TinyServer last([&](TinyServer::Line& line) {
        seen = line.head();
        line.say(ok("arrived"));
    });
    TinyServer first([&](TinyServer::Line& line) {
        for (auto head = line.head(); !head.empty(); head = line.head()) {
            std::string to = "/more";
            if (head.starts_with("GET /more"))
                to = last.url("/end");
            if (head.starts_with("GET /round"))
                to = "/round";
            line.say("HTTP/1.1 301 Moved\r\nContent-Length: 0\r\nLocation: " + to + "\r\n\r\n");
        }
    });
    const Allowed both({first.target(), last.target()});
    const auto answer =
        fetch({.url = first.url(), .headers = {{"Authorization", "Bearer x"}, {"X-Mine", "y"}}, .redirects = 3}, both);
    REQUIRE(answer);
    CHECK(answer->body == "arrived");
    CHECK(seen.find("Authorization") == std::string::npos);
    CHECK(seen.find("X-Mine: y") != std::string::npos);
    CHECK(cause_of(fetch({.url = first.url("/round"), .redirects = 3}, both)) == "there are too many redirects");
}

TEST_CASE("a body without end is stopped at the cap") {
    TinyServer server([](TinyServer::Line& line) {
        line.head();
        line.say("HTTP/1.1 200 OK\r\n\r\n");
        const std::string block(65536, 'x');
        while (line.say(block)) {
        }
    });
    const Allowed this_one({server.target()});
    CHECK(cause_of(fetch({.url = server.url(), .most_bytes = 100'000}, this_one)) == "the answer is too large");
}

TEST_CASE("headers without end are stopped") {
    TinyServer server([](TinyServer::Line& line) {
        line.head();
        line.say("HTTP/1.1 200 OK\r\n");
        while (line.say("X-Filler: " + std::string(1000, 'x') + "\r\n")) {
        }
    });
    CHECK(cause_of(fetch({.url = server.url()}, Allowed({server.target()}))) == "the answer is too large");
}

TEST_CASE("a dripping body is stopped at the time-out") {
    TinyServer server([](TinyServer::Line& line) {
        line.head();
        line.say("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n");
        while (line.rest(50) && line.say("x")) {
        }
    });
    const auto began = std::chrono::steady_clock::now();
    const auto answer =
        fetch({.url = server.url(), .timeout = std::chrono::milliseconds(400)}, Allowed({server.target()}));
    CHECK(cause_of(answer) == "Timeout was reached");
    CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds(60));  // it would drip for 5,000 s
}

TEST_CASE("of a server that has stopped answering two at most are waited for, until it answers again") {
    std::atomic<bool> back = false;
    std::atomic<int> asked = 0;
    TinyServer server([&](TinyServer::Line& line) {
        while (!line.head().empty()) {
            ++asked;
            while (!back)
                if (!line.rest(20))
                    return;
            line.say(ok("here"));
        }
    });
    TinyServer other(answering(ok("other")));
    const Allowed both({server.target(), other.target()});
    for (int turn = 0; turn < 3; ++turn) {
        const auto answer = fetch({.url = server.url(), .timeout = std::chrono::milliseconds(100)}, both);
        CHECK(cause_of(answer) == "Timeout was reached");
    }
    const auto patient = [&] {
        const auto answer = fetch({.url = server.url(), .timeout = std::chrono::seconds(60)}, both);
        return answer ? answer->body : answer.error().cause();
    };
    auto first = std::async(std::launch::async, patient), second = std::async(std::launch::async, patient);
    while (asked < 5)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    CHECK(patient() == "it has not answered lately, and others are waiting for it");
    CHECK(asked == 5);
    CHECK(fetch({.url = other.url()}, both)->body == "other");
    back = true;
    CHECK(first.get() == "here");
    CHECK(second.get() == "here");
    CHECK(patient() == "here");
}

TEST_CASE("a server is silent after three requests without an answer in a row, each server by itself") {
    Partners partners;
    const auto unanswered = [&](int times) {
        for (int turn = 0; turn < times; ++turn)
            Partners::Turn(partners, "a:1").unanswered();
    };
    unanswered(2);
    Partners::Turn(partners, "a:1").set_answered();
    unanswered(2);
    {
        const Partners::Turn one(partners, "a:1"), two(partners, "a:1"), three(partners, "a:1");
        CHECK(three.limit_inquiries());
    }
    unanswered(1);
    Partners::Turn one(partners, "a:1");
    const Partners::Turn two(partners, "a:1"), three(partners, "a:1"), other(partners, "b:1");
    CHECK(two.limit_inquiries());
    CHECK_FALSE(three.limit_inquiries());
    CHECK(other.limit_inquiries());
    one.set_answered();
    CHECK(Partners::Turn(partners, "a:1").limit_inquiries());
}

TEST_CASE("a compressed body is counted as it unfolds") {
    const auto bomb = gzip(64 << 20);
    REQUIRE(bomb.size() < 100'000);
    TinyServer server(answering(ok(bomb, "Content-Encoding: gzip\r\n")));
    const Allowed this_one({server.target()});
    CHECK(cause_of(fetch({.url = server.url(), .most_bytes = 1 << 20}, this_one)) == "the answer is too large");
    const auto small = gzip(1000);
    TinyServer fine(answering(ok(small, "Content-Encoding: gzip\r\n")));
    const auto answer = fetch({.url = fine.url()}, Allowed({fine.target()}));
    REQUIRE(answer);
    CHECK(answer->body == std::string(1000, '\0'));
}

TEST_CASE("a server that cuts the answer off, or answers no HTTP, gives no answer") {
    TinyServer cut([](TinyServer::Line& line) {
        line.head();
        line.say("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf");
    });
    CHECK_FALSE(fetch({.url = cut.url()}, Allowed({cut.target()})));
    TinyServer garbage([](TinyServer::Line& line) {
        line.head();
        line.say("220 mail.example.org ESMTP\r\n");
    });
    CHECK_FALSE(fetch({.url = garbage.url()}, Allowed({garbage.target()})));
}

TEST_CASE("a proxy named in the environment is not used") {
    TinyServer proxy(answering(ok("from the proxy")));
    TinyServer server(answering(ok("from the server")));
    setenv("http_proxy", proxy.url().c_str(), 1);
    setenv("ALL_PROXY", proxy.url().c_str(), 1);
    const auto answer = fetch({.url = server.url()}, Allowed({server.target()}));
    unsetenv("http_proxy");
    unsetenv("ALL_PROXY");
    REQUIRE(answer);
    CHECK(answer->body == "from the server");
    CHECK(proxy.connections() == 0);
}

TEST_CASE("a client's certificate proves this program where it is asked for, and in its scope alone") {
    const tests::TempDir folder;
    tests::Child server({SVC_PYTHON, SVC_CERTIFICATE_SERVER, folder.path()});
    const auto line = server.line();
    REQUIRE(line);
    REQUIRE(line->starts_with("port "));
    const std::string target = "127.0.0.1:" + line->substr(5);
    const Allowed allowed({target});
    const FetchRequest request{.url = "https://" + target + "/", .ca_file = folder.file("ca.pem")};
    const auto pem = [&](const char* name) {
        std::ifstream in(folder.file(name));
        return std::string(std::istreambuf_iterator<char>(in), {});
    };
    CHECK_FALSE(fetch(request, allowed));
    {
        const ClientCertificate ours(pem("client.pem"), pem("client.key"));
        const auto answer = fetch(request, allowed);
        CAPTURE(cause_of(answer));
        REQUIRE(answer);
        CHECK(answer->body == "client");
    }
    CHECK_FALSE(fetch(request, allowed));  // no connection of before is used
    {
        const ClientCertificate stranger(pem("stranger.pem"), pem("stranger.key"));
        CHECK_FALSE(fetch(request, allowed));
    }
    const ClientCertificate broken("no certificate", "no key");
    CHECK_FALSE(fetch(request, allowed));
}
