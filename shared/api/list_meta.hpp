// What lists have in common: the size of a page, further members of `meta`.
#pragma once

#include <cstdint>

#include "shared/api/schema.hpp"

namespace svc::api {

// More are answered as that many, as meta.per_page shows.
inline constexpr std::int64_t most_per_page = 100;

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
