// The certificate and key by which a client proves itself to a server.
#pragma once

#include <string>
#include <string_view>

#include "shared/core/date.hpp"
#include "shared/core/result.hpp"

namespace svc::pro::crypto {

struct ClientPair {
    std::string chain, key;   // PEM; the key is not encrypted
    std::string fingerprint;  // SHA-256 of the certificate: "AB:CD:…"
    Instant expires_at;
};

// Reads a PEM chain, its own certificate first, and the key of that certificate. The error names the field at fault:
// cert, key or passphrase.
Result<ClientPair> client_pair(std::string_view cert, std::string_view key, std::string_view passphrase);

}  // namespace svc::pro::crypto
