// Log lines and what is taken out of them.
#include "shared/core/log.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <doctest/doctest.h>

#include "shared/core/redact.hpp"
#include "tests/support/random.hpp"

using namespace svc;

namespace {

struct Lines {
    Lines() { log::redirect(&text); }
    ~Lines() {
        log::redirect(nullptr);
        log::least(log::Level::info);
    }
    [[nodiscard]] bool has(std::string_view part) const { return text.find(part) != std::string::npos; }
    std::string text;
};

// Standard error, led elsewhere for a while.
struct StandardError {
    explicit StandardError(int to) : before(::dup(STDERR_FILENO)) { ::dup2(to, STDERR_FILENO); }
    ~StandardError() {
        ::dup2(before, STDERR_FILENO);
        ::close(before);
    }
    int before;
};

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

}  // namespace

TEST_CASE("a line is one JSON object with time, level and event") {
    Lines lines;
    log::info("request", {{"status", 200}, {"path", "/trips"}, {"request_id", std::string("r-1")}});
    CHECK(lines.text.substr(0, 9) == R"({"at":"20)");
    CHECK(lines.has(R"("level":"info","event":"request","status":200,"path":"/trips","request_id":"r-1"})"));
    CHECK(lines.text.find('\n') == lines.text.size() - 1);
}

TEST_CASE("nothing in a value ends its line or its string") {
    Lines lines;
    log::error("x", {{"why", "a\nb\"c\\\x01\xFF"}});
    CHECK(lines.has(R"("why":"a\nb\"c\\\u0001)"));
    CHECK(lines.has("\xEF\xBF\xBD"));
    CHECK(lines.text.find('\n') == lines.text.size() - 1);
}

TEST_CASE("a line reaches standard error in one write") {
    int ends[2];
    REQUIRE(::pipe2(ends, O_DIRECT | O_NONBLOCK) == 0);  // a read gives one write, never more
    {
        const StandardError led{ends[1]};
        log::info("first", {{"why", "x"}, {"n", 1}});
        log::info("second", {});
    }
    char buffer[4096];
    for (const std::string_view event : {"first", "second"}) {
        const auto size = ::read(ends[0], buffer, sizeof buffer);
        REQUIRE(size > 0);
        const std::string_view line{buffer, static_cast<std::size_t>(size)};
        CHECK(contains(line, event));
        CHECK(line.front() == '{');
        CHECK(line.substr(line.size() - 2) == "}\n");
    }
    CHECK(::read(ends[0], buffer, sizeof buffer) < 0);
    ::close(ends[0]);
    ::close(ends[1]);
}

TEST_CASE("a full disk loses lines, nothing else") {
    const int full = ::open("/dev/full", O_WRONLY);
    REQUIRE(full >= 0);
    {
        const StandardError led{full};
        log::info("lost", {});
    }
    ::close(full);
    Lines lines;
    log::info("kept", {});
    CHECK(lines.has("kept"));
}

TEST_CASE("levels below the least are left out") {
    Lines lines;
    log::write(log::Level::debug, "quiet", {});
    CHECK(lines.text.empty());
    log::least(log::Level::debug);
    log::write(log::Level::debug, "loud", {});
    CHECK(lines.has("loud"));
    log::least(log::Level::error);
    log::warning("lost", {});
    CHECK_FALSE(lines.has("lost"));
}

TEST_CASE("a field named like a secret is not shown, whatever it holds") {
    for (const auto* name :
         {"Authorization", "cookie",       "Set-Cookie",    "password",        "new_password", "smtpPassword", "token",
          "booking_token", "secret",       "client_secret", "api_key",         "apiKey",       "license_key",  "key",
          "nonce",         "X-Host-Nonce", "session_id",    "Idempotency-Key", "sig",          "cvc"}) {
        CAPTURE(name);
        Lines lines;
        log::info("x", {{name, "canary"}});
        CHECK_FALSE(lines.has("canary"));
        CHECK(lines.has("[removed]"));
    }
    for (const auto* name : {"path", "event", "monkey", "passenger", "keyboard", "company", "compass", "status"})
        CHECK_FALSE(log::is_secret_name(name));
}

TEST_CASE("bearer and basic credentials are taken out of texts") {
    CHECK(log::redacted("Authorization: Bearer abc.def-1") == "Authorization: [removed]");
    CHECK(log::redacted("sent bearer abc.def= to host") == "sent bearer [removed] to host");
    CHECK(log::redacted("Basic YTpi") == "Basic [removed]");
    CHECK(log::redacted("basics matter") == "basics matter");
}

TEST_CASE("tokens in addresses, forms and JSON are taken out of texts") {
    CHECK(log::redacted("/booking/7?booking_token=abc123&page=2") == "/booking/7?booking_token=[removed]&page=2");
    CHECK(log::redacted("/x?invoice_token=a.b.c") == "/x?invoice_token=[removed]");
    CHECK(log::redacted("host=db password=hunter2 user=svc") == "host=db password=[removed] user=svc");
    CHECK(log::redacted("password='hun ter2' user=svc") == "password='[removed]' user=svc");
    CHECK(log::redacted(R"({"password":"hun\"ter 2","name":"Ada"})") == R"({"password":"[removed]","name":"Ada"})");
    CHECK(log::redacted("Cookie: a=1; b=2\nHost: x") == "Cookie: [removed]\nHost: x");
    CHECK(log::redacted("postgresql://svc:hunter2@db/x") == "postgresql://[removed]@db/x");
    CHECK(log::redacted("/trips?page=2&search=nile") == "/trips?page=2&search=nile");
}

TEST_CASE("words as random as our tokens are taken out of texts") {
    CHECK_FALSE(contains(log::redacted("/recover/q5rX0mV1Zc9_Jk3TtB-8uYwE2LhNsGd4AoPi6CfKvRa"), "q5rX0mV"));
    CHECK_FALSE(
        contains(log::redacted("id a627c8c4fba6e7c47370656c35b5dd226c960772a49384381369ecd74a0362b5."), "a627"));
    CHECK(log::redacted("whsec_test_old") == "[removed]");
    CHECK(log::redacted("550e8400-e29b-41d4-a716-446655440000") == "550e8400-e29b-41d4-a716-446655440000");
    CHECK(contains(log::redacted("svc_capacity_consuming_booking_statuses_filter"), "svc_capacity"));
}

TEST_CASE("card numbers are taken out however they are grouped, other numbers stay") {
    for (const auto* number : {"4242424242424242", "4242 4242 4242 4242", "4000-0566-5566-5556", "378282246310005"}) {
        CAPTURE(number);
        CHECK(log::redacted("card " + std::string(number) + " ok") == "card [removed] ok");
    }
    CHECK(log::redacted("2026-11-20 4242 4242 4242 4242") == "2026-11-20 [removed]");
    CHECK(log::redacted("4242424242424243") == "4242424242424243");
    CHECK(log::redacted("2026-11-20 13:39, row 12") == "2026-11-20 13:39, row 12");
}

TEST_CASE("e-mail addresses are shortened to their first letter") {
    CHECK(log::redacted("to ada@example.org.") == "to a***@example.org.");
    CHECK(log::redacted("Key (email)=(ada.l+x@example.org) exists") == "Key (email)=(a***@example.org) exists");
    CHECK(log::redacted("<\xC3\xA9va@example.org>,b@c.de") == "<\xC3\xA9***@example.org>,b***@c.de");
    CHECK(log::redacted("/customers?search=ada%40example.org") == "/customers?search=a***%40example.org");
    CHECK(log::redacted("@home a@ @") == "@home a@ @");
}

TEST_CASE("a long value is cut, and never in the middle of a secret") {
    Lines lines;
    log::info("x", {{"why", std::string(4090, '.') + " 4242424242424242"}, {"more", std::string(200'000, 'y')}});
    CHECK_FALSE(lines.has("4242"));
    CHECK(lines.text.size() < 9'000);
}

TEST_CASE("redaction takes any bytes") {
    test::Random random;
    CAPTURE(random.seed);
    static constexpr std::string_view pieces[] = {"password", "=",    ":",     "\"", "'",      "\\",    "@", "a",
                                                  "%40",      "4242", "-",     " ",  "Bearer", "://",   "/", "\xFF",
                                                  "\xC3",     "9",    "token", "&",  "\n",     "cookie"};
    for (int round = 0; round < 20'000; ++round) {
        std::string text;
        for (auto count = random.between(0, 14); count > 0; --count)
            text += random.one_of(pieces);
        CAPTURE(text);
        const auto once = log::redacted(text);
        REQUIRE(once.size() <= text.size() * 10 + 16);
    }
}
