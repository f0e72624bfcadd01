// Bearer tokens prove one thing about one subject for a while, and nothing else.
#include "base/people/identity/tokens.hpp"

#include "tests/base/people/identity/identity_site.hpp"

using namespace svc;
using namespace std::chrono_literals;
namespace tokens = identity::tokens;
using tests::each_site;
using tests::IdentitySite;

namespace {

std::string issue(IdentitySite& site, std::string_view purpose = "booking_guest", std::int64_t subject = 7) {
    return site.real
        ->transact<std::string>([&](store::Transaction& tx) -> Result<std::string> {
            return tokens::issue(tx, purpose, "booking", subject, site.clock.now(), 24h);
        })
        .value();
}

std::optional<identity::Token> find(IdentitySite& site, std::string_view secret,
                                    std::string_view purpose = "booking_guest", std::string_view type = "booking",
                                    std::int64_t subject = 7) {
    return site.real->reading<std::optional<identity::Token>>([&](store::Session& session) {
        return tokens::find(session, secret, purpose, type, subject, site.clock.now());
    });
}

void in_write(IdentitySite& site, const std::function<void(store::Transaction&)>& work) {
    REQUIRE(site.real->write([&](store::Transaction& tx) -> Result<void> {
        work(tx);
        return {};
    }));
}

}  // namespace

TEST_CASE("a token proves its own purpose and subject and nothing else") {
    each_site([](IdentitySite& site) {
        const auto secret = issue(site);
        const auto found = find(site, secret);
        REQUIRE(found);
        CHECK(found->subject_id == 7);
        CHECK(found->expires_at == site.clock.now().plus(24h));
        CHECK_FALSE(find(site, secret, "booking_guest", "booking", 8));
        CHECK_FALSE(find(site, secret, "booking_guest", "payment", 7));
        CHECK_FALSE(find(site, secret, "pay_link"));
        const auto changed = (secret[0] == 'A' ? "B" : "A") + secret.substr(1);
        for (const auto& wrong : {std::string(), secret.substr(0, 42), secret + "A", secret + std::string(1, '\0'),
                                  changed, crypto::sha256_hex(secret), std::string(43, '%')}) {
            CAPTURE(wrong);
            CHECK_FALSE(find(site, wrong));
        }
    });
}

TEST_CASE("a token ends on time, is renewed, and ends with all of its subject") {
    each_site([](IdentitySite& site) {
        const auto secret = issue(site), other = issue(site, "booking_guest", 8);
        site.clock.advance(24h - 1us);
        const auto found = find(site, secret);
        REQUIRE(found);
        site.clock.advance(1us);
        CHECK_FALSE(find(site, secret));
        in_write(site, [&](store::Transaction& tx) { tokens::renew(tx, found->id, site.clock.now().plus(48h)); });
        CHECK(find(site, secret));
        const auto third = issue(site, "pay_link", 7), eighth = issue(site, "booking_guest", 8);
        in_write(site, [&](store::Transaction& tx) { tokens::revoke_all(tx, "booking", 7, site.clock.now()); });
        CHECK_FALSE(find(site, secret));
        CHECK_FALSE(find(site, third, "pay_link"));
        CHECK(find(site, eighth, "booking_guest", "booking", 8));
        in_write(site, [&](store::Transaction& tx) {
            tokens::renew(tx, found->id, site.clock.now().plus(48h));  // what is revoked stays so
        });
        CHECK_FALSE(find(site, secret));
    });
}

TEST_CASE("a single-use token is used once") {
    each_site([](IdentitySite& site) {
        const auto secret = issue(site, "password_reset"), guest = issue(site);
        const auto found = find(site, secret, "password_reset").value();
        const auto booking = find(site, guest).value();
        in_write(site, [&](store::Transaction& tx) {
            CHECK(tokens::use(tx, found.id, site.clock.now()));
            CHECK_FALSE(tokens::use(tx, found.id, site.clock.now()));
            CHECK(tokens::use(tx, booking.id, site.clock.now()));
            CHECK(tokens::use(tx, booking.id, site.clock.now()));
        });
        CHECK_FALSE(find(site, secret, "password_reset"));
        CHECK(find(site, guest));
    });
}

TEST_CASE("only the hash of a token is stored, and long ended ones go") {
    each_site([](IdentitySite& site) {
        const auto secret = issue(site);
        const auto hash = site.real->reading<std::string>([](store::Session& session) {
            return session
                .first<std::string>("SELECT token_hash FROM svc_access_tokens", "t", {},
                                    [](const store::Row& row) { return row.text(0); })
                .value();
        });
        CHECK(hash == crypto::sha256_hex(secret));
        site.clock.advance(32 * 24h);
        CHECK(site.service.clean_up() == 1);
    });
}

TEST_CASE("guesses at tokens are 429 after thirty in a minute") {
    each_site([](IdentitySite& site) {
        int allowed = 0;
        for (int i = 0; i < 100; ++i)
            allowed += tokens::wrong_guess(site.limits, "203.0.113.9") ? 1 : 0;
        CHECK(allowed == 30);
        CHECK(tokens::wrong_guess(site.limits, "203.0.113.9").error().retry_after().value_or(0) > 0);
        CHECK(tokens::wrong_guess(site.limits, "198.51.100.1"));
    });
}
