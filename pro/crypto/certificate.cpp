// Reads certificates and keys by OpenSSL.
#include "pro/crypto/certificate.hpp"

#include <array>
#include <cstring>
#include <ctime>
#include <memory>

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

namespace svc::pro::crypto {
namespace {

struct Free {
    void operator()(BIO* bio) const { BIO_free(bio); }
    void operator()(X509* certificate) const { X509_free(certificate); }
    void operator()(EVP_PKEY* key) const { EVP_PKEY_free(key); }
};
using Bio = std::unique_ptr<BIO, Free>;

// Errors stay in the thread's queue, where another library would find them.
struct CleanErrors {
    CleanErrors() = default;
    ~CleanErrors() { ERR_clear_error(); }
    CleanErrors(const CleanErrors&) = delete;
    CleanErrors& operator=(const CleanErrors&) = delete;
};

Bio memory(std::string_view text) { return Bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size()))); }

// Never asks a terminal.
int give_passphrase(char* buffer, int size, int, void* context) {
    const auto& passphrase = *static_cast<const std::string_view*>(context);
    if (passphrase.empty() || passphrase.size() > static_cast<std::size_t>(size))
        return -1;
    std::memcpy(buffer, passphrase.data(), passphrase.size());
    return static_cast<int>(passphrase.size());
}

std::string text_in(const Bio& bio) {
    char* data = nullptr;
    const long size = BIO_get_mem_data(bio.get(), &data);
    return {data, static_cast<std::size_t>(size)};
}

std::string fingerprint_of(const X509* certificate) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    X509_digest(certificate, EVP_sha256(), digest.data(), &size);
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string text;
    for (unsigned i = 0; i < size; ++i) {
        if (i > 0)
            text += ':';
        text += {digits[digest[i] >> 4U], digits[digest[i] & 15U]};
    }
    return text;
}

}  // namespace

Result<ClientPair> client_pair(std::string_view cert, std::string_view key, std::string_view passphrase) {
    const CleanErrors clean;
    const Bio chain = memory(cert);
    const std::unique_ptr<X509, Free> certificate(PEM_read_bio_X509(chain.get(), nullptr, nullptr, nullptr));
    if (!certificate)
        return invalid("cert", "Enter the certificate as PEM, with those that link it to its root behind it."_sentence);
    const Bio text = memory(key);
    const std::unique_ptr<EVP_PKEY, Free> own(
        PEM_read_bio_PrivateKey(text.get(), nullptr, give_passphrase, &passphrase));
    if (!own && key.find("ENCRYPTED") != std::string_view::npos)
        return invalid("passphrase", "The passphrase does not open the key."_sentence);
    if (!own)
        return invalid("key", "Enter the private key as PEM."_sentence);
    if (X509_check_private_key(certificate.get(), own.get()) != 1)
        return invalid("key", "The key does not belong to the certificate."_sentence);
    std::tm until{};
    if (ASN1_TIME_to_tm(X509_get0_notAfter(certificate.get()), &until) != 1)
        return invalid("cert", "The certificate does not say how long it is valid."_sentence);
    const Bio plain(BIO_new(BIO_s_mem()));
    if (PEM_write_bio_PKCS8PrivateKey(plain.get(), own.get(), nullptr, nullptr, 0, nullptr, nullptr) != 1)
        return invalid("key", "This kind of key cannot be used."_sentence);
    constexpr std::int64_t second = 1'000'000;
    return ClientPair{.chain = std::string(cert),
                      .key = text_in(plain),
                      .fingerprint = fingerprint_of(certificate.get()),
                      .expires_at = Instant::from_micros(timegm(&until) * second)};
}

}  // namespace svc::pro::crypto
