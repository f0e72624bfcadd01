// Words compared and stored in capitals, of any script. Pure, any thread.
#pragma once

#include <string>
#include <string_view>

namespace svc::text {

// The folded text in capitals: how coupon codes are stored and compared ("straße" becomes "STRASSE"). Composed form.
std::string folded_capitals(std::string_view text);

}  // namespace svc::text
