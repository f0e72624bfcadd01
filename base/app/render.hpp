// Turns replies and errors into HTTP answers: the envelope, the error body, the headers of lists (spec 4.2, 7).
#pragma once

#include <string>
#include <string_view>

#include "base/app/base.hpp"
#include "shared/api/route.hpp"

namespace svc::app {

// {"success":true,"data":…,"message":…?,"meta":{…}?}
std::string envelope(const api::Reply& reply);
// {"code":…,"message":…,"data":{"status":…,"field":…?,"errors":{…}?,…}}
std::string error_body(const Error& error, std::string_view language = "en");

// Errors are said in the language (texts::language_asked_for), the rest is as the handler made it.
HttpAnswer render(api::Reply&& reply, std::string_view language = "en");
HttpAnswer render(const Error& error, std::string_view language = "en");

// A browser answers a Basic challenge to a script's request with its own dialog, over the page that has a better one.
// Such requests have a mode (Fetch Metadata); other clients and opened addresses keep the challenge.
void challenge_no_script(const std::vector<HttpHeader>& headers, HttpAnswer& answer);

}  // namespace svc::app
