// Turns replies and errors into HTTP answers: the envelope, the error body, the headers of lists (spec 4.2, 7).
#pragma once

#include <string>
#include <string_view>

#include "shared/api/http.hpp"
#include "shared/api/route.hpp"

namespace svc::app {

// {"success":true,"data":…,"message":…?,"meta":{…}?}
std::string envelope(const api::Reply& reply);
json::Value envelope_value(api::Reply&& reply);
// {"code":…,"message":…,"data":{"status":…,"field":…?,"errors":{…}?,…}}
json::Value error_body(const Error& error, std::string_view language = "en");

// Sockets get texts, callers in this process values.
enum class Form : std::uint8_t { text, value };
// The value's form has no body of an envelope or error, but these.
struct Rendered : HttpAnswer {
    json::Value value = {};
    std::shared_ptr<const api::Held> held = {};  // in place of the value's data
};
// Errors are said in the language (texts::language_asked_for), the rest is as the handler made it.
Rendered render(api::Reply&& reply, Form form = Form::text, std::string_view language = "en");
Rendered render(const Error& error, Form form = Form::text, std::string_view language = "en");

// A browser answers a Basic challenge to a script's request with its own dialog, over the page that has a better one.
// Such requests have a mode (Fetch Metadata); other clients and opened addresses keep the challenge.
void challenge_no_script(const std::vector<HttpHeader>& headers, HttpAnswer& answer);

}  // namespace svc::app
