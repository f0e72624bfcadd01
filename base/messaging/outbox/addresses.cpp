// Parses and joins lists of addresses.
#include "base/messaging/outbox/addresses.hpp"

#include <algorithm>
#include <cctype>

#include "base/platform/outbound/header.hpp"

namespace svc::messaging {

bool contains_address(const std::vector<std::string>& addresses, std::string_view one) {
    return std::any_of(addresses.begin(), addresses.end(), [&](const std::string& other) {
        return std::equal(other.begin(), other.end(), one.begin(), one.end(),
                          [](unsigned char a, unsigned char b) { return std::tolower(a) == std::tolower(b); });
    });
}

std::vector<std::string> addresses_of(std::string_view list) {
    std::vector<std::string> all;
    while (!list.empty()) {
        const auto end = std::min(list.find_first_of(",;"), list.size());
        auto one = list.substr(0, end);
        list.remove_prefix(std::min(end + 1, list.size()));
        const auto from = one.find_first_not_of(" \t");
        if (from == std::string_view::npos)
            continue;
        one = one.substr(from, one.find_last_not_of(" \t") - from + 1);
        if (outbound::is_address(one) && !contains_address(all, one))
            all.emplace_back(one);
    }
    return all;
}

std::string joined_addresses(const std::vector<std::string>& addresses) {
    std::string all;
    for (const auto& each : addresses)
        all += (all.empty() ? "" : ",") + each;
    return all;
}

}  // namespace svc::messaging
