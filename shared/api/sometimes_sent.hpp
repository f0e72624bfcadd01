// The members of an answer that it may lack.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <string_view>

#include "shared/api/schema.hpp"

namespace svc::api {

// Of an answer every member is always sent, and OpenAPI says so: a route's declaration makes it required (see
// Sharing::answer). Only one that is declared here may be missing, such as what staff alone receive. A member that is
// always sent may still be null or empty where its type allows it.
inline Field sometimes_sent(Field field) {
    field.required = false;
    field.otherwise = json::Value();  // what a client takes in its place
    return field;
}

// The same of the members of these names.
inline Schema sometimes_sent(const Schema& answer, std::initializer_list<std::string_view> names) {
    return answer.changed([&](Field& field) {
        if (std::find(names.begin(), names.end(), field.name) != names.end())
            field = sometimes_sent(std::move(field));
    });
}

}  // namespace svc::api
