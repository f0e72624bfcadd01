// Maps posts and terms of the former plugins to our kinds: Yatra 1 and 2, WP Travel, WP Travel Engine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/legacy/wxr.hpp"
#include "shared/json/value.hpp"

namespace svc::legacy {

// In the order of migration: referenced kinds first.
inline constexpr std::string_view kind_names[] = {"destinations", "activities", "trip_categories", "customers",
                                                  "coupons",      "enquiries",  "trips",           "tour_dates"};
// Kinds of routes 17.27 that exports of WordPress do not hold; they are reported as absent.
inline constexpr std::string_view absent_names[] = {
    "settings", "pro_features", "attributes",          "reviews",  "pro_reviews_cpt",        "pro_downloads",
    "bookings", "itinerary",    "traveler_categories", "services", "availability_conditions"};

struct Staged {
    std::string kind;
    json::Value fields;  // as the interface names them; trips name classifications by slug
};
// The kind of an item; nothing for pages, pictures, orders and the like.
std::optional<Staged> staged(const Item& item);

}  // namespace svc::legacy
