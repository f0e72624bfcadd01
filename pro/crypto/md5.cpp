// MD5 by OpenSSL.
#include "pro/crypto/md5.hpp"

#include <array>
#include <stdexcept>

#include <openssl/evp.h>

#include "shared/core/ascii.hpp"

namespace svc::pro::crypto {

std::string md5_hex(std::string_view text) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned int size = 0;
    if (EVP_Digest(text.data(), text.size(), digest.data(), &size, EVP_md5(), nullptr) != 1)
        throw std::runtime_error("OpenSSL has no MD5");
    return ascii::hex({reinterpret_cast<const char*>(digest.data()), size});
}

}  // namespace svc::pro::crypto
