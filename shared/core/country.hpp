// Countries as people write them.
#pragma once

#include <string>
#include <string_view>

namespace svc {

// The two capital letters of ISO 3166-1 for a code of two or three letters or an English name, in any case; empty for
// an unknown one. Any thread.
std::string country_code(std::string_view written);

// The English name for a code of two letters: "GB" is "United Kingdom". Anything else as it is. Any thread.
std::string country_name(std::string_view code);

}  // namespace svc
