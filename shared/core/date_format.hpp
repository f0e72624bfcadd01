// Dates in the site's own format, as its operator reads them.
#pragma once

#include <string>
#include <string_view>

#include "shared/core/date.hpp"

namespace svc {

// d 05, j 5, D Sat, l Saturday, S nd, m 06, n 6, M Jun, F June, Y 2026, y 26; after a backslash a letter is itself, and
// so is everything else.
std::string formatted(Date date, std::string_view format);

}  // namespace svc
