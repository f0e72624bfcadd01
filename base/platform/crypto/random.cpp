// Random bytes, tokens and codes from the system's randomness.
#include <openssl/rand.h>
#include <sodium.h>

#include "base/platform/crypto/crypto.hpp"

namespace svc::crypto {

std::string random_bytes(std::size_t length) {
    std::string bytes(length, '\0');
    if (length > 0 && RAND_bytes(reinterpret_cast<unsigned char*>(bytes.data()), static_cast<int>(length)) != 1)
        throw std::runtime_error("The system gave no random bytes.");
    return bytes;
}

std::string random_token() {
    const std::string bytes = random_bytes(32);
    std::string text(sodium_base64_ENCODED_LEN(32, sodium_base64_VARIANT_URLSAFE_NO_PADDING), '\0');
    sodium_bin2base64(text.data(), text.size(), reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(),
                      sodium_base64_VARIANT_URLSAFE_NO_PADDING);
    text.pop_back();  // sodium ends it with a NUL
    return text;
}

std::string random_code(std::size_t length, std::string_view alphabet) {
    if (alphabet.empty() || alphabet.size() > 256)
        throw std::invalid_argument("An alphabet has 1 to 256 characters.");
    // Bytes past the last whole multiple of the alphabet are thrown away, so that no character is likelier.
    const std::size_t usable = 256 - 256 % alphabet.size();
    std::string code;
    while (code.size() < length)
        for (const char c : random_bytes(length - code.size()))
            if (const auto byte = static_cast<unsigned char>(c); byte < usable)
                code += alphabet[byte % alphabet.size()];
    return code;
}

}  // namespace svc::crypto
