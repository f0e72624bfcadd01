// The client's address behind the proxies that this installation trusts.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace svc::limits {

using Headers = std::vector<std::pair<std::string, std::string>>;

// Whether two field names are the same, compared without ASCII case.
bool same_name(std::string_view a, std::string_view b);
// The first value of that field; null when absent.
const std::string* header_of(const Headers& headers, std::string_view name);

// An IPv4 or IPv6 address. IPv4 written as IPv6 (::ffff:192.0.2.1) is that IPv4 address, so one host has one name.
class Address {
  public:
    // "192.0.2.1", "2001:db8::1", "[2001:db8::1]", each also with ":port" where that is unambiguous. Nothing else.
    static std::optional<Address> parse(std::string_view text);

    [[nodiscard]] std::string text() const;  // the shortest usual form
    // The key of limits: the address itself, for IPv6 its /64, since one customer of a provider has a whole one.
    [[nodiscard]] std::string network() const;
    [[nodiscard]] bool is_v4() const;
    [[nodiscard]] const std::array<std::uint8_t, 16>& bytes() const { return bytes_; }

    friend bool operator==(const Address&, const Address&) = default;

  private:
    explicit Address(const std::array<std::uint8_t, 16>& bytes) : bytes_(bytes) {}
    std::array<std::uint8_t, 16> bytes_;
};

// A set of addresses and CIDR blocks: "127.0.0.1", "10.0.0.0/8", "fd00::/8".
class AddressSet {
  public:
    AddressSet() = default;
    // Throws std::invalid_argument naming the entry that is neither.
    explicit AddressSet(const std::vector<std::string>& entries);
    [[nodiscard]] bool contains(const Address& address) const;

  private:
    struct Block {
        std::array<std::uint8_t, 16> bytes;
        unsigned bits;
    };
    std::vector<Block> blocks_;
};

// The client's address: the peer, or for a trusted proxy the first address from the right of X-Forwarded-For that is
// not one. Clients can forge entries further left. An invalid entry ends the search at the proxy that reported it. A
// `peer` that is no address is returned unchanged.
std::string client_address(std::string_view peer, const Headers& headers, const AddressSet& trusted);

// Whether the client used TLS, as a trusted proxy reports in X-Forwarded-Proto.
bool used_https(std::string_view peer, const Headers& headers, const AddressSet& trusted);

// Address::network of a text, or the text itself when it is no address.
std::string network_of(std::string_view address);

}  // namespace svc::limits
