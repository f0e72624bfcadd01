// Filters lists by the attribute values of trips. Pure functions, any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/catalog/attributes/value.hpp"
#include "base/catalog/trips/record/trip_facts.hpp"

namespace svc::catalog::attributes {

// Adds the facts by which filters find a stored value; each option of a list is one fact.
void add_facts(const Definition& attribute, const json::Value& value, std::vector<trips::TripFact>& facts);

// The filter of a query: a text, several texts, or {"min", "max"}. Empty for an empty value. Errors name `field` or a
// field below it.
Result<std::optional<trips::FactFilter>> filter_of(const Definition& attribute, const json::Value& given,
                                                   const std::string& field);

}  // namespace svc::catalog::attributes
