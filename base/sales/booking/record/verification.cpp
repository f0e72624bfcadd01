// v1.{booking}.{end}.{digest of the address}.{mac}
#include "base/sales/booking/record/verification.hpp"

#include <algorithm>
#include <charconv>
#include <vector>

#include "base/sales/booking/record/hooks.hpp"
#include "base/sales/booking/record/pay_link.hpp"

namespace svc::booking {
namespace {

constexpr std::int64_t two_days = 172'800, longest = 30 * 86'400;

std::vector<std::string_view> parts_of(std::string_view token) {
    std::vector<std::string_view> parts;
    while (parts.size() < 6) {
        const auto end = token.find('.');
        parts.push_back(token.substr(0, end));
        if (end == std::string_view::npos)
            break;
        token.remove_prefix(end + 1);
    }
    return parts;
}

std::int64_t number_of(std::string_view text) {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? number : 0;
}

std::string mac_of(const crypto::Keyring& keyring, const std::string& signed_part) {
    return crypto::hex(keyring.mac("guest_verify", signed_part));
}

}  // namespace

std::chrono::seconds Verification::lifetime(const hooks::Hooks& hooks, std::int64_t booking_id) {
    const auto answer = hooks.apply(verification_ttl, two_days, {booking_id});
    return std::chrono::seconds(answer.is_number() ? std::clamp<std::int64_t>(answer.integer(), 60, longest)
                                                   : two_days);
}

std::string Verification::token(std::int64_t booking_id, std::string_view email, Instant made_at) const {
    const std::int64_t seconds = lifetime(hooks_, booking_id).count();
    const std::string signed_part = "v1." + std::to_string(booking_id) + "." +
                                    std::to_string(made_at.seconds() + seconds) + "." + address_digest(email);
    return signed_part + "." + mac_of(keyring_, signed_part);
}

Result<Verification::Proof> Verification::read(std::string_view token, Instant now) const {
    const auto parts = parts_of(token);
    if (parts.size() != 5 || parts[0] != "v1")
        return errc::malformed_token;
    const std::string signed_part(token.substr(0, token.rfind('.')));
    if (!keyring_.any([&](const crypto::Keyring& one) { return crypto::equal(mac_of(one, signed_part), parts[4]); }))
        return errc::invalid_signature;
    return Proof{number_of(parts[1]), std::string(parts[3]), number_of(parts[2]) <= now.seconds()};
}

}  // namespace svc::booking
