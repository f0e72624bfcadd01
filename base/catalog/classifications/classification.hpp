// Classifications: destinations, activities, categories and other terms that trips and itineraries are sorted by.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shared/record/record.hpp"

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
inline constexpr std::string_view statuses[] = {"draft", "publish", "trash"};

inline constexpr std::int64_t deepest_level = 4;  // five levels, the root is 0

struct Classification : record::Audit {
    std::int64_t id = 0;
    Type type = Type::destination;
    std::string name{}, slug{}, description{};
    std::optional<std::int64_t> parent_id{};
    std::int64_t level = 0;
    std::optional<std::int64_t> item_type_id{};  // of an item
    json::Value icon{};                          // {"type", "provider", "value"} or null
    std::string color{};                         // #rrggbb; a color name for item types
    std::int64_t sort_order = 0;
    bool is_featured = false;
    Status status = Status::draft;
    std::string seo_title{}, seo_description{}, seo_keywords{};
    json::Value details = json::Value::object();  // members of its type only, see kinds.hpp
    std::optional<std::int64_t> featured_image_id{};
    std::vector<std::int64_t> gallery{};  // of media, in order

    // Read alone.
    std::int64_t uses = 0;      // published trips; of an item type its items, of an item the entries of itineraries
    std::string parent_name{};  // of an item: its item type's
    json::Value parent_icon{};  // the same
    std::optional<std::string> featured_image_url{};
    std::string permalink{}, listing_url{};  // of one that has a page
    // For a write: whether the request sent the slug; and the faults found by its kind's rule.
    bool has_slug = false;
    std::vector<FieldError> rule_faults{};
};

// Addresses of the site's pages: of one of them, and of the trips it is shown with.
struct Places {
    std::string page, listing;
};

struct User {
    std::string type;  // "trip", "item", "trip_category"
    std::int64_t id = 0;
    std::string title;
};
struct Users {
    std::vector<User> first;
    std::int64_t total = 0;
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
