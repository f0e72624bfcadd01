// Deprecated routes and fields: which of them a request uses or an answer has (spec 9.3).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "shared/api/route.hpp"

namespace svc::api {

// One deprecated route or field.
struct Notice {
    enum class Of : std::uint8_t { route, query, body, answer };
    Of of = Of::route;
    std::string name;            // "GET /trips/all"; of a field its path, list items numbered from 1: "travelers.1.age"
    std::string since, instead;  // as declared
};

// {"in": "body", "name", "deprecated_since", "instead" (or null), "message"}, as in an answer's `notices`.
json::Value to_json(const Notice& notice);
// "Deprecated since 2026-11-01. Use `new_name` instead."; empty when `since` is.
std::string deprecation_sentence(std::string_view since, std::string_view instead);

// Whether the schema has a deprecated field, at any depth.
bool has_deprecated(const Schema& schema);
// Adds the schema's deprecated fields that the value has, each once, by its own name or another one it accepts.
void add_used(const Schema& schema, const json::Value& sent, Notice::Of of, std::vector<Notice>& notices);
// The deprecations of a route's responses: the route itself, and fields of its answer.
std::vector<Notice> notices_of(const RouteSpec& route);

// Throws std::logic_error for an invalid day, or for `instead` without a day, of the route or of its fields.
void check_deprecations(const RouteSpec& route);

}  // namespace svc::api
