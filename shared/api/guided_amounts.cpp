// Amounts are found by the declared answer: a field that is added later is hidden, too.
#include "shared/api/guided_amounts.hpp"

#include <algorithm>
#include <array>

#include "shared/api/guided.hpp"

namespace svc::api {
namespace {

// Of what is not declared, such as a booking's payments: by how amounts are called.
bool names_amount(std::string_view name) {
    constexpr std::array<std::string_view, 8> words{"amount",   "total", "price", "fee",
                                                    "refunded", "paid",  "due",   "balance"};
    return std::any_of(words.begin(), words.end(),
                       [&](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

void take_undeclared(json::Value& value) {
    if (value.is_array())
        for (json::Value& each : value.items())
            take_undeclared(each);
    if (value.is_object())
        for (auto& [name, each] : value.members()) {
            take_undeclared(each);
            if ((each.is_number() && names_amount(name)) || std::string_view(name).ends_with("_formatted"))
                each = json::Value();
        }
}

bool make_amounts_nullable(Type& type);

bool make_amounts_nullable(Field& field) {
    const bool is_text = field.name.ends_with("_formatted") && !field.type.nullable;
    field.type.nullable = field.type.nullable || is_text;
    return make_amounts_nullable(field.type) || is_text;
}

// Whether that changes the type.
bool make_amounts_nullable(Type& type) {
    bool changes = type.shape == Shape::decimal && !type.nullable;
    type.nullable = type.nullable || changes;
    if (type.item) {
        Type item = *type.item;
        if (make_amounts_nullable(item)) {
            type.item = std::make_shared<const Type>(std::move(item));
            changes = true;
        }
    }
    if (type.shape != Shape::object)
        return changes;
    bool changes_members = false;
    const Schema members =
        type.members->changed([&](Field& field) { changes_members = make_amounts_nullable(field) || changes_members; });
    if (changes_members) {
        const std::string& name = type.members->name();
        type.members = std::make_shared<const Schema>(name.empty() ? members : members.named("Guided" + name));
    }
    return changes || changes_members;
}

}  // namespace

void take_amounts(const Type& type, json::Value& value) {
    if (type.shape == Shape::decimal) {
        value = json::Value();
    } else if (type.shape == Shape::anything) {
        take_undeclared(value);
    } else if (value.is_array() && type.item) {
        for (json::Value& each : value.items())
            take_amounts(*type.item, each);
    } else if (value.is_object() && type.item) {
        if (type.item->shape == Shape::anything)
            take_undeclared(value);
        else
            for (auto& [name, each] : value.members())
                take_amounts(*type.item, each);
    } else if (value.is_object() && type.members) {
        for (auto& [name, each] : value.members())
            if (const Field* field = type.members->find(name)) {
                take_amounts(field->type, each);
                if (std::string_view(name).ends_with("_formatted"))
                    each = json::Value();
            }
    }
}

Type without_amounts(Type answer) {
    make_amounts_nullable(answer);
    return answer;
}

RouteSpec without_amounts_for_guides(RouteSpec route) {
    route.handle = [handle = std::move(route.handle), answer = route.answer](const Request& request) {
        Reply reply = handle(request);
        if (!reply.error && guided_by(request.caller) && may_read_bookings(request.caller))
            take_amounts(answer, reply.data);
        return reply;
    };
    route.answer = without_amounts(std::move(route.answer));
    return route;
}

}  // namespace svc::api
