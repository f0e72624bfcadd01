// Randomness, digests, sealing and password hashing: the only folder that sees OpenSSL and libsodium.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

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

// The installation's keys: 32 bytes each in a file of mode 0400, the one in use first; the others still decrypt and
// verify until they are dropped. Derived keys are named, so that each purpose has its own. A changed file is read again
// within a tenth of a second, so keys change while servers run. Any thread.
class Keyring {
  public:
    using Key = std::array<unsigned char, 32>;

    // Makes the file when it is absent; refuses (std::runtime_error) other owners, wider modes or another length.
    static std::shared_ptr<const Keyring> open(const std::string& path);
    static std::shared_ptr<const Keyring> for_tests();

    // A fresh key joins the file as its last: it opens already, and nothing is sealed with it yet. Eight at most.
    static void add(const std::string& path);
    // The last key is the one in use from now on.
    static void use_last(const std::string& path);
    // Keeps only the current key; data sealed or signed by other keys is lost.
    static void drop_others(const std::string& path);

    // Seals with XChaCha20-Poly1305; `bound_to` (table, row, column) is authenticated, so rows cannot be swapped.
    // The answer is text: "v1.<key id>.<base64>".
    [[nodiscard]] std::string seal(std::string_view secret, std::string_view bound_to) const;
    [[nodiscard]] Result<std::string> open(std::string_view sealed, std::string_view bound_to) const;
    // HMAC-SHA256 with the key derived for `purpose`: nonces, signed links, application passwords.
    [[nodiscard]] std::string mac(std::string_view purpose, std::string_view bytes) const;

    // Whether `check` holds for one of the keys, called with a ring of each alone, the one in use first.
    [[nodiscard]] bool any(const std::function<bool(const Keyring&)>& check) const;
    // The beginning of values encrypted with the key in use: all others are to be encrypted again.
    [[nodiscard]] std::string prefix() const;
    // The value sealed with the key in use; nothing: it is so already, or opens with none.
    [[nodiscard]] std::optional<std::string> renewed(std::string_view sealed, std::string_view bound_to) const;

    explicit Keyring(const Key& key);
    Keyring(const std::vector<Key>& keys, std::string path);

  private:
    // A key with its derived keys: deriving them costs more than sealing a short text.
    struct Master {
        explicit Master(const Key& key);
        Key key;
        std::string id, sealing;
    };
    using Keys = std::shared_ptr<const std::vector<Master>>;
    [[nodiscard]] Keys keys() const;
    [[nodiscard]] Keys read_again() const;

    const std::string path_;  // empty: of no file
    mutable std::mutex mutex_;
    mutable Keys keys_;
    mutable std::int64_t changed_ = 0;              // the file's moment when it was read
    mutable std::atomic<std::int64_t> look_at_{0};  // when to check the file again
};

}  // namespace svc::crypto
