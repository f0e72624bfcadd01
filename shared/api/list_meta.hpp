// Further members of a list's `meta`.
#pragma once

#include "shared/api/schema.hpp"

namespace svc::api {

// The answer's type with further members of `meta`, which are no part of `data`; stored in the list type's unused
// `members`.
inline Type with_meta(Type list, Schema meta) {
    list.members = std::make_shared<const Schema>(std::move(meta));
    return list;
}

// Null for a type without further members.
inline const Schema* meta_of(const Type& answer) {
    return answer.shape == Shape::list ? answer.members.get() : nullptr;
}

}  // namespace svc::api
