// Signing and reading of links to an account's address.
#include "base/people/identity/account_link.hpp"

#include <charconv>

#include "shared/core/text.hpp"

namespace svc::identity {
namespace {

std::string digest_of_link(std::string_view bound_to) { return crypto::sha256_hex(bound_to).substr(0, 16); }

std::string mac_of_link(const crypto::Keyring& keyring, std::string_view purpose, std::string_view signed_part) {
    return crypto::hex(keyring.mac(purpose, signed_part));
}

}  // namespace

std::string masked_address(std::string_view email) {
    const auto at = email.rfind('@');
    return at == std::string_view::npos
               ? "***"
               : std::string(text::first(email.substr(0, at), 1)) + "***" + std::string(email.substr(at));
}

std::string AccountLink::issue(const crypto::Keyring& keyring, std::string_view purpose, std::int64_t user_id,
                               std::int64_t end, std::string_view bound_to) {
    const std::string signed_part =
        "v1." + std::to_string(user_id) + "." + std::to_string(end) + "." + digest_of_link(bound_to);
    return signed_part + "." + mac_of_link(keyring, purpose, signed_part);
}

std::optional<AccountLink> AccountLink::read(const crypto::Keyring& keyring, std::string_view purpose,
                                             std::string_view token) {
    const auto last = token.rfind('.');
    if (last == std::string_view::npos || !keyring.any([&](const crypto::Keyring& one) {
            return crypto::equal(mac_of_link(one, purpose, token.substr(0, last)), token.substr(last + 1));
        }))
        return std::nullopt;
    // Ours: its parts are what we wrote.
    AccountLink link;
    const char* const end = token.data() + last;
    const auto user = std::from_chars(token.data() + 3, end, link.user_id);
    const auto until = std::from_chars(user.ptr + 1, end, link.end);
    link.digest.assign(until.ptr + 1, end);
    return link;
}

bool AccountLink::is_bound_to(std::string_view text) const { return crypto::equal(digest, digest_of_link(text)); }

}  // namespace svc::identity
