// A classification as it is read: the row with what is told of it from elsewhere.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/catalog/classifications/classification.hpp"
#include "shared/api/period.hpp"

namespace svc::catalog::classifications {

struct Record : Classification {
    std::int64_t uses = 0;    // published trips; of an item type its items, of an item the entries of itineraries
    std::string parent_name;  // of an item: its item type's
    json::Value parent_icon;  // the same
    std::optional<std::string> featured_image_url;
    std::string permalink, listing_url;  // of one that has a page
    std::optional<std::string> created_by_name, updated_by_name;
};

// Addresses of the site's pages: of one of them, and of the trips it is shown with.
struct Places {
    std::string page, listing;
};

// Empty or absent filters take all; trash only by name.
struct Query {
    Type type = Type::destination;
    std::string status = {}, search = {};
    std::optional<std::int64_t> parent_id = {};  // 0: the top
    std::optional<std::int64_t> item_type_id = {};
    std::string field_type = {};
    std::optional<bool> show_on_frontend = {}, show_in_filters = {};
    api::Period made = {};
    std::string order_by = "id";
    bool ascending = false;
    std::int64_t limit = 20, offset = 0;
};

struct Counts {
    std::int64_t all = 0, publish = 0, draft = 0, trash = 0;  // all is without the trash
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

}  // namespace svc::catalog::classifications
