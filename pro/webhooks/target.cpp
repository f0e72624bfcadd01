// Reads the host of an address.
#include "pro/webhooks/target.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace svc::pro::webhooks {
namespace {

using Octets = std::array<int, 4>;

// Four numbers without leading zeros.
std::optional<Octets> octets_of(std::string_view host) {
    Octets octets{};
    for (std::size_t i = 0; i < octets.size(); ++i) {
        const auto end = i + 1 < octets.size() ? host.find('.') : host.size();
        if (end == std::string_view::npos || end == 0 || end > 3 || (end > 1 && host.front() == '0'))
            return std::nullopt;
        const auto [stopped, fault] = std::from_chars(host.data(), host.data() + end, octets[i]);
        if (fault != std::errc() || stopped != host.data() + end || octets[i] > 255)
            return std::nullopt;
        host.remove_prefix(std::min(end + 1, host.size()));
    }
    return octets;
}

bool is_local(const Octets& at) {
    return at[0] == 0 || at[0] == 10 || at[0] == 127 || (at[0] == 100 && at[1] >= 64 && at[1] < 128) ||
           (at[0] == 169 && at[1] == 254) || (at[0] == 172 && at[1] >= 16 && at[1] < 32) ||
           (at[0] == 192 && at[1] == 168);
}

bool is_local_name(std::string_view host) {
    constexpr std::array endings{".local", ".localhost", ".internal", ".lan", ".intranet", ".home.arpa"};
    return host.find('.') == std::string_view::npos ||
           std::any_of(endings.begin(), endings.end(), [&](const char* ending) { return host.ends_with(ending); });
}

struct Parts {
    std::string scheme, authority, host;
};

std::optional<Parts> parts_of(std::string_view url) {
    const auto colon = url.find("://");
    if (colon == std::string_view::npos ||
        std::any_of(url.begin(), url.end(), [](char c) { return c <= ' ' || c == 0x7f || c == '\\'; }))
        return std::nullopt;
    const auto lower = [](std::string_view text) {
        std::string out(text);
        std::transform(out.begin(), out.end(), out.begin(),
                       [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
        return out;
    };
    Parts parts{.scheme = lower(url.substr(0, colon)), .authority = {}, .host = {}};
    url.remove_prefix(colon + 3);
    parts.authority = lower(url.substr(0, url.find_first_of("/?#")));
    const std::string_view authority = parts.authority;
    const auto end = authority.starts_with('[') ? authority.find(']') + 1 : authority.find(':');
    parts.host = authority.substr(0, end);
    return parts.host.empty() || authority.find('@') != std::string_view::npos ? std::nullopt : std::optional(parts);
}

}  // namespace

Result<Place> place_of(std::string_view url) {
    const auto refuse = [](SentenceId sentence) { return invalid("url", sentence); };
    const auto parts = parts_of(url);
    if (!parts)
        return refuse("Enter a web address such as https://example.org/hook, without user name and password."_sentence);
    const std::string_view host = parts->host;
    const auto last = host.substr(host.rfind('.') + 1);  // npos + 1 is 0
    auto place = is_local_name(host) ? Place::local : Place::elsewhere;
    if (host.starts_with('[')) {
        if (host.find('.') != std::string_view::npos || host.starts_with("[::ffff"))
            return refuse("Enter a host name, or an IPv4 address as four numbers."_sentence);
        place = host.starts_with("[2") || host.starts_with("[3") ? Place::elsewhere : Place::local;
    } else if (!last.empty() && last.front() >= '0' && last.front() <= '9') {
        const auto octets = octets_of(host);
        if (!octets)
            return refuse("Enter a host name, or an IPv4 address as four numbers."_sentence);
        place = is_local(*octets) ? Place::local : Place::elsewhere;
    }
    if (parts->scheme != "https" && (parts->scheme != "http" || place != Place::local))
        return refuse("Enter an address that begins with https://."_sentence);
    return place;
}

std::string origin_of(std::string_view url) {
    const auto parts = parts_of(url);
    return parts ? parts->scheme + "://" + parts->authority : std::string();
}

}  // namespace svc::pro::webhooks
