// E-mails on the wire, as a real server takes them.
#include "base/platform/outbound/mail.hpp"

#include <array>
#include <future>

#include <doctest/doctest.h>

#include "tests/support/smtp_sink.hpp"
#include "tests/support/tiny_server.hpp"

using namespace svc;
using namespace svc::outbound;
using namespace std::chrono_literals;
using tests::SmtpSink;
using Encryption = SmtpSettings::Encryption;

namespace {

Mail sample() {
    return {.from_address = "office@example.org",
            .from_name = "Peaks & Pässe",
            .to = {"ada@example.org"},
            .cc = {"cc1@example.org", "cc2@example.org"},
            .bcc = {"hidden@example.org"},
            .reply_to = "reply@example.org",
            .subject = "Buchung bestätigt: नेपाल, 12 nights",
            .html = "<p>Grüße &amp; more</p>\n.\n<p>after a dot</p>",
            .text = "Grüße\n.\n" + std::string(2000, 'x') + "\nend",
            .message_id = "email-1.2@example.org",
            .date = Instant::parse("2026-11-20T13:39:05Z").value()};
}

SmtpSettings server(const SmtpSink& sink, Encryption encryption = Encryption::none) {
    return {.host = "127.0.0.1",
            .port = sink.port(),
            .username = {},
            .password = {},
            .encryption = encryption,
            .allowed = Allowed({sink.target()}),
            .timeout = 10s};
}

std::string header(const json::Value& mail, std::string_view name) {
    for (const auto& one : mail["headers"].items())
        if (one[0].text() == name)
            return one[1].text();
    return "no such header";
}

}  // namespace

TEST_CASE("an e-mail arrives as it was written: recipients, headers, both bodies") {
    const SmtpSink sink;
    REQUIRE(send(sample(), server(sink)));
    const auto mails = sink.mails();
    REQUIRE(mails.size() == 1);
    const auto& mail = mails[0];
    CHECK(mail["from"].text() == "office@example.org");
    CHECK(mail["to"].dump() == R"(["ada@example.org","cc1@example.org","cc2@example.org","hidden@example.org"])");
    CHECK(mail["subject"].text() == sample().subject);
    CHECK(mail["type"].text() == "multipart/alternative");
    CHECK(header(mail, "From") == "Peaks & Pässe <office@example.org>");
    CHECK(header(mail, "To") == "ada@example.org");
    CHECK(header(mail, "Cc") == "cc1@example.org, cc2@example.org");
    CHECK(header(mail, "Reply-To") == "reply@example.org");
    CHECK(header(mail, "Date") == "Fri, 20 Nov 2026 13:39:05 +0000");
    CHECK(header(mail, "Message-ID") == "<email-1.2@example.org>");
    CHECK(mail["raw"].text().find("hidden@example.org") == std::string::npos);
    CHECK(mail["html"].text().starts_with(sample().html));
    CHECK(mail["text"].text().starts_with(sample().text));
    // Lines of the wire: CRLF, none longer than allowed, ASCII throughout.
    const auto& raw = mail["raw"].text();
    std::size_t from = 0;
    for (auto end = raw.find('\n'); end != std::string::npos; from = end + 1, end = raw.find('\n', from)) {
        CHECK(raw[end - 1] == '\r');
        CHECK(end - from <= 998);
    }
    CHECK(std::all_of(raw.begin(), raw.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
}

TEST_CASE("mail programs are told where an e-mail is unsubscribed, whole and with one click") {
    const SmtpSink sink;
    REQUIRE(send(sample(), server(sink)));
    auto mail = sample();
    mail.unsubscribe_url = "https://example.org/svc/v1/email-unsubscribe/v1.a." + std::string(120, 'x');
    REQUIRE(send(mail, server(sink)));
    const auto mails = sink.mails();
    REQUIRE(mails.size() == 2);
    CHECK(header(mails[0], "List-Unsubscribe") == "no such header");
    CHECK(header(mails[1], "List-Unsubscribe") == "<" + mail.unsubscribe_url + ">");
    CHECK(header(mails[1], "List-Unsubscribe-Post") == "List-Unsubscribe=One-Click");
    mail.unsubscribe_url = "https://example.org/\r\nBcc: evil@example.org";
    CHECK_FALSE(send(mail, server(sink)));
}

TEST_CASE("nothing in a field becomes a header, a recipient or a command") {
    const SmtpSink sink;
    const std::vector<std::string> bad{"x\r\nBcc: evil@example.org", "x\nBcc: evil@example.org", "x\rBcc: y",
                                       std::string("x\0y", 3), "a@b>\r\nRCPT TO:<evil@example.org"};
    for (const auto& text : bad) {
        CAPTURE(text);
        for (auto field : {&Mail::subject, &Mail::from_name, &Mail::from_address, &Mail::reply_to, &Mail::message_id}) {
            auto mail = sample();
            mail.*field = text;
            const auto outcome = send(mail, server(sink));
            REQUIRE_FALSE(outcome);
            CHECK(outcome.error().code().name == "svc_validation_error");
        }
        for (auto list : {&Mail::to, &Mail::cc, &Mail::bcc}) {
            auto mail = sample();
            (mail.*list).push_back(text);
            const auto outcome = send(mail, server(sink));
            REQUIRE_FALSE(outcome);
            CHECK(outcome.error().code().name == "svc_validation_error");
        }
    }
    auto empty = sample();
    empty.to.clear();
    CHECK_FALSE(send(empty, server(sink)));
    CHECK(sink.mails().empty());
    auto body = sample();
    body.text = "x\r\n.\r\nMAIL FROM:<evil@example.org>\r\nRCPT TO:<evil@example.org>\r\nDATA\r\n";
    REQUIRE(send(body, server(sink)));
    const auto mails = sink.mails();
    REQUIRE(mails.size() == 1);
    CHECK(mails[0]["text"].text().find("MAIL FROM:<evil") != std::string::npos);
}

TEST_CASE("STARTTLS is used with a certificate that is checked, or nothing is sent") {
    const tests::TempDir folder;
    const SmtpSink sink({"--starttls", folder.path(), "--login", "user", "pass word"});
    auto settings = server(sink, Encryption::tls);
    settings.username = "user";
    settings.password = "pass word";
    // The system does not know this authority.
    const auto unknown = send(sample(), settings);
    REQUIRE_FALSE(unknown);
    CHECK(unknown.error().code().name == "svc_upstream_error");

    settings.ca_file = folder.file("ca.pem");
    REQUIRE(send(sample(), settings));
    auto mails = sink.mails();
    REQUIRE(mails.size() == 1);
    CHECK(mails[0]["tls"].boolean());
    CHECK(mails[0]["login"].boolean());

    settings.host = "localhost";  // the certificate is for 127.0.0.1
    settings.allowed = Allowed({"localhost:" + std::to_string(sink.port())});
    CHECK_FALSE(send(sample(), settings));
    settings = server(sink, Encryption::tls);
    settings.ca_file = folder.file("ca.pem");
    settings.username = "user";
    settings.password = "wrong";
    CHECK_FALSE(send(sample(), settings));
    CHECK(sink.mails().size() == 1);
}

TEST_CASE("a server without STARTTLS gets neither password nor mail when tls is asked for") {
    const SmtpSink sink;
    auto settings = server(sink, Encryption::tls);
    settings.username = "user";
    settings.password = "secret";
    const auto outcome = send(sample(), settings);
    REQUIRE_FALSE(outcome);
    CHECK(outcome.error().cause().find("secret") == std::string::npos);
    CHECK_FALSE(send(sample(), server(sink, Encryption::ssl)));
    CHECK(sink.mails().empty());
}

TEST_CASE("a mail server in the local network is used only when the operator allowed it") {
    const SmtpSink sink;
    auto settings = server(sink);
    settings.allowed = {};
    const auto outcome = send(sample(), settings);
    REQUIRE_FALSE(outcome);
    CHECK(outcome.error().cause() == "the address is not public");
    for (const char* host : {"", "a b", "127.0.0.1/x", "user@127.0.0.1", "x\r\ny"}) {
        CAPTURE(host);
        settings.host = host;
        CHECK_FALSE(send(sample(), settings));
    }
    CHECK(sink.mails().empty());
}

TEST_CASE("a refusal carries its code, and a server that is silent is left at the time-out") {
    const SmtpSink refuses({"--fail", "100"});
    const auto outcome = send(sample(), server(refuses));
    REQUIRE_FALSE(outcome);
    CHECK(outcome.error().cause().find("SMTP 451") != std::string::npos);

    tests::TinyServer silent([](tests::TinyServer::Line& line) { line.rest(60'000); });
    SmtpSettings settings{.host = "127.0.0.1", .port = silent.port(), .username = {}, .password = {}};
    settings.allowed = Allowed({silent.target()});
    settings.timeout = 300ms;
    const auto waited = send(sample(), settings);
    REQUIRE_FALSE(waited);
    CHECK(waited.error().cause() == "Timeout was reached");
}

TEST_CASE("a connection whose e-mail was not answered in time is neither used again nor taken leave of") {
    const SmtpSink hangs({"--hang", "100"});  // each e-mail once
    auto thread = std::async(std::launch::async, [&] {
        SmtpSettings impatient = server(hangs);
        impatient.timeout = 300ms;
        const auto waited = send(sample(), impatient);
        const auto again = send(sample(), server(hangs));
        auto other = sample();
        other.message_id = "another@example.org";
        const auto left = send(other, impatient);  // and the thread ends beside it
        return std::array{bool(waited), bool(again), bool(left)};
    });
    // libcurl by itself waits two minutes for the answer to its leave.
    REQUIRE(thread.wait_for(60s) == std::future_status::ready);
    CHECK(thread.get() == std::array{false, true, false});
    CHECK(hangs.mails().size() == 1);
}
