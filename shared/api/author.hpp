// The author of what a request writes.
#pragma once

#include <optional>

#include "shared/api/permission.hpp"

namespace svc::api {

// Empty for the system itself, which has every right and is no user (svc.calls/1).
inline std::optional<std::int64_t> author(const Caller& caller) {
    return caller.user_id > 0 ? std::optional(caller.user_id) : std::nullopt;
}

}  // namespace svc::api
