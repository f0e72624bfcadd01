// HMAC-SHA256 and random bytes by libsodium.
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

using Digest = std::array<unsigned char, crypto_auth_hmacsha256_BYTES>;

Digest hmac_of(std::string_view key, std::string_view text) {
    Digest digest{};
    crypto_auth_hmacsha256_state state;
    crypto_auth_hmacsha256_init(&state, bytes_of(key), key.size());
    crypto_auth_hmacsha256_update(&state, bytes_of(text), text.size());
    crypto_auth_hmacsha256_final(&state, digest.data());
    return digest;
}

}  // namespace

std::string hmac_sha256(std::string_view key, std::string_view text) {
    const Digest digest = hmac_of(key, text);
    return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

std::string hmac_sha256_hex(std::string_view key, std::string_view text) { return hex(hmac_of(key, text)); }

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

std::optional<std::string> from_base64(std::string_view text) {
    std::string bytes(text.size(), '\0');
    std::size_t size = 0;
    const char* end = nullptr;
    if (sodium_base642bin(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(), text.data(), text.size(),
                          nullptr, &size, &end, sodium_base64_VARIANT_ORIGINAL) != 0 ||
        end != text.data() + text.size())
        return std::nullopt;
    bytes.resize(size);
    return bytes;
}

std::string random_bytes(std::size_t count) {
    std::string bytes(count, '\0');
    randombytes_buf(bytes.data(), bytes.size());
    return bytes;
}

std::string random_hex(std::size_t count) {
    const std::string bytes = random_bytes(count);
    std::string text(2 * count + 1, '\0');
    sodium_bin2hex(text.data(), text.size(), bytes_of(bytes), bytes.size());
    text.pop_back();  // its NUL
    return text;
}

}  // namespace svc::pro::crypto
