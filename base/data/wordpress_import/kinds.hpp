// Maps posts, terms and comments of the former plugins: Yatra 1 and 2, WP Travel, WP Travel Engine.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/data/wordpress_import/left_out.hpp"
#include "base/data/wordpress_import/trip_sales.hpp"
#include "base/data/wordpress_import/wxr.hpp"
#include "shared/core/date.hpp"
#include "shared/json/value.hpp"

namespace svc::wordpress_import {

// In the order of migration: referenced kinds first.
inline constexpr std::string_view kind_names[] = {
    "destinations", "activities", "trip_categories", "attributes",
    "customers",    "coupons",    "trips",           "traveler_categories",
    "itinerary",    "pictures",   "tour_dates",      "enquiries",
    "reviews",      "bookings",   "payments"};
// Kinds of routes 17.27 that exports of WordPress do not hold; they are reported as absent.
inline constexpr std::string_view absent_names[] = {"settings",      "pro_features", "pro_reviews_cpt",
                                                    "pro_downloads", "services",     "availability_conditions"};

// The former system refers to other records by their numbers. A first pass over the export collects these numbers.
struct References {
    using ById = std::unordered_map<std::string, std::string>;
    Date today = {};                                                     // of the site
    ById trips;                                                          // the trip's slug
    ById pictures;                                                       // the address of an attachment
    ById attributes;                                                     // the slug of an attribute
    ById payments;                                                       // amounts, by the payment's number
    ById bookings;                                                       // the reference, by the booking's number
    std::unordered_map<std::string, std::vector<json::Value>> packages;  // prices, by the trip's number
    std::unordered_map<std::string, std::vector<std::string>> paid;      // amounts, by the booking's number
    std::unordered_map<std::string, std::vector<DayRange>> ranges;       // of days that a tour may start on
    std::unordered_set<std::string> coupon_uses;                         // numbers of bookings that hold a coupon
    std::map<std::string, std::int64_t> currencies;                      // how many bookings are in it
    bool has_payments = false;                                           // of Yatra
    [[nodiscard]] std::string trip_of(const std::string& id) const;
    [[nodiscard]] std::size_t size() const;
    // What the rows of tables that are uploaded later refer to.
    [[nodiscard]] json::Value kept() const;
    void read_kept(const json::Value& kept);
};
void collect_references(const Item& item, References& references);

struct StagedRecord {
    std::string kind;
    // As the interface names them; trips and classifications by slug. `_remarks`: sentences for the job's list.
    json::Value fields;
};
// The kind of an item's records; empty: it is not migrated.
std::string_view kind_of_item(const Item& item);
// Makes records of an item: a trip with its days, pictures and reviews; none of a page, an order and the like. Counts
// in `left` the data that our records cannot hold.
std::vector<StagedRecord> records_of(const Item& item, const References& references, LeftOut& left);

// Maps a row of a former table, with the former column names, to records of the kind: none, one, or one for each day.
std::vector<json::Value> fields_of_row(std::string_view kind, const json::Value& row, const References& references,
                                       LeftOut& left);

}  // namespace svc::wordpress_import
