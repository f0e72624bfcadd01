// A write run to be undone: what would it refuse?
#pragma once

#include <vector>

#include "shared/api/route.hpp"

namespace svc::api {

// Thrown out of a transaction to undo it. It is no failure, so whoever handles those lets it pass.
struct Undone {};

// RouteSpec::rules of a route whose handler is told which fields of its body fit the schema, does all in one
// transaction and hands its reply to keep_reply in there: it is run and undone. It must stand what is required and
// missing, and touch nothing outside its transaction before that call.
template <class Handle>
std::vector<FieldError> rehearsed(const Request& request, Handle handle) {
    Request trial = request;
    trial.keep_reply = [](store::Transaction&, const Reply&) { throw Undone{}; };
    try {
        const Reply reply = handle(trial);
        if (reply.error && reply.error->code().name == errc::validation_error.name)
            return reply.error->fields();
    } catch (const Undone&) {
    }
    return {};
}

}  // namespace svc::api
