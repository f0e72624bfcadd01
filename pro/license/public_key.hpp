// The licence server's public key in this build.
#pragma once

#include <string_view>

namespace svc::pro::license {

// The server's Ed25519 key in base64, from the build's SVC_LICENSE_PUBLIC_KEY; empty: no answer is believed, and Pro
// can be evaluated (evaluation.hpp). Nothing at run time can change it. Tests are linked with a key of their own.
std::string_view public_key();

}  // namespace svc::pro::license
