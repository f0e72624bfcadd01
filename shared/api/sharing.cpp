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

bool is_sometimes_sent(const Field& field) { return field.otherwise && field.otherwise->is_null(); }

bool changes(const Field& field, bool of_answer) {
    return of_answer ? field.required == is_sometimes_sent(field) || (field.otherwise && !is_sometimes_sent(field))
                     : is_sometimes_sent(field);
}

const Schema* object_in(const Type& type) { return type.item ? object_in(*type.item) : type.members.get(); }

// Whether an object of a body, as declared and with its parts shared, differs from what an answer would have of it.
bool is_input(const Schema& declared, const Schema& members) {
    if (members.name().empty() || members.name().ends_with("Input"))
        return false;
    const auto is_own = [](const Field& field) { return changes(field, true); };
    const auto has_input = [](const Field& field) {
        const Schema* below = object_in(field.type);
        return below && below->name().ends_with("Input");
    };
    const auto given = declared.fields(), shared = members.fields();
    return std::any_of(given.begin(), given.end(), is_own) || std::any_of(shared.begin(), shared.end(), has_input);
}

}  // namespace

template <class T>
std::shared_ptr<const T> Sharing::once(Known<T>& known, std::size_t hash, const T& value) {
    const auto [first, last] = known.equal_range(hash);
    const auto found = std::find_if(first, last, [&](const auto& each) { return *each.second == value; });
    if (found != last)
        return found->second;
    return known.emplace(hash, std::make_shared<const T>(value))->second;
}

Schema Sharing::query(const Schema& schema) { return shared(schema, Of::query); }
Schema Sharing::body(const Schema& schema) { return shared(schema, Of::body); }
Type Sharing::answer(Type type) { return shared(std::move(type), Of::answer); }

Schema Sharing::shared(const Schema& schema, Of of) {
    Schema lean;
    lean.name_ = schema.name_;
    lean.fields_.reserve(schema.fields_.size());
    for (const Field& given : schema.fields()) {
        const std::size_t hash = hash_of(given.name) * 31 + hash_of(given.help);
        if (!has_parts(given.type) && !changes(given, of == Of::answer)) {
            lean.fields_.push_back(once(fields_, hash, given));  // most are met again: nothing to copy
            continue;
        }
        Field field = given;
        field.type = shared(std::move(field.type), of);
        if (of == Of::answer)
            field.required = !is_sometimes_sent(given);
        // A body does not care what answers lack, nor an answer what a body has by default.
        if ((of == Of::answer) != is_sometimes_sent(given))
            field.otherwise.reset();
        lean.fields_.push_back(once(fields_, hash, field));
    }
    return lean;
}

Type Sharing::shared(Type type, Of of) {
    if (type.item) {
        const Type item = has_parts(*type.item) ? shared(*type.item, of) : *type.item;
        type.item = once(types_, static_cast<std::size_t>(item.shape), item);
    }
    if (type.members) {
        // The members of a list are no part of it: see list_meta.hpp.
        Schema members = shared(*type.members, type.shape == Shape::object ? of : Of::query);
        if (of == Of::body && is_input(*type.members, members))
            members.name_ += "Input";
        type.members = once(schemas_, members.empty() ? 0 : hash_of(members.fields().begin()->name), members);
    }
    return type;
}

}  // namespace svc::api
