// Objects that the OpenAPI document defines once, under a name.
#pragma once

#include <string>

#include "shared/api/schema.hpp"

namespace svc::api {

// An object of these members; `component` names its schema ("Trip"). Two different objects need two names.
inline Type object(std::string component, const Schema& members) { return object(members.named(std::move(component))); }

// The answer of a deletion.
inline Type deleted() {
    return object("Deleted", {{.name = "id", .type = id(), .required = true},
                              {.name = "deleted", .type = boolean(), .required = true}});
}

}  // namespace svc::api
