// Ed25519 by libsodium.
#include "pro/crypto/signature.hpp"

#include <array>

#include <sodium.h>

namespace svc::pro::crypto {
namespace {

template <std::size_t size>
bool decode(std::string_view base64, std::array<unsigned char, size>& bytes) {
    std::size_t length = 0;
    return sodium_base642bin(bytes.data(), bytes.size(), base64.data(), base64.size(), nullptr, &length, nullptr,
                             sodium_base64_VARIANT_ORIGINAL) == 0 &&
           length == size;
}

}  // namespace

bool is_signed(std::string_view text, std::string_view signature, std::string_view public_key) {
    std::array<unsigned char, crypto_sign_BYTES> proof{};
    std::array<unsigned char, crypto_sign_PUBLICKEYBYTES> key{};
    return decode(signature, proof) && decode(public_key, key) &&
           crypto_sign_verify_detached(proof.data(), reinterpret_cast<const unsigned char*>(text.data()), text.size(),
                                       key.data()) == 0;
}

}  // namespace svc::pro::crypto
