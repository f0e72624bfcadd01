// Fields at fault by the names that the client gave them.
#pragma once

#include "shared/api/schema.hpp"
#include "shared/core/result.hpp"

namespace svc::app {

// A field that was sent under another of its names is named by that one; what is not of the schema stays as it is.
Error as_sent(Error error, const api::Schema& schema, const json::Value& sent);

}  // namespace svc::app
