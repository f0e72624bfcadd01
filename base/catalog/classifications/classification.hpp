// Classifications: destinations, activities, categories and whatever else trips and itineraries are told apart by.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shared/core/date.hpp"
#include "shared/json/value.hpp"

namespace svc::catalog::classifications {

// As stored in svc_classifications.type; an order nothing depends on.
enum class Type : std::uint8_t {
    destination,
    activity,
    trip_category,
    difficulty,
    traveler_type,
    attribute,
    item_type,
    item
};
std::string_view name_of(Type type);  // "trip_category"
std::optional<Type> type_of(std::string_view name);

enum class Status : std::uint8_t { draft, publish, trash };
std::string_view name_of(Status status);
std::optional<Status> status_of(std::string_view name);

inline constexpr std::int64_t deepest_level = 4;  // five levels, the root is 0

struct Classification {
    std::int64_t id = 0;
    Type type = Type::destination;
    std::string name, slug, description;
    std::optional<std::int64_t> parent_id;
    std::int64_t level = 0;
    std::optional<std::int64_t> item_type_id;  // of an item
    json::Value icon;                          // {"type", "provider", "value"} or null
    std::string color;                         // #rrggbb, of item types a word
    std::int64_t sort_order = 0;
    bool is_featured = false;
    Status status = Status::draft;
    std::string seo_title, seo_description, seo_keywords;
    json::Value details = json::Value::object();  // what only its type has, see kinds.hpp
    std::optional<std::int64_t> featured_image_id;
    std::vector<std::int64_t> gallery;  // of media, in order
    std::int64_t row_version = 1;
    Instant created_at, updated_at;
    std::optional<std::int64_t> created_by, updated_by;
};

// A traveler category's rules, read from its details. Ages are whole years, both ends included.
struct TravelerRules {
    std::optional<std::int64_t> age_min, age_max;
    bool per_group = false;
    std::optional<std::int64_t> min_pax, max_pax;  // of a group
    bool another_group = false;                    // more than max_pax make a further group; else they are refused
};
TravelerRules traveler_rules(const Classification& category);
TravelerRules traveler_rules(const json::Value& details);

}  // namespace svc::catalog::classifications
