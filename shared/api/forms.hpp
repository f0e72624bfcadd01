// Bodies that a page's form sends.
#pragma once

#include <algorithm>

#include "shared/api/route.hpp"

namespace svc::api {

// Whether a body may also be application/x-www-form-urlencoded: of a write that may answer with a page, whose form
// sends it without scripts.
inline bool takes_forms(const RouteSpec& route) {
    return route.method != Method::get && !route.raw_body_only &&
           std::find(route.files.begin(), route.files.end(), "text/html") != route.files.end();
}

}  // namespace svc::api
