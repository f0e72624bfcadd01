// Maps posts, terms and comments of the former plugins: Yatra 1 and 2, WP Travel, WP Travel Engine.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/legacy/left_out.hpp"
#include "base/legacy/wxr.hpp"
#include "shared/json/value.hpp"

namespace svc::legacy {

// In the order of migration: referenced kinds first.
inline constexpr std::string_view kind_names[] = {
    "destinations",        "activities", "trip_categories", "attributes", "customers", "coupons", "trips",
    "traveler_categories", "itinerary",  "pictures",        "tour_dates", "enquiries", "reviews", "bookings"};
// Kinds of routes 17.27 that exports of WordPress do not hold; they are reported as absent.
inline constexpr std::string_view absent_names[] = {"settings",      "pro_features", "pro_reviews_cpt",
                                                    "pro_downloads", "services",     "availability_conditions"};

// The former system refers to other records by their numbers. A first pass over the export collects these numbers.
struct References {
    using ById = std::unordered_map<std::string, std::string>;
    ById trips;                                                      // the trip's slug
    ById pictures;                                                   // the address of an attachment
    ById attributes;                                                 // the slug of an attribute
    ById payments;                                                   // amounts, by the payment's number
    ById prices;                                                     // of a trip's first package, by the trip's number
    std::unordered_map<std::string, std::vector<std::string>> paid;  // amounts, by the booking's number
    [[nodiscard]] std::string trip_of(const std::string& id) const;
};
void collect_references(const Item& item, References& references);

struct StagedRecord {
    std::string kind;
    json::Value fields;  // as the interface names them; trips and classifications by slug
};
// Makes records of an item: a trip with its days, pictures and reviews; none of a page, an order and the like. Counts
// in `left` the data that our records cannot hold.
std::vector<StagedRecord> records_of(const Item& item, const References& references, LeftOut& left);

// Maps a row of a former table, with the former column names, to the fields of the kind.
json::Value fields_of_row(std::string_view kind, const json::Value& row, const References& references);

}  // namespace svc::legacy
