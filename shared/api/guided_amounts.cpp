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

RouteSpec without_amounts_for_guides(RouteSpec route) {
    route.handle = [handle = std::move(route.handle), answer = route.answer](const Request& request) {
        Reply reply = handle(request);
        if (!reply.error && guided_by(request.caller) && may_read_bookings(request.caller))
            take_amounts(answer, reply.data);
        return reply;
    };
    return route;
}

}  // namespace svc::api
