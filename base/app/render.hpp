// Turns replies and errors into HTTP answers: the envelope, the error body, the headers of lists (spec 4.2, 7).
#pragma once

#include <string>

#include "base/app/base.hpp"
#include "shared/api/route.hpp"

namespace svc::app {

// {"success":true,"data":…,"message":…?,"meta":{…}?}
std::string envelope(const api::Reply& reply);
// {"code":…,"message":…,"data":{"status":…,"field":…?,"errors":{…}?,…}}
std::string error_body(const Error& error);

HttpAnswer render(api::Reply&& reply);
HttpAnswer render(const Error& error);

// A browser answers a Basic challenge to a script's request with its own dialog, over the page that has a better one.
// Such requests have a mode (Fetch Metadata); other clients and opened addresses keep the challenge.
void challenge_no_script(const std::vector<HttpHeader>& headers, HttpAnswer& answer);

}  // namespace svc::app
