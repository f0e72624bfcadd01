// Content codings: which one a client takes, and bodies in them. The only folder that compresses answers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace svc::compression {

enum class Coding : std::uint8_t { plain, gzip, brotli };
std::string_view name_of(Coding coding);  // as in Content-Encoding; empty for plain

// The coding that matches an Accept-Encoding best (RFC 9110, 12.5.3): highest weight, then smallest body. Plain
// for a header that allows nothing we have, is empty or cannot be read.
Coding best_coding(std::string_view accept_encoding);

// The text in a coding other than plain. Pure, any thread; about 40 microseconds a kilobyte.
std::string compress(Coding coding, std::string_view text);

}  // namespace svc::compression
