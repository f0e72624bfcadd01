// Digests and text forms of bytes.
#include <new>

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <sodium.h>

#include "base/platform/crypto/crypto.hpp"
#include "shared/core/ascii.hpp"

namespace svc::crypto {
namespace {

// Why fetched once: an implicit fetch per call costs more than the digest of a short text.
const EVP_MD* sha256_method() {
    static const std::unique_ptr<EVP_MD, decltype(&EVP_MD_free)> method{EVP_MD_fetch(nullptr, "SHA256", nullptr),
                                                                        &EVP_MD_free};
    if (!method)
        throw std::runtime_error("OpenSSL offers no SHA-256.");
    return method.get();
}

const unsigned char* octets_of(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

}  // namespace

std::string sha256(std::string_view bytes) {
    std::string digest(32, '\0');
    unsigned length = 0;
    if (EVP_Digest(bytes.data(), bytes.size(), reinterpret_cast<unsigned char*>(digest.data()), &length,
                   sha256_method(), nullptr) != 1 ||
        length != digest.size())
        throw std::bad_alloc();  // the method is there: nothing else can fail
    return digest;
}

std::string sha256_hex(std::string_view bytes) { return hex(sha256(bytes)); }

// OpenSSL's takes the time of several digests to begin one.
std::string hmac_sha256(std::string_view key, std::string_view bytes) {
    crypto_auth_hmacsha256_state state;
    std::string digest(crypto_auth_hmacsha256_BYTES, '\0');
    crypto_auth_hmacsha256_init(&state, octets_of(key), key.size());
    crypto_auth_hmacsha256_update(&state, octets_of(bytes), bytes.size());
    crypto_auth_hmacsha256_final(&state, reinterpret_cast<unsigned char*>(digest.data()));
    sodium_memzero(&state, sizeof state);
    return digest;
}

std::string hex(std::string_view bytes) { return ascii::hex(bytes); }

std::string base64(std::string_view bytes) {
    std::string text(sodium_base64_ENCODED_LEN(bytes.size(), sodium_base64_VARIANT_ORIGINAL), '\0');
    sodium_bin2base64(text.data(), text.size(), octets_of(bytes), bytes.size(), sodium_base64_VARIANT_ORIGINAL);
    text.pop_back();  // sodium ends it with a NUL
    return text;
}

Result<std::string> from_base64(std::string_view text) {
    std::string bytes(text.size() / 4 * 3 + 3, '\0');
    std::size_t length = 0;
    const char* end = nullptr;
    if (sodium_base642bin(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(), text.data(), text.size(),
                          nullptr, &length, &end, sodium_base64_VARIANT_ORIGINAL) != 0 ||
        end != text.data() + text.size())
        return Error{errc::bad_request, "The text is not base64."_sentence};
    bytes.resize(length);
    return bytes;
}

bool equal(std::string_view a, std::string_view b) {
    return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace svc::crypto
