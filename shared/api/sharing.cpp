// From the leaves up: equal members are one object by then, so that comparing two fields looks no deeper than one
// level.
#include "shared/api/sharing.hpp"

#include <algorithm>

namespace svc::api {

template <class T>
std::shared_ptr<const T> Sharing::once(Known<T>& known, const std::string& words, T value) {
    const auto [first, last] = known.equal_range(words);
    const auto found = std::find_if(first, last, [&](const auto& each) { return *each.second == value; });
    if (found != last)
        return found->second;
    return known.emplace(words, std::make_shared<const T>(std::move(value)))->second;
}

Schema Sharing::shared(const Schema& schema) {
    Schema lean;
    lean.fields_.reserve(schema.fields_.size());
    for (const Field& given : schema.fields()) {
        Field field = given;
        field.type = shared(std::move(field.type));
        const std::string words = field.name + field.says;
        lean.fields_.push_back(once(fields_, words, std::move(field)));
    }
    return lean;
}

Type Sharing::shared(Type type) {
    if (type.item) {
        Type item = shared(*type.item);
        const std::string words = std::to_string(static_cast<int>(item.shape));
        type.item = once(types_, words, std::move(item));
    }
    if (type.members) {
        Schema members = shared(*type.members);
        const std::string words = members.empty() ? std::string() : members.fields().begin()->name;
        type.members = once(schemas_, words, std::move(members));
    }
    return type;
}

}  // namespace svc::api
