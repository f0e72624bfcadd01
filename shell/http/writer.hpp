// How an answer's status line and fields look on the wire.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "shell/http/server.hpp"

namespace svc::http {

// The Connection header, which depends on the client's version.
enum class Persist : std::uint8_t { close, implied, explicit_ };

// Appends the head of the answer with its empty line; Date, Content-Length and Connection are set here, and fields of
// those names in the answer are left out. False, with `out` as it was, when the answer cannot be sent as it is: a field
// that is no token or holds CR, LF or NUL, or a status that is not final. [any thread]
[[nodiscard]] bool append_head(std::string& out, const Response& response, Persist persist);

// 204 and 304 have neither body nor Content-Length.
[[nodiscard]] constexpr bool has_body(int status) { return status != 204 && status != 304; }

}  // namespace svc::http
