// The form in which texts that people type on different keyboards are equal (Unicode NFKC).
#pragma once

#include <string>
#include <string_view>

namespace svc::text {

// "ü" typed as one or as two code points, and wide forms of letters and digits, come out alike; letters keep their
// case. A text that is not UTF-8 comes back unchanged.
std::string compatible(std::string_view text);

}  // namespace svc::text
