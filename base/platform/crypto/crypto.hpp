// Randomness, digests, sealing and password hashing: the only folder that sees OpenSSL and libsodium.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "shared/core/result.hpp"

namespace svc::crypto {

// 32 random bytes as 43 URL-safe characters (base64url without padding).
std::string random_token();
// `length` characters of an alphabet without lookalikes, from the system's randomness.
std::string random_code(std::size_t length, std::string_view alphabet);
std::string random_bytes(std::size_t length);

std::string sha256(std::string_view bytes);                             // 32 raw bytes
std::string sha256_hex(std::string_view bytes);                         // 64 lower-case hex digits
std::string hmac_sha256(std::string_view key, std::string_view bytes);  // 32 raw bytes
std::string hex(std::string_view bytes);
std::string base64(std::string_view bytes);
Result<std::string> from_base64(std::string_view text);  // strict; padding required
// Constant time over equal lengths; different lengths are simply unequal.
bool equal(std::string_view a, std::string_view b);

// argon2id, 2 passes, 19 MiB; at most two hashes at a time in the process, others wait.
std::string hash_password(std::string_view password);
struct PasswordCheck {
    bool matches = false, needs_rehash = false;
};
PasswordCheck check_password(std::string_view password, std::string_view hash);
// The same work as a real check, for unknown users (S1, S21).
void waste_password_check(std::string_view password);

// The installation's key: 32 bytes in a file of mode 0400. Derived keys are named, so that one use never serves
// another. Any thread.
class Keyring {
  public:
    // Makes the file when it is absent; refuses (std::runtime_error) other owners, wider modes or another length.
    static std::shared_ptr<const Keyring> open(const std::string& path);
    static std::shared_ptr<const Keyring> for_tests();

    // Seals with XChaCha20-Poly1305; `bound_to` (table, row, column) is authenticated, so rows cannot be swapped.
    // The answer is text: "v1.<key id>.<base64>".
    [[nodiscard]] std::string seal(std::string_view secret, std::string_view bound_to) const;
    [[nodiscard]] Result<std::string> open(std::string_view sealed, std::string_view bound_to) const;
    // HMAC-SHA256 with the key derived for `purpose`: nonces, signed links, application passwords.
    [[nodiscard]] std::string mac(std::string_view purpose, std::string_view bytes) const;

    explicit Keyring(std::array<unsigned char, 32> key) : key_(key) {}

  private:
    std::array<unsigned char, 32> key_;
};

}  // namespace svc::crypto
