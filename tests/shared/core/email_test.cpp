// E-mail addresses as people paste them.
#include "shared/core/email.hpp"

#include <doctest/doctest.h>

#include "shared/core/text.hpp"

using namespace svc;

TEST_CASE("an address with an international domain is stored with the domain in ASCII") {
    CHECK(email_address("ada@müller.example") == "ada@xn--mller-kva.example");
    CHECK(email_address("ada@mu\u0308ller.example") == "ada@xn--mller-kva.example");  // the same, decomposed
    CHECK(email_address("ada@straße.example") == "ada@xn--strae-oqa.example");
    CHECK(email_address("ada@例え.テスト") == "ada@xn--r8jz45g.xn--zckzah");
    CHECK(email_address("ada@xn--mller-kva.example") == "ada@xn--mller-kva.example");
    CHECK_FALSE(email_address("ada@mül ler.example"));
    CHECK_FALSE(email_address("ada@-müller.example"));
    CHECK_FALSE(email_address("ada@müller"));
    CHECK_FALSE(email_address("ädä@example.org"));
    CHECK_FALSE(email_address("ada@a\u0661\u05D0.example"));  // directions mixed in a label
}

TEST_CASE("invisible characters in a pasted address are removed") {
    for (const char* pasted : {"\u200Bada@example.org", "ada@example.org\u200B", "\uFEFFada@example.org ",
                               "ada\u00AD@exam\u2060ple.org", "\u202Aada@example.org\u202C", "\u00A0ada@example.org\t"})
        CHECK(email_address(pasted) == "ada@example.org");
    CHECK_FALSE(email_address("\u200B"));
    CHECK_FALSE(email_address("ada @example.org"));
}

TEST_CASE("invisible characters are stripped from what is pasted as one word") {
    CHECK(text::strip_invisible("\u200BSUMMER\u200D10\uFEFF ") == "SUMMER10");
    CHECK(text::strip_invisible(" SUMMER10 ") == "SUMMER10");
    CHECK(text::strip_invisible("\u200E\u200F").empty());
    CHECK(text::strip_invisible("Zoë") == "Zoë");
}

TEST_CASE("a name that holds an address or a link is recognized, and initials are not one") {
    for (const char* name :
         {"evil.example", "Win at evil.com now", "https://evil.example/x", "www.evil", "eve@evil", "x.com/free",
          "Evil\u200B.COM", "sub.evil.travel/?a=b", "Ada (evil.io)", "evil\u3002com", "evil\uFF0Ecom", "Evil.Com",
          "EVIL.DE", "Evil.Zone/x", "WWW.evil", "evil\u2024com", "eve\uFF20evil", "\uFF45\uFF56\uFF49\uFF4C.com"})
        CHECK_MESSAGE(text::holds_address(name), name);
    for (const char* name : {"Ada Lovelace", "J. R. R. Tolkien", "J.R.R. Tolkien", "J.Smith", "St. John", "Ada, Jr.",
                             "O'Neil-Smith", "Dr. No", "José María", "李小龍", "Ph.D.", "A.", "Martin Luther King jr.",
                             "Ma.Teresa", "Ma.Teresa de la Cruz", "MA.TERESA", "St.John", "Ma.De Leon", "J.P.Morgan"})
        CHECK_MESSAGE(!text::holds_address(name), name);
}
