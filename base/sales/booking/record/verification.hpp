// Links by which guests prove that a booking's address is theirs: signed, nothing of them at rest.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/platform/crypto/crypto.hpp"
#include "shared/core/date.hpp"
#include "shared/core/result.hpp"
#include "shared/hooks/hooks.hpp"

namespace svc::booking {

// Any thread.
class Verification {
  public:
    Verification(const crypto::Keyring& keyring, const hooks::Hooks& hooks) : keyring_(keyring), hooks_(hooks) {}

    // How long a link is valid, and a guest's seats are held without verification.
    [[nodiscard]] static std::chrono::seconds lifetime(const hooks::Hooks& hooks, std::int64_t booking_id);
    // For that booking's present address, from when it was made.
    [[nodiscard]] std::string token(std::int64_t booking_id, std::string_view email, Instant made_at) const;
    struct Proof {
        std::int64_t booking_id = 0;
        std::string digest;    // of the address
        bool is_late = false;  // its time is over
    };
    // malformed_token, or invalid_signature for a text that this installation did not sign.
    [[nodiscard]] Result<Proof> read(std::string_view token, Instant now) const;

  private:
    const crypto::Keyring& keyring_;
    const hooks::Hooks& hooks_;
};

}  // namespace svc::booking
