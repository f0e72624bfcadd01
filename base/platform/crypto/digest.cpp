// Digests and text forms of bytes, by OpenSSL's EVP.
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <sodium.h>

#include "base/platform/crypto/crypto.hpp"

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

EVP_MAC* hmac_method() {
    static const std::unique_ptr<EVP_MAC, decltype(&EVP_MAC_free)> method{EVP_MAC_fetch(nullptr, "HMAC", nullptr),
                                                                          &EVP_MAC_free};
    if (!method)
        throw std::runtime_error("OpenSSL offers no HMAC.");
    return method.get();
}

const unsigned char* bytes_of(std::string_view text) { return reinterpret_cast<const unsigned char*>(text.data()); }

}  // namespace

std::string sha256(std::string_view bytes) {
    std::string digest(32, '\0');
    unsigned length = 0;
    if (EVP_Digest(bytes.data(), bytes.size(), reinterpret_cast<unsigned char*>(digest.data()), &length,
                   sha256_method(), nullptr) != 1 ||
        length != digest.size())
        throw std::runtime_error("SHA-256 failed.");
    return digest;
}

std::string sha256_hex(std::string_view bytes) { return hex(sha256(bytes)); }

std::string hmac_sha256(std::string_view key, std::string_view bytes) {
    const std::unique_ptr<EVP_MAC_CTX, decltype(&EVP_MAC_CTX_free)> context{EVP_MAC_CTX_new(hmac_method()),
                                                                            &EVP_MAC_CTX_free};
    char name[] = "SHA256";
    const OSSL_PARAM params[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, name, 0),
                                 OSSL_PARAM_construct_end()};
    // A key of no bytes is legal for HMAC, but a null one means "keep the present key" to OpenSSL.
    static const unsigned char nothing = 0;
    const unsigned char* key_bytes = key.empty() ? &nothing : bytes_of(key);
    std::string digest(32, '\0');
    std::size_t length = 0;
    if (!context || EVP_MAC_init(context.get(), key_bytes, key.size(), params) != 1 ||
        EVP_MAC_update(context.get(), bytes_of(bytes), bytes.size()) != 1 ||
        EVP_MAC_final(context.get(), reinterpret_cast<unsigned char*>(digest.data()), &length, digest.size()) != 1 ||
        length != digest.size())
        throw std::runtime_error("HMAC-SHA-256 failed.");
    return digest;
}

std::string hex(std::string_view bytes) {
    static constexpr std::string_view digits = "0123456789abcdef";
    std::string text;
    text.reserve(bytes.size() * 2);
    for (const char c : bytes) {
        const auto byte = static_cast<unsigned char>(c);
        text += digits[byte >> 4U];
        text += digits[byte & 15U];
    }
    return text;
}

std::string base64(std::string_view bytes) {
    std::string text(sodium_base64_ENCODED_LEN(bytes.size(), sodium_base64_VARIANT_ORIGINAL), '\0');
    sodium_bin2base64(text.data(), text.size(), bytes_of(bytes), bytes.size(), sodium_base64_VARIANT_ORIGINAL);
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
        return Error{errc::bad_request, "The text is not base64."};
    bytes.resize(length);
    return bytes;
}

bool equal(std::string_view a, std::string_view b) {
    return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace svc::crypto
