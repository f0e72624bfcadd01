// Signatures of webhooks.
#include "pro/gateways/signature.hpp"

#include <algorithm>
#include <optional>

#include "pro/crypto/hmac.hpp"

namespace svc::pro::gateways {
namespace {

constexpr std::size_t longest_header = 4096, most_signatures = 16, longest_time = 12;
constexpr std::int64_t tolerance = 300;

Error rejected(const char* reason) { return Error(errc::webhook_rejected).because(reason); }

// Digits alone: neither sign nor blank nor exponent.
std::optional<std::int64_t> seconds_of(std::string_view text) {
    if (text.empty() || text.size() > longest_time)
        return {};
    std::int64_t seconds = 0;
    for (const char c : text) {
        if (c < '0' || c > '9')
            return {};
        seconds = seconds * 10 + (c - '0');
    }
    return seconds;
}

bool is_digest(std::string_view text) {
    return text.size() == 64 && std::all_of(text.begin(), text.end(),
                                            [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

struct Header {
    std::string_view time;
    std::vector<std::string_view> digests;
};

Result<Header> parsed(std::string_view header) {
    if (header.empty())
        return rejected("no signature");
    if (header.size() > longest_header)
        return rejected("signature header too long");
    Header found;
    bool timed = false;
    while (!header.empty()) {
        const auto end = std::min(header.find(','), header.size());
        const std::string_view part = header.substr(0, end);
        header.remove_prefix(std::min(end + 1, header.size()));
        if (part.starts_with("t=")) {
            if (timed)
                return rejected("two times");
            timed = true;
            found.time = part.substr(2);
        } else if (part.starts_with("v1=")) {
            found.digests.push_back(part.substr(3));
        }
    }
    if (found.digests.size() > most_signatures)
        return rejected("too many signatures");
    if (!timed)
        return rejected("no time");
    if (found.digests.empty())
        return rejected("no v1 signature");
    return found;
}

}  // namespace

std::vector<std::string> usable_secrets(const std::vector<std::string>& configured) {
    std::vector<std::string> usable;
    for (const std::string& secret : configured)
        if (secret.find_first_not_of(" \t\r\n") != std::string::npos)
            usable.push_back(secret);
    return usable;
}

Result<void> check_timed_signature(std::string_view header, std::string_view body,
                                   const std::vector<std::string>& secrets, Instant now) {
    const auto usable = usable_secrets(secrets);
    if (usable.empty())
        return rejected("no secret is configured");
    SVC_ASSIGN_OR_RETURN(const auto given, parsed(header));
    const auto seconds = seconds_of(given.time);
    if (!seconds)
        return rejected("malformed time");
    if (std::abs(now.seconds() - *seconds) > tolerance)
        return rejected("stale time");
    const std::string text = std::string(given.time) + "." + std::string(body);
    bool proven = false;  // compares all, so that the time does not reveal which one matches
    for (const std::string& secret : usable) {
        const std::string right = crypto::hmac_sha256_hex(secret, text);
        for (const std::string_view digest : given.digests)
            proven = (is_digest(digest) && crypto::equal(digest, right)) || proven;
    }
    return proven ? Result<void>{} : rejected("wrong signature");
}

Result<void> check_plain_signature(std::string_view header, std::string_view body,
                                   const std::vector<std::string>& secrets) {
    const auto usable = usable_secrets(secrets);
    if (usable.empty())
        return rejected("no secret is configured");
    if (!is_digest(header))
        return rejected(header.empty() ? "no signature" : "malformed signature");
    bool proven = false;
    for (const std::string& secret : usable)
        proven = crypto::equal(header, crypto::hmac_sha256_hex(secret, body)) || proven;
    return proven ? Result<void>{} : rejected("wrong signature");
}

}  // namespace svc::pro::gateways
