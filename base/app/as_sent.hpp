// Fields at fault by the names and places that the client gave them.
#pragma once

#include "shared/api/route.hpp"
#include "shared/core/result.hpp"

namespace svc::app {

// A field sent under an alias is reported by that alias, an item of a list by its index from 0, as clients count;
// within the program items are counted from 1. Names outside of the schema stay as they are; a field of both schemas is
// taken for one of the body.
struct SentInput {  // objects; empty where nothing was sent
    const api::Schema& query_schema;
    const json::Value& query;
    const api::Schema& body_schema;
    const json::Value& body;
};
Error as_sent(Error error, const SentInput& sent);
// The same for a request as it came; query and body are read again, since errors are rare.
Error as_sent(Error error, const api::RouteSpec& route, const api::Schema& query_schema, std::string_view query,
              std::string_view body);

}  // namespace svc::app
