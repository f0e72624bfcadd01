// The signatures of webhooks: every vector of ours, each accepted or refused as it must be.
#include <doctest/doctest.h>

#include "pro/crypto/hmac.hpp"
#include "pro/gateways/signature.hpp"

using namespace svc;
using namespace svc::pro;

namespace {

const std::string body = R"({"id":"evt_1","type":"payment_intent.succeeded"})";
const std::string old_secret = "whsec_test_old", new_secret = "whsec_test_new";
const std::string by_old = "a627c8c4fba6e7c47370656c35b5dd226c960772a49384381369ecd74a0362b5";
const std::string by_new = "f77ac176f9122d971b4c0dc1766a7758531dbacfcef295b352ed216657790959";
const std::string by_none = "843538567df5ab7979a6323dc8b77b8b433cab1f52fddeb9448144da57546c56";
constexpr std::int64_t moment = 1'700'000'000;
const std::string t = "t=1700000000";

bool accepts(const std::string& header, const std::vector<std::string>& secrets = {new_secret},
             std::int64_t now = moment, const std::string& text = body) {
    const auto checked = gateways::check_timed_signature(header, text, secrets, Instant::from_micros(now * 1'000'000));
    if (!checked) {
        CHECK(checked.error().code().name == "svc_webhook_rejected");
        CHECK(checked.error().message() == errc::webhook_rejected.sentence);  // the reason is for the log alone
        CHECK_FALSE(checked.error().cause().empty());
    }
    return static_cast<bool>(checked);
}

}  // namespace

TEST_CASE("the vectors' digests are those of HMAC-SHA256") {
    REQUIRE(body.size() == 48);
    CHECK(crypto::hmac_sha256_hex(old_secret, "1700000000." + body) == by_old);
    CHECK(crypto::hmac_sha256_hex(new_secret, "1700000000." + body) == by_new);
    CHECK(crypto::hmac_sha256_hex("", "1700000000." + body) == by_none);
}

TEST_CASE("a signature by the present secret is accepted, in any order and beside others") {
    CHECK(accepts(t + ",v1=" + by_new));
    CHECK(accepts("v1=" + by_new + "," + t));
    CHECK(accepts(t + ",v1=" + by_old + ",v1=" + by_new));
    CHECK(accepts(t + ",v1=" + by_new + ",v1=" + by_old));
    CHECK(accepts(t + ",v0=x,v1=" + by_new));
}

TEST_CASE("a secret that was replaced counts until it is retired") {
    CHECK(accepts(t + ",v1=" + by_old, {new_secret, old_secret}));
    CHECK_FALSE(accepts(t + ",v1=" + by_old, {new_secret, ""}));
    CHECK_FALSE(accepts(t + ",v1=" + by_old));
}

TEST_CASE("a header without a time or a v1 signature is refused") {
    CHECK_FALSE(accepts(t + ",v0=" + by_new));
    CHECK_FALSE(accepts(t));
    CHECK_FALSE(accepts("v1=" + by_new));
    CHECK_FALSE(accepts(""));
    CHECK_FALSE(accepts(","));
}

TEST_CASE("an event is taken within 300 seconds either way and not one more") {
    const std::string header = t + ",v1=" + by_new;
    CHECK(accepts(header, {new_secret}, moment + 300));
    CHECK(accepts(header, {new_secret}, moment - 300));
    CHECK_FALSE(accepts(header, {new_secret}, moment + 301));
    CHECK_FALSE(accepts(header, {new_secret}, moment - 301));
}

TEST_CASE("an altered or malformed time is refused") {
    for (const char* time : {"t=1700000001", "t=1700000000,t=1700000000", "t=1700000000,t=1700000001", "t=-1", "t=1e9",
                             "t=17000000000000000000", "t= 1700000000", "t=1700000000 ", "t=+1700000000",
                             "t=", "t=0x6553F100", "T=1700000000"}) {
        CAPTURE(std::string(time));
        CHECK_FALSE(accepts(std::string(time) + ",v1=" + by_new));
    }
}

TEST_CASE("a signature of another length or alphabet is refused") {
    std::string no_hex = by_new;
    no_hex[10] = 'g';
    for (const std::string& digest :
         {by_new.substr(0, 63), by_new + "0", no_hex, std::string(), " " + by_new.substr(1)}) {
        CAPTURE(digest);
        CHECK_FALSE(accepts(t + ",v1=" + digest));
    }
}

TEST_CASE("a body that differs by a byte is refused") {
    const std::string header = t + ",v1=" + by_new;
    for (const std::string& text :
         {std::string(R"({"id":"evt_2","type":"payment_intent.succeeded"})"),
          std::string(R"({"id": "evt_1", "type": "payment_intent.succeeded"})"), body + "\n", std::string()})
        CHECK_FALSE(accepts(header, {new_secret}, moment, text));
}

TEST_CASE("more than 16 signatures and headers over 4 KB are refused before anything is hashed") {
    std::string many = t, sixteen = t;
    for (int i = 0; i < 16; ++i)
        many += ",v1=" + by_old;
    for (int i = 0; i < 15; ++i)
        sixteen += ",v1=" + by_old;
    CHECK(accepts(sixteen + ",v1=" + by_new));
    CHECK_FALSE(accepts(many + ",v1=" + by_new));
    CHECK_FALSE(accepts(t + ",v1=" + by_new + ",x=" + std::string(5000, 'x')));
}

TEST_CASE("without a secret every event is refused, whatever it is signed with") {
    for (const std::vector<std::string>& secrets : {std::vector<std::string>{}, {""}, {" \t\r\n"}, {"", "  "}})
        for (const std::string& digest : {by_none, by_new, by_old})
            CHECK_FALSE(accepts(t + ",v1=" + digest, secrets));
}

TEST_CASE("a signature over the body alone is proven by either secret and nothing else") {
    const auto plain = [](const std::string& header, const std::vector<std::string>& secrets) {
        return static_cast<bool>(gateways::check_plain_signature(header, body, secrets));
    };
    const std::string right = crypto::hmac_sha256_hex("one", body);
    CHECK(plain(right, {"one"}));
    CHECK(plain(right, {"two", "one"}));
    CHECK_FALSE(plain(right, {"two"}));
    CHECK_FALSE(plain(right, {""}));
    CHECK_FALSE(plain("", {"one"}));
    CHECK_FALSE(plain(right + "0", {"one"}));
    CHECK_FALSE(plain(crypto::hmac_sha256_hex("", body), {"", " "}));
}
