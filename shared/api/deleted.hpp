// The answer of a deletion, everywhere the same: what deleted() of keeping.hpp replies.
#pragma once

#include "shared/api/keeping.hpp"

namespace svc::api {

inline Type deleted_answer() {
    return object(
        Schema{{.name = "id", .type = id(), .required = true}, {.name = "deleted", .type = boolean(), .required = true}}
            .named("Deleted"));
}

}  // namespace svc::api
