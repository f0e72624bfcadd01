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

// A browser answers a Basic challenge to a script's request with a dialog of its own, over the page that would ask
// better. Such requests name their mode (Fetch Metadata); other clients and addresses that are opened keep theirs.
void challenge_no_script(const std::vector<HttpHeader>& headers, HttpAnswer& answer);

}  // namespace svc::app
