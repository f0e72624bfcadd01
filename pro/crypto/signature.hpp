// Signatures by Ed25519 over whole texts.
#pragma once

#include <string_view>

namespace svc::pro::crypto {

// Whether the holder of the key's other half signed exactly this text. Key (32 bytes) and signature (64 bytes) are
// base64; anything else, an empty key too, is no signature.
bool is_signed(std::string_view text, std::string_view signature, std::string_view public_key);

}  // namespace svc::pro::crypto
