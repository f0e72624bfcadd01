// What a list tells in `meta` besides its page and totals.
#pragma once

#include <memory>
#include <utility>

#include "shared/api/schema.hpp"

namespace svc::api {

// The same answer of a list, for OpenAPI: these are further members of `meta`. Nothing is checked by them.
inline Type with_meta(Type list, Schema further) {
    list.members = std::make_shared<const Schema>(std::move(further));
    return list;
}
// Those of a list made by with_meta; null for every other.
inline const Schema* further_meta(const Type& answer) {
    return answer.shape == Shape::list ? answer.members.get() : nullptr;
}

}  // namespace svc::api
