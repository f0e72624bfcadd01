// A reply as text and back, so that it renders to the same bytes again. Pure functions.
#pragma once

#include <string>
#include <string_view>

#include "shared/api/route.hpp"

namespace svc::idempotency {

inline bool is_success(const api::Reply& reply) { return !reply.error && reply.status < 400; }
// The outcome is unknown, for example because a provider did not answer: effects so far remain.
inline bool is_open(const api::Reply& reply) { return reply.error && reply.error->code().status >= 500; }

std::string to_text(const api::Reply& reply);
// An error for a text that to_text did not write.
Result<api::Reply> from_text(std::string_view text);

}  // namespace svc::idempotency
