// Certificates of a test's own authority, and signatures by their keys.
#pragma once

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <unistd.h>

#include <openssl/bio.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509v3.h>

#include "shared/core/date.hpp"

namespace svc::tests {

// A key and a certificate for it, valid for ten days around `at`.
struct Certified {
    std::shared_ptr<EVP_PKEY> key;
    std::shared_ptr<X509> certificate;

    [[nodiscard]] std::string pem() const {
        const std::unique_ptr<BIO, decltype(&BIO_free)> out{BIO_new(BIO_s_mem()), &BIO_free};
        PEM_write_bio_X509(out.get(), certificate.get());
        char* text = nullptr;
        const auto length = BIO_get_mem_data(out.get(), &text);
        return {text, static_cast<std::size_t>(length)};
    }

    // Raw bytes: RSA with SHA-256.
    [[nodiscard]] std::string sign(const std::string& message) const {
        const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context{EVP_MD_CTX_new(), &EVP_MD_CTX_free};
        std::string signature(1024, '\0');
        std::size_t length = signature.size();
        if (EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key.get()) != 1 ||
            EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &length,
                           reinterpret_cast<const unsigned char*>(message.data()), message.size()) != 1)
            throw std::runtime_error("the test's key does not sign");
        signature.resize(length);
        return signature;
    }
};

struct Wanted {
    std::string name = "messageverificationcerts.paypal.com", alternatives = {};  // "DNS:a.example,DNS:b.example"
    int bits = 2048;
    bool is_authority = false;
};

// Signed by `issuer`; by itself when there is none.
inline Certified certified(const Wanted& wanted, const Certified* issuer, Instant at) {
    Certified made{.key = {EVP_RSA_gen(static_cast<unsigned>(wanted.bits)), &EVP_PKEY_free},
                   .certificate = {X509_new(), &X509_free}};
    X509* one = made.certificate.get();
    static int serial = 0;
    X509_set_version(one, 2);
    ASN1_INTEGER_set(X509_get_serialNumber(one), ++serial);
    constexpr long five_days = 5L * 86'400;
    ASN1_TIME_set(X509_getm_notBefore(one), static_cast<std::time_t>(at.seconds() - five_days));
    ASN1_TIME_set(X509_getm_notAfter(one), static_cast<std::time_t>(at.seconds() + five_days));
    X509_set_pubkey(one, made.key.get());
    X509_NAME_add_entry_by_txt(X509_get_subject_name(one), "CN", MBSTRING_UTF8,
                               reinterpret_cast<const unsigned char*>(wanted.name.c_str()), -1, -1, 0);
    X509_set_issuer_name(one, X509_get_subject_name(issuer ? issuer->certificate.get() : one));
    const auto add = [&](int kind, const std::string& value) {
        X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, nullptr, kind, value.c_str());
        X509_add_ext(one, extension, -1);
        X509_EXTENSION_free(extension);
    };
    add(NID_basic_constraints, wanted.is_authority ? "critical,CA:TRUE" : "critical,CA:FALSE");
    if (!wanted.alternatives.empty())
        add(NID_subject_alt_name, wanted.alternatives);
    X509_sign(one, issuer ? issuer->key.get() : made.key.get(), EVP_sha256());
    return made;
}

// A root in a file of its own, which is gone with it.
class Authority {
  public:
    explicit Authority(Instant at) : root(certified({.name = "test authority", .is_authority = true}, nullptr, at)) {
        std::string pattern = (std::filesystem::temp_directory_path() / "svc-roots-XXXXXX").string();
        const int file = ::mkstemp(pattern.data());
        if (file < 0)
            throw std::runtime_error("no file for the test's root");
        ::close(file);
        path = pattern;
        std::ofstream(path) << root.pem();
    }
    ~Authority() { std::filesystem::remove(path); }
    Authority(const Authority&) = delete;
    Authority& operator=(const Authority&) = delete;

    Certified root;
    std::string path;
};

}  // namespace svc::tests
