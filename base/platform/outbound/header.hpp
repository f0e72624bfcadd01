// Values of mail headers: the only code that writes them, so that none can be split (S15).
#pragma once

#include <string>
#include <string_view>

#include "shared/core/date.hpp"
#include "shared/core/result.hpp"

namespace svc::outbound {

// The text as a header value: as it is when printable ASCII, else in encoded words of RFC 2047, folded. Control
// characters (CR, LF, NUL and all others) and ill-formed UTF-8 are svc_validation_error for `field`.
Result<std::string> header_value(std::string_view field, std::string_view text);

// `"Ada" <ada@example.org>`, or the address alone when there is no name.
Result<std::string> mailbox(std::string_view field, std::string_view name, std::string_view address);

// A dot-atom before the @, a domain of letters, digits and hyphens behind it; ASCII; 254 characters at most.
bool is_address(std::string_view text);

// "Fri, 20 Nov 2026 13:39:00 +0000"
std::string mail_date(Instant instant);

}  // namespace svc::outbound
