// Signers by their certificates: whose they are, whether anybody vouches for them, what they signed.
#include "base/platform/crypto/certificate.hpp"

#include <doctest/doctest.h>

#include "tests/support/certificates.hpp"

using namespace svc;
using namespace svc::tests;

namespace {

const Instant certified_at = Instant::parse("2026-11-20T12:00:00Z").value();

std::string cause_of(const Result<crypto::Signer>& signer) { return signer ? "" : signer.error().cause(); }

}  // namespace

TEST_CASE("a signature holds by the certificate's key, for the bytes that were signed") {
    const Authority authority(certified_at);
    const Certified paypal = certified({}, &authority.root, certified_at),
                    other = certified({}, &authority.root, certified_at);
    const auto signer = crypto::Signer::from_pem(paypal.pem(), authority.path, certified_at);
    REQUIRE(signer);
    CHECK(signer->not_after() == certified_at.plus(std::chrono::hours(120)));
    CHECK(signer->signed_sha256("a|b|c|1", paypal.sign("a|b|c|1")));
    CHECK_FALSE(signer->signed_sha256("a|b|c|2", paypal.sign("a|b|c|1")));
    CHECK_FALSE(signer->signed_sha256("a|b|c|1", other.sign("a|b|c|1")));
    for (const char* rubbish : {"", "x", "\0\0\0\0"})
        CHECK_FALSE(signer->signed_sha256("a|b|c|1", rubbish));
}

TEST_CASE("a certificate counts while it is valid and comes from a trusted root, in between by others of its file") {
    const Authority authority(certified_at), stranger(certified_at);
    const Certified between = certified({.name = "between", .is_authority = true}, &authority.root, certified_at);
    const Certified direct = certified({}, &authority.root, certified_at), deep = certified({}, &between, certified_at);
    const auto read = [&](const std::string& pem, Instant now) {
        return crypto::Signer::from_pem(pem, authority.path, now);
    };
    CHECK(read(direct.pem(), certified_at));
    CHECK(read(deep.pem() + between.pem(), certified_at));
    CHECK(cause_of(read(deep.pem(), certified_at)).find("issuer") != std::string::npos);
    CHECK(cause_of(read(direct.pem(), certified_at.plus(std::chrono::hours(24 * 6)))).find("expired") !=
          std::string::npos);
    CHECK(cause_of(read(direct.pem(), certified_at.minus(std::chrono::hours(24 * 6)))).find("not yet valid") !=
          std::string::npos);
    CHECK_FALSE(crypto::Signer::from_pem(direct.pem(), stranger.path, certified_at));
    CHECK_FALSE(crypto::Signer::from_pem(direct.pem(), "", certified_at));  // the system does not know this authority
    CHECK_FALSE(crypto::Signer::from_pem(direct.pem(), "/nowhere", certified_at));
    CHECK_FALSE(read(certified({}, nullptr, certified_at).pem(), certified_at));                 // vouches for itself
    CHECK_FALSE(read(certified({}, &direct, certified_at).pem() + direct.pem(), certified_at));  // by no authority
    CHECK_FALSE(read(certified({.bits = 1024}, &authority.root, certified_at).pem(), certified_at));
    for (const char* rubbish : {"", "x", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"})
        CHECK(cause_of(read(rubbish, certified_at)) == "certificate: there is none");
}

TEST_CASE("a certificate is of a domain when each of its names is") {
    const Authority authority(certified_at);
    const auto is_of = [&](const Wanted& wanted) {
        const auto pem = certified(wanted, &authority.root, certified_at).pem();
        return crypto::Signer::from_pem(pem, authority.path, certified_at)->is_of("paypal.com");
    };
    CHECK(is_of({.name = "paypal.com"}));
    CHECK(is_of({.name = "MessageVerificationCerts.PayPal.com"}));
    CHECK_FALSE(is_of({.name = "notpaypal.com"}));
    CHECK_FALSE(is_of({.name = "paypal.com.evil.example"}));
    CHECK_FALSE(is_of({.name = "evil.example/.paypal.com"}));
    CHECK(is_of({.name = "anything", .alternatives = "DNS:a.paypal.com,DNS:b.paypal.com"}));
    CHECK_FALSE(is_of({.alternatives = "DNS:a.paypal.com,DNS:evil.example"}));
    CHECK_FALSE(is_of({.alternatives = "DNS:evil.example"}));
}
