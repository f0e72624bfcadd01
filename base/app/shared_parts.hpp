// Moves parameters and responses that several operations have in common into the components of an OpenAPI document.
#pragma once

#include "shared/json/value.hpp"

namespace svc::app {

// A response that may be shared has a name in `title`; a parameter has its own. Each content that several operations
// have under a name becomes a component: the most frequent one by that name, the others by the name and a number.
// Titles of responses are removed.
void share_parameters(json::Value& paths, json::Value& components);
void share_responses(json::Value& paths, json::Value& components);

}  // namespace svc::app
