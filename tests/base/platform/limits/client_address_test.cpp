// The client's address, when any client may write X-Forwarded-For.
#include "base/platform/limits/client_address.hpp"

#include <stdexcept>

#include <doctest/doctest.h>

using namespace svc::limits;

namespace {

const AddressSet& proxies() {
    static const AddressSet set({"127.0.0.1", "::1", "10.0.0.0/8", "fd00::/8"});
    return set;
}

std::string client(std::string_view peer, std::initializer_list<const char*> forwarded) {
    Headers headers{{"Host", "example.org"}};
    for (const char* each : forwarded)
        headers.emplace_back("x-forwarded-for", each);
    return client_address(peer, headers, proxies());
}

}  // namespace

TEST_CASE("an address has one spelling") {
    CHECK(Address::parse("192.0.2.1")->text() == "192.0.2.1");
    CHECK(Address::parse("::ffff:192.0.2.1")->text() == "192.0.2.1");
    CHECK(Address::parse("2001:0DB8:0:0:0:0:0:1")->text() == "2001:db8::1");
    CHECK(Address::parse("192.0.2.1:4711")->text() == "192.0.2.1");
    CHECK(Address::parse("[2001:db8::1]:443")->text() == "2001:db8::1");
    CHECK(Address::parse("[::1]")->text() == "::1");
    for (const char* bad : {"", "unknown", "_hidden", "1.2.3", "1.2.3.4.5", "01.2.3.4x", "1.2.3.4:", "1.2.3.4:port",
                            "1.2.3.4:123456", "[::1", "[::1]x", "::1%eth0", "0x7f.0.0.1", "2130706433", "1.2.3.4 "}) {
        CAPTURE(bad);
        CHECK_FALSE(Address::parse(bad));
    }
}

TEST_CASE("limits count IPv6 by the /64 a customer has") {
    CHECK(network_of("2001:db8:1:2:3:4:5:6") == network_of("2001:db8:1:2:ffff::1"));
    CHECK(network_of("2001:db8:1:2::1") != network_of("2001:db8:1:3::1"));
    CHECK(network_of("192.0.2.1") != network_of("192.0.2.2"));
    CHECK(network_of("::ffff:192.0.2.1") == "192.0.2.1");
    CHECK(network_of("unix") == "unix");
}

TEST_CASE("a block holds its addresses and no others") {
    const AddressSet set({"10.1.0.0/15", "192.0.2.7", "2001:db8::/33"});
    const auto has = [&](const char* text) { return set.contains(Address::parse(text).value()); };
    CHECK(has("10.0.0.1"));
    CHECK(has("10.1.255.255"));
    CHECK_FALSE(has("10.2.0.0"));
    CHECK(has("192.0.2.7"));
    CHECK_FALSE(has("192.0.2.6"));
    CHECK(has("2001:db8:7fff::1"));
    CHECK_FALSE(has("2001:db8:8000::1"));
    CHECK(AddressSet({"0.0.0.0/0"}).contains(Address::parse("203.0.113.9").value()));
    CHECK_FALSE(AddressSet({"0.0.0.0/0"}).contains(Address::parse("2001:db8::1").value()));
    CHECK_FALSE(AddressSet().contains(Address::parse("127.0.0.1").value()));
    for (const char* bad :
         {"", "host", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/x", "10.0.0.0/8/8", "::/129", "10.0.0.0/-1"}) {
        CAPTURE(bad);
        CHECK_THROWS_AS(AddressSet({bad}), std::invalid_argument);
    }
}

TEST_CASE("without a trusted proxy the peer is the client, whatever it claims") {
    CHECK(client("203.0.113.9", {}) == "203.0.113.9");
    CHECK(client("203.0.113.9", {"127.0.0.1"}) == "203.0.113.9");
    CHECK(client("203.0.113.9", {"198.51.100.1, 10.0.0.1"}) == "203.0.113.9");
    CHECK(client("::ffff:203.0.113.9", {}) == "203.0.113.9");
}

TEST_CASE("behind trusted proxies it is the first untrusted address from the right") {
    CHECK(client("127.0.0.1", {}) == "127.0.0.1");
    CHECK(client("127.0.0.1", {"198.51.100.1"}) == "198.51.100.1");
    CHECK(client("127.0.0.1", {"198.51.100.1, 10.2.3.4"}) == "198.51.100.1");
    CHECK(client("::1", {"198.51.100.1:5555 ,fd00::7"}) == "198.51.100.1");
    CHECK(client("127.0.0.1", {"10.0.0.1, 10.0.0.2"}) == "10.0.0.1");
}

TEST_CASE("forged entries on the left change nothing") {
    CHECK(client("127.0.0.1", {"1.1.1.1, 2.2.2.2, 198.51.100.1"}) == "198.51.100.1");
    CHECK(client("127.0.0.1", {"127.0.0.1, 198.51.100.1, 10.0.0.1"}) == "198.51.100.1");
    // The proxy appends a field of its own instead of extending the client's.
    CHECK(client("127.0.0.1", {"1.1.1.1", "198.51.100.1"}) == "198.51.100.1");
    CHECK(client("127.0.0.1", {"1.1.1.1,", "198.51.100.1"}) == "198.51.100.1");
}

TEST_CASE("an entry that is no address ends the search at the proxy that reported it") {
    CHECK(client("127.0.0.1", {"unknown"}) == "127.0.0.1");
    CHECK(client("127.0.0.1", {"198.51.100.1, unknown, 10.0.0.1"}) == "10.0.0.1");
    CHECK(client("127.0.0.1", {"198.51.100.1, , 10.0.0.1"}) == "10.0.0.1");
    CHECK(client("127.0.0.1", {""}) == "127.0.0.1");
}

TEST_CASE("https is believed from a trusted proxy alone") {
    const Headers headers{{"X-Forwarded-Proto", "HTTPS"}};
    CHECK(used_https("127.0.0.1", headers, proxies()));
    CHECK_FALSE(used_https("203.0.113.9", headers, proxies()));
    CHECK_FALSE(used_https("127.0.0.1", {{"X-Forwarded-Proto", "http"}}, proxies()));
    CHECK_FALSE(used_https("127.0.0.1", {}, proxies()));
}
