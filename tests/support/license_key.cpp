// A key pair made of a fixed seed, and what the two sides do with its halves.
#include "tests/support/license_key.hpp"

#include <array>
#include <atomic>

#include <sodium.h>

#include "pro/license/public_key.hpp"

namespace svc {
namespace {

struct KeyPair {
    std::array<unsigned char, crypto_sign_PUBLICKEYBYTES> shown{};
    std::array<unsigned char, crypto_sign_SECRETKEYBYTES> secret{};
    KeyPair() {
        std::array<unsigned char, crypto_sign_SEEDBYTES> seed{};
        seed.fill('t');
        crypto_sign_seed_keypair(shown.data(), secret.data(), seed.data());
    }
};

const KeyPair& keys() {
    static const KeyPair pair;
    return pair;
}

template <std::size_t size>
std::string base64(const std::array<unsigned char, size>& bytes) {
    std::string text(sodium_base64_encoded_len(size, sodium_base64_VARIANT_ORIGINAL), '\0');
    sodium_bin2base64(text.data(), text.size(), bytes.data(), size, sodium_base64_VARIANT_ORIGINAL);
    text.pop_back();
    return text;
}

std::atomic<bool> has_key{true};

}  // namespace

std::string_view pro::license::public_key() {
    static const std::string key = base64(keys().shown);
    return has_key ? std::string_view(key) : std::string_view();
}

tests::EvaluationBuild::EvaluationBuild() { has_key = false; }
tests::EvaluationBuild::~EvaluationBuild() { has_key = true; }

std::string tests::license_signature(std::string_view text) {
    std::array<unsigned char, crypto_sign_BYTES> signature{};
    crypto_sign_detached(signature.data(), nullptr, reinterpret_cast<const unsigned char*>(text.data()), text.size(),
                         keys().secret.data());
    return base64(signature);
}

}  // namespace svc
