// What a list's `meta` tells beside its page and totals.
#pragma once

#include "shared/api/schema.hpp"

namespace svc::api {

// The answer's type with the further members of `meta`; they are kept where the list's type, which has no members of
// its own, has room for them, and are no part of `data`.
inline Type with_meta(Type list, Schema meta) {
    list.members = std::make_shared<const Schema>(std::move(meta));
    return list;
}

// Null: there are none.
inline const Schema* meta_of(const Type& answer) {
    return answer.shape == Shape::list ? answer.members.get() : nullptr;
}

}  // namespace svc::api
