// HMAC-SHA256 by libsodium.
#include "pro/crypto/hmac.hpp"

#include <array>

#include <sodium.h>

namespace svc::pro::crypto {
namespace {

const unsigned char* bytes_of(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

template <std::size_t size>
std::string hex(const std::array<unsigned char, size>& bytes) {
    std::string text(2 * size + 1, '\0');
    sodium_bin2hex(text.data(), text.size(), bytes.data(), bytes.size());
    text.pop_back();  // its NUL
    return text;
}

}  // namespace

std::string hmac_sha256_hex(std::string_view key, std::string_view text) {
    std::array<unsigned char, crypto_auth_hmacsha256_BYTES> digest{};
    crypto_auth_hmacsha256_state state;
    crypto_auth_hmacsha256_init(&state, bytes_of(key), key.size());
    crypto_auth_hmacsha256_update(&state, bytes_of(text), text.size());
    crypto_auth_hmacsha256_final(&state, digest.data());
    return hex(digest);
}

std::string sha256_hex(std::string_view text) {
    std::array<unsigned char, crypto_hash_sha256_BYTES> digest{};
    crypto_hash_sha256(digest.data(), bytes_of(text), text.size());
    return hex(digest);
}

bool equal(std::string_view a, std::string_view b) {
    return a.size() == b.size() && sodium_memcmp(a.data(), b.data(), a.size()) == 0;
}

std::string base64(std::string_view bytes) {
    std::string text(sodium_base64_encoded_len(bytes.size(), sodium_base64_VARIANT_ORIGINAL), '\0');
    sodium_bin2base64(text.data(), text.size(), bytes_of(bytes), bytes.size(), sodium_base64_VARIANT_ORIGINAL);
    text.pop_back();  // its NUL
    return text;
}

}  // namespace svc::pro::crypto
