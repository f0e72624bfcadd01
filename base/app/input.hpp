// A request's query and body against its route's schemas.
#pragma once

#include "shared/api/route.hpp"

namespace svc::app {

struct Sent {
    std::string_view query, body, content_type;
    // Of a call by this process, in place of texts; without a body null.
    const json::Value* query_value = nullptr;
    const json::Value* body_value = nullptr;
};

// Fills query, raw_body and body of a request whose route, path and caller are known. Every field at fault is in the
// error, whether query, body or a rule of the route refuses it.
// `unknown`: the keys of a JSON body that were left out, since no field has them.
Result<void> read_input(api::Request& request, const api::Schema& query, const Sent& sent,
                        std::vector<std::string>* unknown = nullptr);

// The value of the header that names them.
std::string warning_of(const std::vector<std::string>& keys);

}  // namespace svc::app
