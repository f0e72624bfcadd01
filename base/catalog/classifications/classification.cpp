// Names of types and states, and what a traveler category's details mean.
#include "base/catalog/classifications/classification.hpp"

#include <algorithm>
#include <array>

namespace svc::catalog::classifications {
namespace {

constexpr std::array<std::string_view, 8> type_names{"destination",   "activity",  "trip_category", "difficulty",
                                                     "traveler_type", "attribute", "item_type",     "item"};
constexpr std::array<std::string_view, 3> status_names{"draft", "publish", "trash"};

template <class T, std::size_t size>
std::optional<T> found(const std::array<std::string_view, size>& names, std::string_view name) {
    const auto* at = std::find(names.begin(), names.end(), name);
    return at == names.end() ? std::nullopt : std::optional(static_cast<T>(at - names.begin()));
}

}  // namespace

std::string_view name_of(Type type) { return type_names.at(static_cast<std::size_t>(type)); }
std::optional<Type> type_of(std::string_view name) { return found<Type>(type_names, name); }
std::string_view name_of(Status status) { return status_names.at(static_cast<std::size_t>(status)); }
std::optional<Status> status_of(std::string_view name) { return found<Status>(status_names, name); }

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
