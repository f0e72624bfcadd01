// How lists are cut by what trips say about attributes. Pure functions, any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/catalog/attributes/value.hpp"
#include "base/catalog/trips/said_facts.hpp"

namespace svc::catalog::attributes {

// What a stored value is found by; each option of a list by itself.
void add_facts(const Definition& attribute, const json::Value& value, std::vector<trips::SaidFact>& facts);

// What a list asks for: a text, several of them, or {"min", "max"}. Nothing where it is empty; errors name `field` or
// what lies below it.
Result<std::optional<trips::SaidWish>> wish_of(const Definition& attribute, const json::Value& asked,
                                               const std::string& field);

}  // namespace svc::catalog::attributes
