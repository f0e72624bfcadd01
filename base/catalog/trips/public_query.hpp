// What the public list may be asked for.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/catalog/trips/search_text.hpp"
#include "base/catalog/trips/shown_trip.hpp"

namespace svc::catalog::trips {

struct PublicQuery {
    std::int64_t page = 1, per_page = 20;
    std::string order_by = "created_at";  // title, price, duration, avg_rating; relevance of a search
    bool ascending = false;
    std::string search = {};
    std::array<std::string, kind_names.size()> classes = {};  // by kind: an id or a slug
    std::string trip_type = {};
    std::optional<std::string> min_price = {}, max_price = {};  // decimals; some price that can be booked lies between
    std::optional<std::int64_t> min_duration = {}, max_duration = {};  // days
    std::optional<std::int64_t> min_rating = {};                       // hundredths of a star
    std::optional<Date> from = {}, to = {};                            // some bookable date lies between
    std::vector<SaidWish> wishes = {};                                 // all of them
    bool facets = false;

    [[nodiscard]] bool filters() const;
    // The same for queries that are answered alike.
    [[nodiscard]] std::string key() const;
};

// How dates of a trip are priced, where some of them say so themselves; one of these for all that say the same, and one
// for those that say nothing. A trip of which none is known is priced as it says itself, on every date.
struct DatePrices {
    using Categories = std::vector<std::pair<std::int64_t, Money>>;  // what a traveler category pays, by its id

    std::int64_t trip_id = 0;
    Date first, last;                              // no date lies outside
    std::optional<bool> by_category = {};          // empty: as the trip is
    std::optional<Money> own = {};                 // of everybody alike; empty: the trip's
    std::shared_ptr<const Categories> categories;  // of those that differ from the trip's; null: none
};

// What features above know of trips' dates; asked by filters, each once a query, so that what it needs is looked up
// once for thousands of trips. Each may be empty: then it filters nothing.
struct TripDates {
    // Of the days from `first` to `last`, none of which lies outside of the trip's own season. To look at `trip` costs
    // more than the rest; `sure_days` is FactRow's.
    using HasDate = std::function<bool(std::int64_t id, Date first, Date last, int sure_days, const Trip& trip)>;
    std::function<HasDate()> has_date;
    // Calls `take` for the prices of dates that can still come, in the order of the trips.
    std::function<void(const std::function<void(const DatePrices&)>& take)> each_price;
    std::function<Date()> today;  // the site's day
    // Another number once dates have changed, or their prices alone.
    std::function<std::uint64_t(bool prices_alone)> edition;
};

struct PublicPage {
    Body body;
    std::int64_t total = 0;
};

}  // namespace svc::catalog::trips
