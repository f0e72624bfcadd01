// Fields at fault by the names that the client gave them.
#pragma once

#include "shared/api/schema.hpp"
#include "shared/core/result.hpp"

namespace svc::app {

// A field sent under an alias is reported by that alias; names outside of the schema stay unchanged.
Error as_sent(Error error, const api::Schema& schema, const json::Value& sent);

}  // namespace svc::app
