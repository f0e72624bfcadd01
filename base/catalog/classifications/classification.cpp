// Names of types and statuses, and the details of traveler categories.
#include "base/catalog/classifications/classification.hpp"

#include <algorithm>
#include <array>

namespace svc::catalog::classifications {
namespace {

constexpr std::array<std::string_view, 8> type_names{"destination",   "activity",  "trip_category", "difficulty",
                                                     "traveler_type", "attribute", "item_type",     "item"};
}  // namespace

std::string_view name_of(Type type) { return type_names.at(static_cast<std::size_t>(type)); }
std::optional<Type> type_of(std::string_view name) {
    const auto* at = std::find(type_names.begin(), type_names.end(), name);
    return at == type_names.end() ? std::nullopt : std::optional(static_cast<Type>(at - type_names.begin()));
}

TravelerRules traveler_rules(const Classification& category) { return traveler_rules(category.details); }

TravelerRules traveler_rules(const json::Value& details) {
    return {.age_min = details.maybe_integer("age_min"),
            .age_max = details.maybe_integer("age_max"),
            .per_group = details.text_or("pricing_mode") == "per_group",
            .min_pax = details.maybe_integer("min_pax"),
            .max_pax = details.maybe_integer("max_pax"),
            .another_group = details.text_or("group_overflow") == "per_block"};
}

}  // namespace svc::catalog::classifications
