// A certificate's names, and signatures made with its key.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "shared/core/date.hpp"

struct evp_pkey_st;  // OpenSSL's EVP_PKEY

namespace svc::crypto {

// Signs with the key of a certificate. Immutable: any thread, cheap to copy.
class Signer {
  public:
    // By the first certificate of a PEM file; the others may link it to its root. `roots`: a PEM file of the roots that
    // are trusted; empty: the system's, where the environment's SSL_CERT_FILE and SSL_CERT_DIR name others. Errors:
    // svc_upstream_error, with the cause, when there is no certificate, when no chain that is valid at `now` leads to a
    // root, or when its key is no RSA key of 2048 bits at least.
    static Result<Signer> from_pem(std::string_view pem, const std::string& roots, Instant now);

    // Whether every name of the certificate is the domain ("paypal.com") or below it, and there is one.
    [[nodiscard]] bool is_of(std::string_view domain) const;
    [[nodiscard]] Instant not_after() const { return not_after_; }
    // RSA, PKCS #1 1.5, SHA-256. The signature is raw bytes.
    [[nodiscard]] bool signed_sha256(std::string_view message, std::string_view signature) const;

  private:
    std::shared_ptr<evp_pkey_st> key_;
    std::vector<std::string> names_;  // lower case
    Instant not_after_;
};

}  // namespace svc::crypto
