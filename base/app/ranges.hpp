// Range requests for files (RFC 9110, 14).
#pragma once

#include <string_view>

#include "shared/api/http.hpp"

namespace svc::app {

// Of a 200 to GET that is a file: 206 with the one part that `range` names, 416 when there is no such part; else the
// whole file, as for several parts at once, an unknown unit, or an `if_range` that is not the answer's own tag. The
// answer declares that ranges are accepted.
void take_range(HttpAnswer& answer, std::string_view range, std::string_view if_range);

}  // namespace svc::app
