// Moves parameters and responses that several operations have in common into the components of an OpenAPI document.
#pragma once

#include "shared/json/value.hpp"

namespace svc::app {

// A response that may be shared has a name in `title`; a parameter has its own. The content that most operations have
// under a name becomes the component, unless one operation alone has it. Titles of responses are removed.
void share_parameters(json::Value& paths, json::Value& components);
void share_responses(json::Value& paths, json::Value& components);

}  // namespace svc::app
