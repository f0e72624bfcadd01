// Header values of mails: encoded or refused, never split.
#include "base/platform/outbound/header.hpp"

#include <doctest/doctest.h>

using namespace svc;
using namespace svc::outbound;

TEST_CASE("plain texts stay as they are, others are encoded words of at most 75 characters") {
    CHECK(header_value("subject", "Your booking ABC-1").value() == "Your booking ABC-1");
    CHECK(header_value("subject", "").value().empty());
    CHECK(header_value("subject", "Caf\xc3\xa9 b").value() == "=?UTF-8?Q?Caf=C3=A9_b?=");
    CHECK(header_value("subject", "=?UTF-8?Q?x?=").value() != "=?UTF-8?Q?x?=");
    std::string nepal;
    for (int i = 0; i < 60; ++i)
        nepal += "\xe0\xa4\xa8";
    const auto folded = header_value("subject", nepal).value();
    std::size_t from = 0;
    int lines = 0;
    while (from < folded.size()) {
        const auto end = std::min(folded.find("\r\n ", from), folded.size());
        const auto word = folded.substr(from, end - from);
        CHECK(word.size() <= 75);
        CHECK(word.starts_with("=?UTF-8?Q?"));
        CHECK(word.ends_with("?="));
        CHECK((word.size() - 12) % 9 == 0);  // whole characters
        from = end + 3;
        ++lines;
    }
    CHECK(lines > 2);
}

TEST_CASE("a text that would split a header is refused, whatever field it comes in") {
    for (const std::string& bad :
         {std::string("a\r\nBcc: x@example.org"), std::string("a\nb"), std::string("a\rb"), std::string("a\0b", 3),
          std::string("a\x0b"), std::string("a\x7f"), std::string("\xff"), std::string("a\xc0\x8d\xc0\x8a")}) {
        CAPTURE(bad);
        CHECK_FALSE(header_value("subject", bad));
        CHECK_FALSE(mailbox("from", bad, "a@example.org"));
        CHECK_FALSE(mailbox("from", "Ada", bad));
    }
    // U+2028 ends lines for some readers: it goes encoded.
    CHECK(header_value("subject", "a\xe2\x80\xa8 b").value() == "=?UTF-8?Q?a=E2=80=A8_b?=");
    CHECK(header_value("subject", "a\r\n b").error().fields().front().field == "subject");
}

TEST_CASE("a name cannot leave its quotes") {
    CHECK(mailbox("from", "Ada", "a@example.org").value() == "\"Ada\" <a@example.org>");
    CHECK(mailbox("from", "", "a@example.org").value() == "a@example.org");
    CHECK(mailbox("from", "A\" <evil@example.org>, \"", "a@example.org").value() ==
          "\"A\\\" <evil@example.org>, \\\"\" <a@example.org>");
    CHECK(mailbox("from", "\\", "a@example.org").value() == "\"\\\\\" <a@example.org>");
    CHECK(mailbox("from", "J\xc3\xbcrgen <x@y.z>", "a@example.org").value() ==
          "=?UTF-8?Q?J=C3=BCrgen_=3Cx=40y=2Ez=3E?= <a@example.org>");
}

TEST_CASE("an address is a dot-atom at a domain") {
    for (const char* good :
         {"a@b", "ada.lovelace+trips@mail.example.org", "o'neil@example.co", "a_b@x-y.example", "1@1.example"})
        CHECK_MESSAGE(is_address(good), good);
    for (const char* bad : {"",
                            "@",
                            "a@",
                            "@b",
                            "a",
                            "a b@c",
                            "a@b c",
                            "a@b@c",
                            "<a@b>",
                            "a@b>",
                            "a,b@c",
                            "\"a\"@b",
                            "a@-b",
                            "a@b-",
                            "a@.b",
                            "a@b..c",
                            "a@b.",
                            ".a@b",
                            "a.@b",
                            "a..b@c",
                            "a@[127.0.0.1]",
                            "a@b_c",
                            "a\n@b",
                            "a@b\r\nRCPT TO:<c@d>",
                            "j\xc3\xbc@example.org",
                            "a@\xc3\xbc.example"})
        CHECK_MESSAGE(!is_address(bad), bad);
    CHECK_FALSE(is_address(std::string(65, 'a') + "@b"));
    CHECK_FALSE(is_address("a@" + std::string(64, 'b')));
}

TEST_CASE("a mail's date is in UTC, as RFC 5322 writes it") {
    CHECK(mail_date(Instant::parse("2026-11-20T13:39:05Z").value()) == "Fri, 20 Nov 2026 13:39:05 +0000");
    CHECK(mail_date(Instant::parse("2024-02-29T23:59:59.5Z").value()) == "Thu, 29 Feb 2024 23:59:59 +0000");
}
