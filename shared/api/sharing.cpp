// From the leaves up: equal members are one object by then, so that comparing two fields looks no deeper than one
// level.
#include "shared/api/sharing.hpp"

#include <algorithm>
#include <functional>
#include <string_view>

namespace svc::api {
namespace {

std::size_t hash_of(std::string_view words) { return std::hash<std::string_view>{}(words); }
bool has_parts(const Type& type) { return type.item || type.members; }

}  // namespace

template <class T>
std::shared_ptr<const T> Sharing::once(Known<T>& known, std::size_t hash, const T& value) {
    const auto [first, last] = known.equal_range(hash);
    const auto found = std::find_if(first, last, [&](const auto& each) { return *each.second == value; });
    if (found != last)
        return found->second;
    return known.emplace(hash, std::make_shared<const T>(value))->second;
}

Schema Sharing::shared(const Schema& schema) {
    Schema lean;
    lean.name_ = schema.name_;
    lean.fields_.reserve(schema.fields_.size());
    for (const Field& given : schema.fields()) {
        const std::size_t hash = hash_of(given.name) * 31 + hash_of(given.help);
        if (!has_parts(given.type)) {
            lean.fields_.push_back(once(fields_, hash, given));  // most are met again: nothing to copy
            continue;
        }
        Field field = given;
        field.type = shared(std::move(field.type));
        lean.fields_.push_back(once(fields_, hash, field));
    }
    return lean;
}

Type Sharing::shared(Type type) {
    if (type.item) {
        const Type item = has_parts(*type.item) ? shared(*type.item) : *type.item;
        type.item = once(types_, static_cast<std::size_t>(item.shape), item);
    }
    if (type.members) {
        const Schema members = shared(*type.members);
        type.members = once(schemas_, members.empty() ? 0 : hash_of(members.fields().begin()->name), members);
    }
    return type;
}

}  // namespace svc::api
