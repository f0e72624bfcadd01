// Signed links to an account's address, as mailed: nothing of them is at rest.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/platform/crypto/crypto.hpp"

namespace svc::identity {

// Names an account to the owner of another mailbox: a***@example.com.
std::string masked_address(std::string_view email);

// Pure functions, any thread.
struct AccountLink {
    std::int64_t user_id = 0, end = 0;  // the second in which it ends
    std::string digest;                 // of the account's state

    // v1.{user}.{end}.{digest}.{mac}. `purpose` separates kinds of links: one is never good for another.
    static std::string issue(const crypto::Keyring& keyring, std::string_view purpose, std::int64_t user_id,
                             std::int64_t end, std::string_view bound_to);
    // Empty for a text that was not signed for that purpose; the link may have expired.
    static std::optional<AccountLink> read(const crypto::Keyring& keyring, std::string_view purpose,
                                           std::string_view token);
    [[nodiscard]] bool is_bound_to(std::string_view text) const;
};

}  // namespace svc::identity
