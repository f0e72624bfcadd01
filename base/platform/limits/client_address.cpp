// Addresses, blocks of them, and the walk along X-Forwarded-For.
#include "base/platform/limits/client_address.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <charconv>
#include <stdexcept>

#include "shared/core/ascii.hpp"

namespace svc::limits {
namespace {

constexpr std::array<std::uint8_t, 12> v4_prefix{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};

bool is_port(std::string_view text) {
    return !text.empty() && text.size() <= 5 &&
           std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// The address without brackets and port; empty when they are malformed.
std::string_view without_port(std::string_view text) {
    if (text.starts_with('[')) {
        const auto end = text.find(']');
        if (end == std::string_view::npos)
            return {};
        const auto rest = text.substr(end + 1);
        if (!rest.empty() && (rest.front() != ':' || !is_port(rest.substr(1))))
            return {};
        return text.substr(1, end - 1);
    }
    const auto colon = text.find(':');
    if (colon != std::string_view::npos && text.find(':', colon + 1) == std::string_view::npos)
        return is_port(text.substr(colon + 1)) ? text.substr(0, colon) : std::string_view{};
    return text;
}

// All X-Forwarded-For entries, leftmost first; several fields are one list.
std::vector<std::string_view> forwarded_for(const Headers& headers) {
    std::vector<std::string_view> entries;
    for (const auto& [name, value] : headers) {
        if (!same_name(name, "X-Forwarded-For"))
            continue;
        std::string_view rest = value;
        for (bool more = true; more;) {
            const auto comma = rest.find(',');
            more = comma != std::string_view::npos;
            entries.push_back(ascii::trimmed(rest.substr(0, comma)));
            if (more)
                rest.remove_prefix(comma + 1);
        }
    }
    return entries;
}

}  // namespace

bool same_name(std::string_view a, std::string_view b) {
    return a.size() == b.size() &&
           std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) { return ascii::lower(x) == ascii::lower(y); });
}

const std::string* header_of(const Headers& headers, std::string_view name) {
    for (const auto& [field, value] : headers)
        if (same_name(field, name))
            return &value;
    return nullptr;
}

std::optional<Address> Address::parse(std::string_view text) {
    const std::string bare(without_port(text));
    if (bare.empty() || bare.size() > INET6_ADDRSTRLEN || bare.find('\0') != std::string::npos)
        return std::nullopt;
    std::array<std::uint8_t, 16> bytes{};
    if (bare.find(':') != std::string::npos && ::inet_pton(AF_INET6, bare.c_str(), bytes.data()) == 1)
        return Address(bytes);
    std::copy(v4_prefix.begin(), v4_prefix.end(), bytes.begin());
    if (::inet_pton(AF_INET, bare.c_str(), bytes.data() + v4_prefix.size()) == 1)
        return Address(bytes);
    return std::nullopt;
}

bool Address::is_v4() const { return std::equal(v4_prefix.begin(), v4_prefix.end(), bytes_.begin()); }

std::string Address::text() const {
    std::array<char, INET6_ADDRSTRLEN> text{};
    if (!is_v4())
        return ::inet_ntop(AF_INET6, bytes_.data(), text.data(), text.size());
    char* end = text.data();
    for (auto at = v4_prefix.size(); at < bytes_.size(); ++at) {  // faster than inet_ntop, which uses printf
        if (end != text.data())
            *end++ = '.';
        end = std::to_chars(end, text.data() + text.size(), bytes_[at]).ptr;
    }
    return {text.data(), end};
}

std::string Address::network() const {
    if (is_v4())
        return text();
    auto bytes = bytes_;
    std::fill(bytes.begin() + 8, bytes.end(), std::uint8_t{0});
    return Address(bytes).text() + "/64";
}

AddressSet::AddressSet(const std::vector<std::string>& entries) {
    for (const auto& entry : entries) {
        const auto slash = entry.find('/');
        const auto address = Address::parse(std::string_view(entry).substr(0, slash));
        unsigned bits = 128;
        bool good = address.has_value();
        if (good && slash != std::string::npos) {
            const char* end = entry.data() + entry.size();
            const auto read = std::from_chars(entry.data() + slash + 1, end, bits);
            good = read.ec == std::errc() && read.ptr == end && bits <= (address->is_v4() ? 32U : 128U);
            if (good && address->is_v4())
                bits += 96;
        }
        if (!good)
            throw std::invalid_argument("\"" + entry + "\" is neither an address nor a block of addresses.");
        blocks_.push_back({address->bytes(), bits});
    }
}

bool AddressSet::contains(const Address& address) const {
    return std::any_of(blocks_.begin(), blocks_.end(), [&](const Block& block) {
        const auto whole = static_cast<std::ptrdiff_t>(block.bits / 8);
        if (!std::equal(block.bytes.begin(), block.bytes.begin() + whole, address.bytes().begin()))
            return false;
        const unsigned rest = block.bits % 8;
        if (rest == 0)
            return true;
        const auto at = static_cast<std::size_t>(whole);
        return (block.bytes[at] >> (8 - rest)) == (address.bytes()[at] >> (8 - rest));
    });
}

std::string client_address(std::string_view peer, const Headers& headers, const AddressSet& trusted) {
    auto known = Address::parse(peer);
    if (!known)
        return std::string(peer);
    const auto entries = forwarded_for(headers);
    for (auto entry = entries.rbegin(); entry != entries.rend() && trusted.contains(*known); ++entry) {
        const auto next = Address::parse(*entry);
        if (!next)
            break;
        known = next;
    }
    return known->text();
}

bool used_https(std::string_view peer, const Headers& headers, const AddressSet& trusted) {
    const auto address = Address::parse(peer);
    const std::string* scheme = header_of(headers, "X-Forwarded-Proto");
    return address && scheme && trusted.contains(*address) && same_name(*scheme, "https");
}

std::string network_of(std::string_view address) {
    const auto parsed = Address::parse(address);
    return parsed ? parsed->network() : std::string(address);
}

}  // namespace svc::limits
