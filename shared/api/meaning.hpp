// What fields mean beyond their shape, as OpenAPI says it: `x-kind`, `x-refers-to` and `x-next` of a property.
//
// A type states it (Type::of_kind, referring_to, followed_by). Where it does not, a few dozen names mean the same in
// the whole interface: a `trip_id` is the id of a trip. Those are listed here, so that no declaration repeats it.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "shared/api/schema.hpp"

namespace svc::api {

std::string_view name_of(FieldKind kind);     // as on the wire: "html"; empty: none
FieldKind kind_named(std::string_view name);  // none for a name that this version does not know

// The list whose records a field of that name and type holds the ids of, without a leading slash; ".": that of the
// record itself, such as its parent; empty: none.
std::string_view referred_by(std::string_view name, const Type& type);
FieldKind kind_of(std::string_view name, const Type& type);

// By a feature's own rule for staff: `may` says whether the second status may follow the first.
std::shared_ptr<const NextStatuses> next_statuses(
    std::span<const std::string_view> all, const std::function<bool(std::string_view from, std::string_view to)>& may);
json::Value to_json(const NextStatuses& next);  // {"pending": ["confirmed", "cancelled"]}

// Adds the marks of a field to its JSON Schema.
void add_meaning(std::string_view name, const Type& type, json::Value& schema);

}  // namespace svc::api
